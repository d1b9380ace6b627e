/* clew test -lm
 * branches: 10 of 10
 * complete: yes
 * tests: at most 12
 *
 * Equality up to a tolerance, with the cases that are forgotten: NaN, and infinities that are equal. */
#include <math.h>

int nearly_equal(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b)) return 0;
    if (a == b) return 1;
    if (tolerance <= 0) return 0;
    if (fabs(a - b) < tolerance) return 1;
    return 0;
}
