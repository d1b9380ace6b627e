/* clew test
 * branches: 4 of 4
 *
 * A geometric progression: 2^12. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned x = 1;
    while (__VERIFIER_nondet_int() > 0) x *= 2;
    if (x == 4096) return 1;
    return 0;
}
