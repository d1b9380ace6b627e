/* clew test
 * branches: 10 of 14
 * infeasible: 16 true
 * infeasible: 17 true
 * infeasible: 18 true
 * infeasible: 21 true
 *
 * Counters of loops inside each other. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int most = 0;
    for (int i = 0; i < 5; i++)
        for (int k = i; k < 5; k++) {
            if (k < 0) return 1;
            if (i > 4) return 2;
            if (k > 4) return 3;
            if (__VERIFIER_nondet_int() == k) most = k;
        }
    if (most > 4) return 4;
    return most < 0;
}
