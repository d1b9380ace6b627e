/* clew test
 * branches: 4 of 6
 * infeasible: 18 true
 * infeasible: 21 true
 *
 * One function called from two places (figure 6 of the paper on call strings): only the calls apart show what each gets back. */
extern int __VERIFIER_nondet_int(void);

static int twice(int x)
{
    return x + x;
}

int main(void)
{
    if (__VERIFIER_nondet_int()) {
        int a = twice(3);
        if (a != 6) return 1;
    } else {
        int b = twice(50);
        if (b != 100) return 2;
    }
    return 0;
}
