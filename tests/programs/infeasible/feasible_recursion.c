/* clew test
 * branches: 44 of 44
 *
 * Feasible: a function that calls itself finds the globals as its other activations left them, reaches depths that its caller excludes,
 * and returns through branches that the first call cannot take. */
extern int __VERIFIER_nondet_int(void);

static int active, reentered, level;

static int guarded(int n)
{
    if (active) {
        reentered++;
        return -1;
    }
    active = 1;
    int result = 0;
    if (n == 5) result = guarded(n + 1);
    if (result < 0) result = 10;
    active = 0;
    return result;
}

static int countdown(int n, int from)
{
    if (from <= 0 || from > 5) return -1;
    if (n > from) return 100;
    if (n == 0) return 0;
    if (n < from) level = n;
    int rest = countdown(n - 1, from);
    if (__VERIFIER_nondet_int() == 3) return countdown(n - 1, n - 2);
    return rest + 1;
}

static int odd(int n);

static int even(int n)
{
    if (n == 0) return 1;
    if (n < 0) return even(-n);
    return odd(n - 1);
}

static int odd(int n)
{
    if (n == 0) return 0;
    return even(n - 1);
}

int main(void)
{
    if (guarded(__VERIFIER_nondet_int()) == 10) reentered++;
    if (reentered > 1) return 1;
    int top = __VERIFIER_nondet_int();
    if (top < 1 || top > 6) return 2;
    int result = countdown(top, top);
    if (result == 100) return 4;
    if (result > 100) return 5;
    if (result < 0) return 6;
    if (level > 0 && result == top) return 7;
    if (!even((__VERIFIER_nondet_int() & 15) - 8)) return 8;
    return result;
}
