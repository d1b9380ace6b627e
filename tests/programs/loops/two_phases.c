/* clew test
 * branches: 12 of 12
 *
 * Forty turns up and then forty turns down. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int phase = 0, x = 0;
    for (;;) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c == 0) return 0;
        if (phase == 0) {
            if (c == 'u') x++;
            if (x == 40) phase = 1;
        } else {
            if (c == 'd') x--;
            if (x == 0) return 1;
        }
    }
}
