/* clew test
 * branches: 37 of 38
 * infeasible: 68 true
 * covered: at least 23
 *
 * Four threads of a token ring made sequential: a scheduler lets one enabled thread run at a time, and an input chooses which one.
 * What makes it hard is that the token must go round many times through choices of the scheduler before the counters meet. */
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { THREADS = 4, ROUNDS = 12 };
enum { BLOCKED, READY };

static int status[THREADS] = { READY, BLOCKED, BLOCKED, BLOCKED };
static int resume[THREADS];
static int token, local, rounds, losses;

static void pass_on(int thread)
{
    status[thread] = BLOCKED;
    status[(thread + 1) % THREADS] = READY;
}

static void master(void)
{
    if (resume[0] == 0) {
        token = __VERIFIER_nondet_uchar();
        local = token;
        resume[0] = 1;
        pass_on(0);
        return;
    }
    if (token != ((local + THREADS - 1) & 0xff)) {
        losses++;
        rounds = 0;
    } else if (rounds < ROUNDS) {
        rounds++;
    }
    resume[0] = 0;
}

static void transmitter(int thread)
{
    if (resume[thread] == 0) {
        resume[thread] = 1;
        if (token == 77 && thread == 2) return;
    }
    token = (token + 1) & 0xff;
    resume[thread] = 0;
    pass_on(thread);
}

static int ready_threads(void)
{
    int count = 0;
    for (int i = 0; i < THREADS; i++) {
        if (status[i] == READY) count++;
    }
    return count;
}

int main(void)
{
    int idle = 0, done = 0;
    while (1) {
        unsigned choice = __VERIFIER_nondet_uint();
        /* The thread that runs makes exactly its successor ready when it blocks. */
        if (ready_threads() != 1) return 1;
        if (choice == 0xdead && status[2] == READY) token = 5;
        choice %= THREADS;
        if (status[choice] == BLOCKED) {
            if (idle < 50) idle++;
            if (idle == 50 && done) done = 0;
            continue;
        }
        idle = 0;
        if (choice == 0) master();
        else transmitter((int)choice);
        if (rounds == ROUNDS && losses == 0) done = 1;
        if (losses > 3) losses = 0;
    }
}
