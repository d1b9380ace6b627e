/* clew test
 * branches: 10 of 10
 *
 * A level that one kind of input resets: twelve openings in a row are needed, after a closing. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int level = 0, closed = 0;
    for (int i = 0; i < 100; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c == '(') level++;
        else if (c == ')') {
            closed += level > 3;
            level = 0;
        }
    }
    if (level == 12 && closed == 1) return 1;
    return 0;
}
