/* clew test -lm
 * branches: 14 of 14
 * tests: at most 16
 *
 * The real solutions of a x^2 + b x + c = 0: none, one, two, or all numbers. */
#include <math.h>

int solve(double a, double b, double c, double *first, double *second)
{
    if (!first || !second) return -1;
    if (a == 0) {
        if (b == 0) return c == 0 ? 3 : 0;
        *first = *second = -c / b;
        return 1;
    }
    double under = b * b - 4 * a * c;
    if (under < 0) return 0;
    if (under == 0) {
        *first = *second = -b / (2 * a);
        return 1;
    }
    *first = (-b - sqrt(under)) / (2 * a);
    *second = (-b + sqrt(under)) / (2 * a);
    return 2;
}
