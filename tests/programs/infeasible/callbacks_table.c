/* clew test
 * branches: 12 of 16
 * infeasible: 39 true
 * infeasible: 40 true
 * infeasible: 41 true
 * infeasible: 42 true
 *
 * Handlers in a table: each leaves the mode as one of three values. */
extern int __VERIFIER_nondet_int(void);

static int mode = 1;

static int start(int x)
{
    mode = 2;
    return x > 0;
}

static int stop(int x)
{
    mode = 1;
    return x < 0;
}

static int pause(int x)
{
    if (mode == 2) mode = 3;
    return 0 * x;
}

static int (*const handlers[3])(int) = {start, stop, pause};

int main(void)
{
    for (int i = 0; i < 4; i++) {
        int request = __VERIFIER_nondet_int();
        if (request < 0 || request > 2) continue;
        int result = handlers[request](request);
        if (mode == 0) return 1;
        if (mode > 3) return 2;
        if (result == 2) return 3;
        if (result < 0) return 4;
    }
    return mode;
}
