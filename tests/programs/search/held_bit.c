/* clew explore --no-summaries
 * branches: 12 of 12
 * complete: yes
 *
 * A bit of an input is kept until the next round and compared with the next one: what it is was decided by then, so it does not matter when it was
 * read. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char before = 0;
    int equal = 0, toggles = 0;
    while (1) {
        unsigned char bit = __VERIFIER_nondet_uchar() & 1;
        if (bit == before) {
            if (equal < 6) equal++;
        } else {
            if (equal == 6) toggles++;
            equal = 0;
        }
        before = bit;
        if (toggles == 3 && bit) return 1;
        if (toggles == 4) return 2;
    }
}
