/* clew test
 * branches: 10 of 16
 * infeasible: 15 true
 * infeasible: 21 true
 * infeasible: 27 true
 * infeasible: 33 true
 * infeasible: 43 true
 * infeasible: 44 true
 *
 * A chain of calls that hands a bounded value on, each with a check of its own. */
extern int __VERIFIER_nondet_int(void);

static int d(int x)
{
    if (x > 40) return -1;
    return x;
}

static int c(int x)
{
    if (x < 7) return -2;
    return d(x + 10);
}

static int b(int x)
{
    if (x > 20) return -3;
    return c(x + 5);
}

static int a(int x)
{
    if (x < 2) return -4;
    return b(x);
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 2) x = 2;
    if (x > 20) x = 20;
    int y = a(x);
    if (y < 17) return 1;
    if (y > 35) return 2;
    return 0;
}
