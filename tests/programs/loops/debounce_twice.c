/* clew test
 * branches: 10 of 10
 *
 * A button counts as pressed after 25 equal samples; two presses are needed, with a release between. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int same = 0, pressed = 0, presses = 0;
    for (int i = 0; i < 400; i++) {
        int down = __VERIFIER_nondet_int() > 0;
        if (down != pressed) same++;
        else same = 0;
        if (same == 25) {
            pressed = down;
            same = 0;
            if (pressed) presses++;
        }
    }
    if (presses == 2) return 1;
    return 0;
}
