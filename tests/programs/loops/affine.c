/* clew test
 * branches: 4 of 4
 *
 * x becomes 3x + 1: the seventh value is 1093. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned x = 0;
    while (__VERIFIER_nondet_int() > 0) x = 3 * x + 1;
    if (x == 1093) return 1;
    return 0;
}
