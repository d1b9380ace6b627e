/* clew run
 * exit: 0
 */
#include <complex.h>
#include <stdio.h>

static double complex square(double complex z)
{
    return z * z;
}

static float complex narrow(float complex z, float k)
{
    return z / (k + 1.0f * I);
}

static int escape(double complex c)
{
    double complex z = 0;
    int n = 0;
    while (n < 50 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) z = z * z + c, n++;
    return n;
}

int main(void)
{
    double complex a = 3 + 4 * I, b = conj(a);
    float complex f = narrow(2.0f - 1.0f * I, 3);
    long double complex l = a;
    l *= 2.0L * I;
    printf("%g %g %g\n", creal(square(a)), cimag(square(a)), cabs(a));
    printf("%g %g\n", creal(a / (1 - 2 * I)), cimag(a / (1 - 2 * I)));
    printf("%.6g %.6g %d %d\n", crealf(f), cimagf(f), a == b, a != conj(b));
    printf("%Lg %Lg\n", creall(l), cimagl(l));
    double complex table[2] = {1, I};
    table[0] += table[1];
    __real__ table[1] = 7;
    printf("%g %g %g %g\n", creal(table[0]), cimag(table[0]), creal(table[1]), cimag(table[1]));
    for (int y = -4; y <= 4; y++) {
        for (int x = -8; x <= 4; x++) printf("%c", " .:-=+*#%@"[escape(x / 4.0 + y / 4.0 * I) / 6]);
        puts("|");
    }
    return 0;
}
