/* clew test
 * branches: 11 of 22
 * infeasible: 23 true
 * infeasible: 24 true
 * infeasible: 25 true
 * infeasible: 26 true
 * infeasible: 27 true
 * infeasible: 28 true
 * infeasible: 29 true
 * infeasible: 30 true
 * infeasible: 31 true
 * infeasible: 32 true
 * infeasible: 33 true
 *
 * Remainders, masks, shifts and divisions stay in their ranges. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint();
    int i = __VERIFIER_nondet_int();
    if (u % 10 > 9) return 1;
    if ((u & 12) == 3) return 2;
    if (u >> 28 > 15) return 3;
    if ((u | 1) == 0) return 4;
    if (u / 16 > 268435455) return 5;
    if (i % 7 > 6) return 6;
    if (i % 7 < -6) return 7;
    if ((unsigned char)u > 255) return 8;
    if ((signed char)u < -128) return 9;
    if (u * 4 % 4 != 0) return 10;
    if ((i & 255) * 3 > 765) return 11;
    return 0;
}
