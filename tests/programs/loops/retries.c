/* clew test
 * branches: 4 of 4
 *
 * Fifty attempts that fail. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int attempts = 0;
    while (attempts < 50) {
        if (__VERIFIER_nondet_uchar() == 42) return 0;
        attempts++;
    }
    return 1;
}
