/* clew run -lm
 * exit: 0
 * stdout: native
 */
#include <clew.h>
#include <math.h>
#include <stdio.h>

static int calls;

CLEW_CONCRETE CLEW_PARTITION("x > 100") CLEW_PARTITION("x <= 100 && x % 2") static unsigned hash(unsigned x)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < 4; i++) h = (h ^ (x >> i * 8 & 255)) * 16777619u;
    calls++;
    return h;
}

CLEW_CONCRETE double energy(double mass, int level);

CLEW_CONCRETE CLEW_PARTITION("c == 'a'") static unsigned char turn(signed char c, _Bool up, short by)
{
    return (unsigned char)(up ? c + by : c - by);
}

CLEW_CONCRETE static unsigned __int128 square(unsigned long x)
{
    return (unsigned __int128)x * x;
}

/* Cannot be a function of numbers alone, so the mark changes nothing. */
CLEW_CONCRETE static int sum(const int *v, int n)
{
    int s = 0;
    while (n > 0) s += v[--n];
    return s;
}

CLEW_CONCRETE static long factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

int main(void)
{
    unsigned (*pointer)(unsigned) = hash;
    for (unsigned i = 0; i < 5; i++) printf("%u %u\n", hash(i * 1000), pointer(i));
    printf("%d calls\n", calls);
    for (int i = 0; i < 4; i++) printf("%.17g\n", energy(1.5, i));
    printf("%d %d\n", turn('a', 1, 300), turn(-100, 0, 100));
    unsigned __int128 s = square(0xfedcba9876543210);
    printf("%lx %lx\n", (unsigned long)(s >> 64), (unsigned long)s);
    printf("%d\n", sum((int[]){1, 2, 3}, 3));
    printf("%ld\n", factorial(15));
    return 0;
}

double energy(double mass, int level)
{
    return ldexp(sqrt(mass * mass + level), level) + fabs(-mass) + copysign(mass, -1.0);
}
