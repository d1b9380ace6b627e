/* clew test
 * branches: 12 of 12
 * complete: yes
 * tests: at most 12
 *
 * The kinds of floating-point numbers, told by the bits of a union. */
enum kind { ZERO, TINY, NORMAL, INFINITE, NOT_A_NUMBER, NEGATIVE };

enum kind kind_of(float number, int with_sign)
{
    union {
        float number;
        unsigned bits;
    } view = {number};
    unsigned exponent = view.bits >> 23 & 255, fraction = view.bits & 0x7fffff;
    if (with_sign && view.bits >> 31) return NEGATIVE;
    if (exponent == 0) return fraction == 0 ? ZERO : TINY;
    if (exponent == 255) return fraction == 0 ? INFINITE : NOT_A_NUMBER;
    return NORMAL;
}
