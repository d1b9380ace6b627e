/* clew test
 * branches: 11 of 12
 * infeasible: 15 true
 * proved: at least 1
 *
 * Inputs fall into four classes by a computed index; each class must have a count of its own. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int counts[4] = {0};
    int x;
    while ((x = __VERIFIER_nondet_int()) >= 0) counts[x & 3]++;
    if (counts[0] == 10 && counts[1] == 20 && counts[2] == 30 && counts[3] == 40) return 1;
    if (counts[0] < 0) return 2;
    return 0;
}
