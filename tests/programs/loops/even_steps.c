/* clew test
 * branches: 3 of 4
 * infeasible: 13 true
 * proved: at least 1
 *
 * No even number is 1,001. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned i = 0;
    while (__VERIFIER_nondet_int()) i += 2;
    if (i == 1001) return 1;
    return 0;
}
