/* clew test -lm
 * branches: 14 of 14
 * tests: at most 16
 *
 * A real function of the library stands in a condition together with arithmetic that can be solved (after the examples of mixed
 * concrete-symbolic solving): values for the one part are tried in the other. */
#include <math.h>

int approach(int speed, int distance)
{
    if (speed < 0 || speed > 400 || distance <= 0 || distance > 100000) return -1;
    double braking = pow(speed, 2) / 200;
    if (distance == (int)braking) return 0;
    if (speed > 300 && distance > 10 * sqrt(speed)) return 1;
    return 2;
}
