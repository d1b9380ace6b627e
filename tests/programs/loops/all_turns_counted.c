/* clew test
 * branches: 5 of 6
 * infeasible: 16 true
 * proved: at least 1
 *
 * What goes one way and what goes the other add up to all. */
int __VERIFIER_nondet_int(void);

int all_turns_counted(unsigned n)
{
    unsigned a = 0, b = 0, i;
    for (i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int()) a++;
        else b++;
    }
    if (a + b != i) return 1;
    return 0;
}
