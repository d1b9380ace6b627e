/* clew run
 * exit: 0
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    double values[] = {0.0, -0.0, 1, -1.5, 0.1, 1e10, 123456789.123, 1e-10, 1e100, 5e-324, DBL_MAX, INFINITY, -INFINITY, 2.5, 3.5, 0.5};
    const char *formats[] = {"%f", "%e", "%g", "%a", "%.0f", "%.3e", "%10.2f", "%-12.4g", "%+.1f", "%# .0f", "%010.3f", "%G", "%.15g", "%A"};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        for (unsigned j = 0; j < sizeof formats / sizeof *formats; j++) {
            printf(formats[j], values[i]);
            putchar('|');
        }
        putchar('\n');
    }
    printf("%*.*f|%-*.*e|%.*f\n", 12, 3, M_PI, 14, 2, M_E, -1, 1.5);
    printf("%f %d\n", (float)0.1f, (int)(0.1f + 0.2f == 0.3f));
    return 0;
}
