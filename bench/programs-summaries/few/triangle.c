/* What kind of triangle three lengths make. */
#include <clew.h>
#include <stdbool.h>

typedef enum Kind { NONE, SCALENE, ISOSCELES, EQUILATERAL } Kind;

static bool is_length(int side)
{
    return side > 0 && side <= 1000;
}

static bool are_sides(int a, int b, int c)
{
    return is_length(a) && is_length(b) && is_length(c);
}

static bool is_shorter(int side, int first, int second)
{
    return side < first + second;
}

static Kind classify(int a, int b, int c)
{
    if (!is_shorter(a, b, c) || !is_shorter(b, a, c) || !is_shorter(c, a, b)) return NONE;
    if (a == b && b == c) return EQUILATERAL;
    return a == b || b == c || a == c ? ISOSCELES : SCALENE;
}

int main(void)
{
    int a = clew_int("a"), b = clew_int("b"), c = clew_int("c");
    if (!are_sides(a, b, c)) return 10;
    return classify(a, b, c);
}
