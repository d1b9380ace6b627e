/* clew test
 * branches: 36 of 36
 *
 * Feasible: hooks that the program registers change its state between a check and its repetition, remove themselves, and call back. */
extern int __VERIFIER_nondet_int(void);

typedef void (*hook)(int what);
static hook hooks[3];
static int state, depth, errors, quota = 5;

static void post(int what)
{
    depth++;
    for (int i = 0; i < 3; i++)
        if (hooks[i]) hooks[i](what);
    depth--;
}

static void reset(int what)
{
    if (what == 3) state = 0;
}

static void spend(int what)
{
    quota -= what;
    if (quota < 0) {
        hooks[1] = 0;
        quota = 0;
    }
}

static void echo(int what)
{
    if (depth > 2) errors++;
    else post(what - 1);
}

static int enter(int what)
{
    if (state != 1) return -1;
    post(what);
    if (state != 1) return -2;
    if (quota != 5) return -3;
    return 0;
}

int main(void)
{
    int choice = __VERIFIER_nondet_int();
    if (choice & 1) hooks[0] = reset;
    if (choice & 2) hooks[1] = spend;
    if (choice & 4) hooks[2] = echo;
    state = choice < 100;
    int result = enter(__VERIFIER_nondet_int() & 7);
    if (result == -2) return 1;
    if ((choice & 2) && hooks[0] && !hooks[1]) return 2;
    if (result == -3 && quota == 0) return 3;
    if (errors > 0) return 4;
    return depth;
}
