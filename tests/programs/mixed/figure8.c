/* clew explore --function run_bessel -lm
 * seeds: 10
 * branches: 4 of 4
 * returns: 1 2
 *
 * Paper 001, figure 8: a Bessel function of the C library. */
#include <math.h>

int run_bessel(double x);
int run_bessel(double x)
{
    double y = y0(x);
    if (x >= 1.25 && y > 0.2) return 1;
    return 2;
}
