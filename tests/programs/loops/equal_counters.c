/* clew test
 * branches: 8 of 8
 *
 * Two counters that must be equal. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int a = 0, b = 0;
    for (;;) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c == 0) break;
        if (c == 1) a++;
        else b++;
    }
    if (a == b && a == 20) return 1;
    return 0;
}
