/* clew test
 * branches: 4 of 4
 *
 * A counter of 8 bits that wraps around before it is what it should be. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char c = 0;
    while (__VERIFIER_nondet_uchar() != 0) c += 7;
    if (c == 3) return 1;
    return 0;
}
