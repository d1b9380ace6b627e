/* clew test
 * branches: 4 of 4
 *
 * A counter of 16 bits that wraps around once: 66 steps of 1,000 are 464. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned short s = 0;
    while (__VERIFIER_nondet_uchar()) s += 1000;
    if (s == 464) return 1;
    return 0;
}
