#include <stdarg.h>

long wide(long a)
{
    return a;
}

long narrow(int a)
{
    return a;
}

int from_char(int a)
{
    return a;
}

long from_short(long a)
{
    return a;
}

/* Registers for integers and for floats are counted apart, so the order between them does not matter. */
int swapped(int a, double b)
{
    return a * 10 + (int)(b * 2);
}

int low_half(float a)
{
    union {
        float value;
        int bits;
    } u = {a};
    return u.bits;
}

int widened_result(void)
{
    return -2;
}

int cut_result(void)
{
    return 0x141;
}

int too_many(int a, int b)
{
    return a * 10 + b;
}

int low_of_pointer(int a)
{
    return a;
}

/* The seventh integer is on the stack for both. */
int spilled(int a, int b, int c, int d, int e, int f, int g, double x, double y)
{
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f + 1000000 * g + (int)(x * 4) + (int)(y * 4);
}

int nothing(a)
    int a;
{
    return a;
}

int variable(const char *format, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, format);
    for (; *format; format++) sum += *format == 'i' ? va_arg(list, int) : (int)va_arg(list, long);
    va_end(list);
    return sum;
}
