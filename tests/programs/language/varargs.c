/* clew run
 * exit: 0
 */
#include <stdarg.h>
#include <stdio.h>

typedef struct { int a, b; } Small;
typedef struct { double x; long n; } Mixed;
typedef struct { long v[5]; } Large;
typedef struct { float f[4]; } Floats;

static void show(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    for (int pass = 0; pass < 2; pass++) {
        for (const char *p = format; *p; p++) {
            switch (*p) {
            case 'i': printf("%d ", pass ? va_arg(again, int) : va_arg(args, int)); break;
            case 'l': printf("%ld ", pass ? va_arg(again, long) : va_arg(args, long)); break;
            case 'u': printf("%llu ", pass ? va_arg(again, unsigned long long) : va_arg(args, unsigned long long)); break;
            case 'd': printf("%g ", pass ? va_arg(again, double) : va_arg(args, double)); break;
            case 'L': printf("%Lg ", pass ? va_arg(again, long double) : va_arg(args, long double)); break;
            case 'p': printf("%s ", pass ? va_arg(again, char *) : va_arg(args, char *)); break;
            case 'S': { Small s = pass ? va_arg(again, Small) : va_arg(args, Small); printf("{%d %d} ", s.a, s.b); break; }
            case 'M': { Mixed m = pass ? va_arg(again, Mixed) : va_arg(args, Mixed); printf("{%g %ld} ", m.x, m.n); break; }
            case 'B': { Large b = pass ? va_arg(again, Large) : va_arg(args, Large); printf("{%ld..%ld} ", b.v[0], b.v[4]); break; }
            case 'F': { Floats f = pass ? va_arg(again, Floats) : va_arg(args, Floats); printf("{%g %g} ", f.f[0], f.f[3]); break; }
            case 'x': { __int128 w = pass ? va_arg(again, __int128) : va_arg(args, __int128); printf("%lx:%lx ", (long)(w >> 64), (long)w); break; }
            }
        }
        puts("");
    }
    va_end(again);
    va_end(args);
}

static int sum(int n, va_list args)
{
    int total = 0;
    while (n--) total += va_arg(args, int);
    return total;
}

static int sums(int n, ...)
{
    va_list args;
    va_start(args, n);
    int first = sum(n / 2, args), second = sum(n - n / 2, args);
    va_end(args);
    return first * 1000 + second;
}

static int forward(char *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsprintf(out, format, args);
    va_end(args);
    return n;
}

int main(void)
{
    Small s = {1, 2};
    Mixed m = {2.5, -7};
    Large b = {{10, 11, 12, 13, 14}};
    Floats f = {{1, 2, 3, 4}};
    show("ilu", -1, 1L << 40, ~0ull);
    show("dLpd", 0.5, 1.25L, "text", -3.0);
    show("SMBFx", s, m, b, f, ((__int128)5 << 64) + 9);
    show("iiiiiiiiddddddddddid", 1, 2, 3, 4, 5, 6, 7, 8, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.0, 9, 1.1);
    show("iSiMiMdSMLBiFx", 1, s, 2, m, 3, m, 4.5, s, m, 6.5L, b, 7, f, (__int128)-1);
    show("i", (char)-5);
    show("d", 2.5f);
    printf("%d\n", sums(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    char text[100];
    int n = forward(text, "%d-%s-%.2f-%c", 5, "five", 5.555, '5');
    printf("%d %s\n", n, text);
    return 0;
}
