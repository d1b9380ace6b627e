/* clew test
 * branches: 3 of 4
 * infeasible: 16 true
 * proved: at least 1
 *
 * One variable is always twice the other. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x += 2;
        y++;
    }
    if (x != 2 * y) return 1;
    return 0;
}
