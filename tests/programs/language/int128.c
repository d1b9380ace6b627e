/* clew run
 * exit: 0
 */
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(const char *name, u128 x)
{
    printf("%s %016lx%016lx\n", name, (unsigned long)(x >> 64), (unsigned long)x);
}

static u128 power(u128 base, unsigned n)
{
    u128 r = 1;
    for (; n; n >>= 1, base *= base)
        if (n & 1) r *= base;
    return r;
}

static i128 passed(i128 a, int b, u128 c, long d)
{
    return a * b + (i128)(c / 3) - d;
}

int main(void)
{
    u128 a = ((u128)0x0123456789abcdef << 64) | 0xfedcba9876543210, b = 0x1000000000000001;
    i128 n = -(i128)a;
    show("add", a + b);
    show("sub", b - a);
    show("mul", a * b);
    show("div", a / b);
    show("rem", a % b);
    show("sdiv", (u128)(n / 1000000007));
    show("srem", (u128)(n % 1000000007));
    show("shl", a << 77);
    show("shr", a >> 77);
    show("sar", (u128)(n >> 77));
    show("not", ~a ^ b);
    show("pow", power(3, 80));
    show("call", (u128)passed(n, 7, a, 5));
    printf("%d %d %d %d\n", a > b, n < 0, n < (i128)b, (u128)n > a);
    double d = (double)a;
    float f = (float)n;
    long double l = (long double)a;
    printf("%.17g %.9g %.21Lg\n", d, f, l);
    show("from double", (u128)1.5e30);
    show("from negative", (u128)(i128)-2.5e25);
    i128 array[3] = {1, -2, 3};
    i128 *p = array;
    array[1] += *p++;
    array[2] *= *p;
    show("array", (u128)array[2]);
    show("promote", (u128)(i128)(signed char)-5);
    printf("%lu %d\n", sizeof a, (int)_Alignof(u128));
    return 0;
}
