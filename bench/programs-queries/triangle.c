/* Classification: a triangle by its sides (ints), the roots of a quadratic equation (ints and doubles), a body by its dimensions. */
#include <clew.h>
#include <math.h>

enum triangle { NO_TRIANGLE, EQUILATERAL, ISOSCELES, RIGHT, SCALENE };

static enum triangle triangle(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0 || a > 10000 || b > 10000 || c > 10000) return NO_TRIANGLE;
    if (a + b <= c || a + c <= b || b + c <= a) return NO_TRIANGLE;
    if (a == b && b == c) return EQUILATERAL;
    if (a == b || b == c || a == c) return ISOSCELES;
    if (a * a + b * b == c * c || a * a + c * c == b * b || b * b + c * c == a * a) return RIGHT;
    return SCALENE;
}

enum roots { EVERYTHING, NOTHING, LINEAR, COMPLEX, DOUBLE, RATIONAL, REAL };

static long root_of(long square)
{
    long root = 0;
    for (long bit = 1L << 20; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= square) root |= bit;
    return root;
}

static enum roots integer_roots(int a, int b, int c)
{
    if (a == 0 && b == 0) return c == 0 ? EVERYTHING : NOTHING;
    if (a == 0) return LINEAR;
    long discriminant = (long)b * b - 4L * a * c;
    if (discriminant < 0) return COMPLEX;
    if (discriminant == 0) return DOUBLE;
    long root = root_of(discriminant);
    return root * root == discriminant ? RATIONAL : REAL;
}

/* The larger root, without cancellation; NaN if there is none. */
static double larger_root(double a, double b, double c)
{
    double discriminant = b * b - 4 * a * c;
    if (discriminant < 0) return NAN;
    double q = -0.5 * (b + (b < 0 ? -sqrt(discriminant) : sqrt(discriminant)));
    double first = q / a, second = q == 0 ? 0 : c / q;
    return first > second ? first : second;
}

static int quadratic(double a, double b, double c)
{
    if (!(fabs(a) >= 0.001 && fabs(a) <= 1000 && fabs(b) <= 1000 && fabs(c) <= 1000)) return 1;
    double root = larger_root(a, b, c);
    if (isnan(root)) return 2;
    if (root == 0) return 3;
    if (root > 1e6) return 4;
    return root < 0 ? 5 : 6;
}

/* Does a box fit a parcel service, and at which price? */
static int parcel(int length, int width, int height, double weight)
{
    if (length < 1 || width < 1 || height < 1 || !(weight > 0)) return 0;
    if (length > 200 || width > 200 || height > 200 || weight > 31.5) return 1;
    int girth = length + 2 * (width + height);
    if (girth > 300) return 2;
    double volume = (double)length * width * height / 5000;
    double charged = volume > weight ? volume : weight;
    return charged <= 2 ? 3 : charged <= 10 ? 4 : 5;
}

int main(void)
{
    int a = clew_int("a"), b = clew_int("b"), c = clew_int("c");
    double x = clew_double("x");
    switch (clew_range(0, 4, "what")) {
    case 0: return (int)triangle(a, b, c);
    case 1:
        clew_assume(a >= -1000 && a <= 1000 && b >= -1000 && b <= 1000 && c >= -1000 && c <= 1000);
        return 10 + (int)integer_roots(a, b, c);
    case 2: return 20 + quadratic(x, clew_double("y"), clew_double("z"));
    default: return 30 + parcel(a, b, c, x);
    }
}
