/* clew test
 * branches: 19 of 20
 * infeasible: 31 true
 * proved: at least 1
 *
 * Characters of one to three bytes are counted, and what follows a first byte must follow it; 40 characters in 71 bytes. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int bytes = 0, characters = 0, awaited = 0;
    for (;;) {
        unsigned char c = (unsigned char)__VERIFIER_nondet_int();
        bytes++;
        if (awaited > 0) {
            if ((c & 0xC0) != 0x80) return 1;
            if (--awaited == 0) characters++;
        } else if (c == 0) {
            break;
        } else if (c < 0x80) {
            characters++;
        } else if ((c & 0xE0) == 0xC0) {
            awaited = 1;
        } else if ((c & 0xF0) == 0xE0) {
            awaited = 2;
        } else {
            return 2;
        }
    }
    if (characters == 40 && bytes == 72) return 3;
    if (characters > bytes) return 4;
    return 0;
}
