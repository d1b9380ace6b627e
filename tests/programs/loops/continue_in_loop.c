/* clew test
 * branches: 6 of 6
 *
 * Inputs that are passed over do not count. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int odd = 0, turns = 0;
    while (turns < 50) {
        unsigned char c = __VERIFIER_nondet_uchar();
        turns++;
        if (c % 2 == 0) continue;
        odd++;
    }
    if (odd == 31) return 1;
    return 0;
}
