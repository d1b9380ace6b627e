/* clew run
 * exit: 0
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

struct holder {
    char c;
    long double value;
};

static long double series(int n)
{
    long double sum = 0;
    for (int i = 1; i <= n; i++) sum += 1.0L / ((long double)i * i);
    return sum;
}

static struct holder make(char c, long double v)
{
    struct holder h = {c, v * 2};
    return h;
}

int main(void)
{
    long double a = 1.0L / 3, b = series(1000), table[] = {1e4000L, -1e-4000L, LDBL_MAX, LDBL_EPSILON};
    printf("%.20Lg %.20Lg %.20Lg\n", a, b, sqrtl(b * 6));
    for (int i = 0; i < 4; i++) printf("%.18Lg ", table[i]);
    printf("\n%La %Lf %Le\n", a, -b, a * 1e-30L);
    struct holder h = make('x', a);
    printf("%c %.20Lg %zu\n", h.c, h.value, sizeof h);
    printf("%d %ld %lu %d\n", (int)-7.9L, (long)1e18L, (unsigned long)1.7e19L, (int)(a > 0.333));
    double d = a;
    float f = a;
    printf("%.17g %.9g %.20Lg\n", d, f, (long double)d - a);
    printf("%d %d %d\n", a == a, isnan(a - a / 0.0L * 0), isinf(b / 0.0L) != 0);
    long double r = -5.5L;
    r += 2;
    r *= -r;
    r--;
    printf("%Lg %Lg %Lg\n", r, fabsl(r), fmodl(r, 3));
    return 0;
}
