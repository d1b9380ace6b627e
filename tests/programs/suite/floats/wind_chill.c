/* clew test -lm
 * branches: 14 of 14
 * tests: at most 14
 *
 * How cold the wind feels: a real function of the library (pow) stands in the condition. */
#include <math.h>

enum warning { NONE, COLD, FROSTBITE };

enum warning warn(double celsius, double wind)
{
    if (!(celsius >= -60 && celsius <= 10)) return NONE;
    if (!(wind >= 5 && wind <= 150)) return celsius < 0 ? COLD : NONE;
    double power = pow(wind, 0.16);
    double felt = 13.12 + 0.6215 * celsius - 11.37 * power + 0.3965 * celsius * power;
    if (felt < -27) return FROSTBITE;
    if (felt < 0) return COLD;
    return NONE;
}
