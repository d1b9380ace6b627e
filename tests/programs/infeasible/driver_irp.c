/* clew test
 * branches: 13 of 18
 * infeasible: 17 true
 * infeasible: 23 true
 * infeasible: 29 true
 * infeasible: 56 true
 * infeasible: 60 true
 *
 * A driver: requests are completed once, and a lock is never taken twice. */
extern int __VERIFIER_nondet_int(void);

enum { FREE, HELD };
static int lock, completed, pending;

static void acquire(void)
{
    if (lock == HELD) __builtin_trap();
    lock = HELD;
}

static void release(void)
{
    if (lock != HELD) __builtin_trap();
    lock = FREE;
}

static int complete(int status)
{
    if (completed) return -1;
    completed = 1;
    return status;
}

static int dispatch(int request)
{
    int status = 0;
    acquire();
    if (request == 3) {
        pending = 1;
        status = 259;
    } else if (request < 0) {
        status = -5;
    }
    release();
    if (pending) {
        pending = 0;
        return status;
    }
    return complete(status);
}

int main(void)
{
    int request = __VERIFIER_nondet_int();
    int status = dispatch(request);
    if (lock) return 1;
    if (status == 259) {
        return 3;
    }
    if (pending) return 4;
    return status == -1;
}
