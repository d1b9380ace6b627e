/* clew test
 * branches: 8 of 8
 *
 * A value that is held at a limit. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int x = 0;
    for (int i = 0; i < 60; i++) {
        if (__VERIFIER_nondet_uchar() & 1) x += 7;
        if (x > 200) x = 200;
    }
    if (x == 200) return 1;
    return 0;
}
