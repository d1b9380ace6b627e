/* clew run
 * bug: uninitialized 58
 * bug: uninitialized 61
 * bug: uninitialized 64
 * bug: uninitialized 67
 * bug: uninitialized 70
 * bug: uninitialized 73
 * bug: uninitialized 76
 * bug: uninitialized 79
 */
/* What a call through a wrong type leaves undefined is as uninitialised as a variable without a value. */
#include <stdarg.h>

static int is_positive(int a)
{
    return a;
}

static double as_double(double a)
{
    return a;
}

static int second(int a, int b)
{
    (void)a;
    return b;
}

static void nothing(void)
{
}

static signed char small(void)
{
    return 5;
}

static long ninth(int a, int b, int c, int d, int e, int f, int g, int h, long i)
{
    return a + b + c + d + e + f + g + h + i;
}

static double variable(int n, ...)
{
    va_list list;
    va_start(list, n);
    double value = va_arg(list, double);
    va_end(list);
    return value;
}

int main(void)
{
    float f = 1.5f;
    int count = 0;
    /* An integer is passed in a register of floats. */
    if (((int (*)(double))is_positive)(1.0) > 0) count++;

    /* A float fills half of its register. */
    if (((double (*)(float))as_double)(f) > 0) count++;

    /* An argument is missing. */
    if (((int (*)(int))second)(1)) count++;

    /* A result is missing. */
    if (((int (*)(void))nothing)()) count++;

    /* Only the lowest bits of a result are there. */
    if (((int (*)(void))small)() == 5) count++;

    /* An int on the stack is half of a long. */
    if (((long (*)(int, int, int, int, int, int, int, int, int))ninth)(1, 2, 3, 4, 5, 6, 7, 8, 9) == 45) count++;

    /* Nobody says that registers of floats are in use. */
    if (((double (*)(int, double))variable)(1, 2.0) == 2.0) count++;

    /* A result in a register of the other kind. */
    if (((double (*)(int))is_positive)(1) > 0) count++;
    return count > 8;
}
