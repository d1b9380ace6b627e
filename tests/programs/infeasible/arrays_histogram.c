/* clew test
 * branches: 7 of 12
 * infeasible: 20 true
 * infeasible: 21 true
 * infeasible: 24 true
 * infeasible: 25 true
 * infeasible: 26 true
 *
 * Counters in an array: every element that is written stays small. */
extern int __VERIFIER_nondet_int(void);

static int seen[4];

int main(void)
{
    int level[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
        int k = __VERIFIER_nondet_int() & 3;
        seen[k] = i;
        if (seen[k] > 2) return 1;
        if (level[i] < 1) return 2;
        level[i] = 7;
    }
    if (seen[0] > 2) return 3;
    if (seen[3] < 0) return 4;
    if (level[1] > 7) return 5;
    return level[0] == 9;
}
