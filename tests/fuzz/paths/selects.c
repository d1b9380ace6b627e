/* inputs: 4 4
 * Conditional expressions and logical operators as values. */
int test(unsigned a, unsigned b)
{
    int m = a > b ? (int)a : (int)b;
    int both = a > 3 && b > 3, any = a > 12 || b == 0;
    int sign = (int)a - 8 < 0 ? -1 : a == 8 ? 0 : 1;
    return m * 100 + both * 10 + any + sign * 1000 + (both != any ? 3 : 4);
}
