/* clew run
 * exit: 0
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    double in_range[] = {0.0, -0.9, 0.9, 1.5, -1.5, 127.99, -128.9, 2147483647.0, -2147483648.0};
    for (int i = 0; i < 9; i++) printf("%d %ld %d\n", (int)in_range[i], (long)in_range[i], (int)(float)(i * 1.7));
    printf("%u %lu %lu\n", (unsigned)4294967295.0, (unsigned long)18446744073709549568.0, (unsigned long)9223372036854775808.0);
    printf("%.1f %.1f %.1f %.1f\n", (double)ULONG_MAX, (double)LONG_MIN, (double)UINT_MAX, (double)(unsigned char)255);
    printf("%.1f %.1f %.1f\n", (float)16777217, (double)9007199254740993, (float)ULONG_MAX);
    float big = (float)1e38 * 10;
    printf("%f %d %d\n", big, isinf(big), isnan(big - big));
    double nan = big - big;
    printf("%d%d%d%d%d%d\n", nan < 1, nan > 1, nan == nan, nan != nan, nan <= nan, !(nan >= 1));
    printf("%d %d %d\n", 0.0 == -0.0, 1 / -0.0 < 0, signbit(-0.0) != 0);
    printf("%.17g %.9g %.17g\n", (double)0.1f, (float)0.1, 0.1 + 0.2);
    printf("%.0f %.0f %.0f %.0f\n", rint(2.5), round(2.5), floor(-2.5), trunc(-2.7));
    printf("%g %g %g %g\n", fmod(-7, 3), remainder(-7, 3), copysign(3, -0.0), nextafter(1, 2) - 1);
    int e;
    double m = frexp(100, &e), whole, part = modf(-3.75, &whole);
    printf("%g %d %g %g %g %ld\n", m, e, part, whole, ldexp(0.75, 4), lround(-2.5));
    printf("%.10f %.10f %.10f %.10f\n", sin(1), exp(1), log(10), pow(2, 0.5));
    double denormal = 5e-324;
    printf("%g %d %g\n", denormal, fpclassify(denormal) == FP_SUBNORMAL, denormal / 2);
    _Bool truth = 0.5, none = 0.0;
    printf("%d %d %d\n", truth, none, !0.1);
    return 0;
}
