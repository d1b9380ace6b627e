/* clew test
 * branches: 7 of 10
 * infeasible: 16 true
 * infeasible: 17 true
 * infeasible: 19 true
 *
 * Unsigned numbers wrap, so that what looks impossible is not, and what wraps is bounded by its width. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned char c = (unsigned char)(x + 200);
    unsigned short s = (unsigned short)(c * 300);
    if (x + 1 < x) return 1;
    if (c + 1 > 256) return 2;
    if (s > 65535) return 3;
    if (x - 1 > x) return 4;
    if ((x & 7) - 8 < 100) return 5;
    return 0;
}
