/* clew test
 * branches: 5 of 6
 * infeasible: 17 true
 * proved: at least 1
 *
 * What is counted in an array always adds up to the number of turns, so the last branch is never taken. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned counts[2] = {0, 0}, turns = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() > 0) counts[0]++;
        else counts[1]++;
        turns++;
    }
    if (counts[0] + counts[1] != turns) return 1;
    return 0;
}
