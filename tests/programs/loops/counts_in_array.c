/* clew test
 * branches: 8 of 8
 *
 * Counters in an array, which the input chooses among. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int count[4] = {0, 0, 0, 0};
    for (int i = 0; i < 40; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c < 4) count[c]++;
    }
    if (count[2] == 10 && count[3] == 5) return 1;
    return 0;
}
