/* clew test -lm
 * branches: 14 of 14
 * tests: at most 16
 *
 * Heron's formula, after what it needs has been made sure of. */
#include <math.h>

int size_class(double a, double b, double c)
{
    if (!(a > 0) || !(b > 0) || !(c > 0)) return -1;
    if (a + b <= c || b + c <= a || c + a <= b) return -2;
    double half = (a + b + c) / 2;
    double area = sqrt(half * (half - a) * (half - b) * (half - c));
    if (area < 10) return 0;
    return 1;
}
