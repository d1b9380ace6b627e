/* inputs: 3 3
 * Symbolic arguments through `...`, and formatted output. */
#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...)
{
    va_list list;
    int s = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) s += i == 1 ? (int)va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return s;
}

int test(unsigned a, unsigned b)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d", (int)(a * 20) - 30);
    if (b < 4) return sum((int)b, (int)a, (double)b, 9) + n;
    return text[0] * 10 + n;
}
