/* clew test
 * branches: 6 of 6
 *
 * A loop made of goto. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int a = 0, b = 0;
again:
    if (a + b >= 30) goto end;
    if (__VERIFIER_nondet_uchar() == 'x') {
        a++;
        goto again;
    }
    b++;
    goto again;
end:
    if (a == 22) return 1;
    return 0;
}
