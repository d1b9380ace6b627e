/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <tgmath.h>

#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", char: "char", float: "float", double: "double", \
    long double: "long double", char *: "char *", const char *: "const char *", void *: "void *", default: "other")
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

static int as_int(int x) { return x + 1; }
static double as_double(double x) { return x + 0.5; }
#define NEXT(x) _Generic((x), int: as_int, double: as_double)(x)

int main(void)
{
    char c = 0;
    short s = 0;
    const char *text = "";
    printf("%s %s %s %s %s\n", NAME(c), NAME(s), NAME(s + c), NAME('a'), NAME(1u + 1));
    printf("%s %s %s %s %s %s\n", NAME(1.0f), NAME(1.0f * 2.0), NAME(text), NAME((char *)0), NAME((void *)0), NAME(&c == 0));
    printf("%d %g %d %g\n", NEXT(1), NEXT(1.0), MAX(3, 4), MAX(2.5, 1));
    printf("%g %g\n", sqrt(16.0f), (double)fabs(-3.0L));
    return 0;
}
