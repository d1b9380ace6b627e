/* clew test -fwrapv
 * branches: 14 of 14
 *
 * Feasible: numbers that wrap around, are cut, or change their sign in a conversion. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), result = 0;
    signed char c = (signed char)x;
    unsigned u = (unsigned)x;
    if (x > 100 && x + 2147483000 < 0) result |= 1;
    if (c < 0 && (unsigned char)c > 200) result |= 2;
    if (u + 10 < 5) result |= 4;
    if (x * 2 == 0 && x != 0) result |= 8;
    return result;
}
