/* clew test
 * branches: 5 of 6
 * infeasible: 23 true
 *
 * The state is in a struct: two counters whose sum is always even, so the last branch is never taken. */
int __VERIFIER_nondet_int(void);

struct state {
    unsigned left, right;
};

int main(void)
{
    struct state s = {0, 0};
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() > 0) {
            s.left++;
            s.right++;
        } else {
            s.left += 2;
        }
    }
    if (s.left + s.right == 1001) return 1;
    return 0;
}
