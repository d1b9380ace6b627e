/* clew explore --function conflict -lm
 * seeds: 10
 * branches: 18 of 18
 *
 * A conflict probe in the style of TSAFE: an own aircraft turns, another one flies straight on; do they come too close within four steps?
 * All five decisions go both ways. */
#include <math.h>

#define GRAVITY 9.81
#define RADIANS (3.14159265358979323846 / 180)

int conflict(double heading, double speed, double bank, double x, double y);
int conflict(double heading, double speed, double bank, double x, double y)
{
    double nearest = 9999, turn = heading * RADIANS;
    if (!(speed >= 50 && speed <= 300)) return -1;
    if (!(bank >= 5 && bank <= 45)) return -2;
    int sign = turn < 0 ? -1 : 1;
    double radius = pow(speed, 2.0) / (GRAVITY * tan(bank * RADIANS));
    for (int i = 0; i < 4; i++) {
        double angle = sign * i * speed / radius;
        double dx = x - sign * radius * (1 - cos(angle)), dy = y - 120.0 * i - radius * fabs(sin(angle));
        double distance = sqrt(pow(dx, 2.0) + pow(dy, 2.0));
        if (distance < nearest) nearest = distance;
    }
    if (nearest < 500) return 2;
    return sign > 0 ? 1 : 0;
}
