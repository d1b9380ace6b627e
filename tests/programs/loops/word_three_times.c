/* clew test
 * branches: 16 of 16
 *
 * A word that a stream has to contain three times. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int state = 0, words = 0;
    for (int i = 0; i < 40; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (state == 0 && c == 'a') state = 1;
        else if (state == 1 && c == 'b') state = 2;
        else if (state == 2 && c == 'c') {
            words++;
            state = 0;
        } else state = 0;
    }
    if (words == 3) return 1;
    return 0;
}
