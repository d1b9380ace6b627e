/* clew test
 * branches: 1 of 4
 * infeasible: 12 true
 * infeasible: 12 false
 * infeasible: 19 true
 *
 * A function that only an impossible branch calls. */
extern int __VERIFIER_nondet_int(void);

static int rescue(int x)
{
    if (x > 3) return 1;
    return 2;
}

int main(void)
{
    int n = __VERIFIER_nondet_int() % 3;
    if (n > 2) return rescue(n);
    return n < 0;
}
