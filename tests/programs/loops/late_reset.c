/* clew test
 * branches: 10 of 12
 * infeasible: 23 true
 * infeasible: 24 true
 * proved: at least 2
 *
 * Two counters are equal after 500 turns although the one that grows faster was set back once; it never is more than twice the other. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int first = 0, second = 0, resets = 0;
    while (first < 500) {
        int c = __VERIFIER_nondet_int();
        first++;
        second += 2;
        if (c == 5) {
            second = 0;
            resets++;
        }
    }
    if (resets == 1 && second == 500) return 1;
    if (second > 1000) return 2;
    if (resets > 500) return 3;
    return 0;
}
