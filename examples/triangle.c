/* clew test
 * branches: 22 of 22
 * bug: signed-overflow 13
 * complete: yes
 * tests: at most 22
 *
 * What kind of triangle has these sides?  There is a mistake in it. */
enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };

enum kind classify(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0) return NONE;
    if (a + b <= c || b + c <= a || c + a <= b) return NONE;
    if (a == b && b == c) return EQUILATERAL;
    if (a == b || b == c || c == a) return ISOSCELES;
    return SCALENE;
}
