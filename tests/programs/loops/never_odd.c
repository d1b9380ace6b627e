/* clew test
 * branches: 5 of 6
 * infeasible: 20 true
 * proved: at least 1
 *
 * Both ways round the loop leave the lowest bit of the sum as it is, so the last branch is never taken. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned left = 0, right = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() > 0) {
            left++;
            right++;
        } else {
            left += 2;
        }
    }
    if (left + right == 1001) return 1;
    return 0;
}
