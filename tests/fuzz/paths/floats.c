/* inputs: 4 4
 * Floats: conversions both ways, comparisons, arithmetic, a NaN. */
int test(unsigned a, unsigned b)
{
    double x = (double)(int)(a - 5) / 4, y = (float)b * 0.5f;
    double quotient = x / (y - 3);
    if (quotient != quotient) return -1;
    if (x > y) return (int)(x * 3);
    if (quotient < -1e300 || quotient > 1e300) return 7;
    float f = (float)quotient;
    if (f >= 0.5f) return 10 + (int)f;
    if (!(x < 0)) return 20 + (unsigned char)(y + 0.5);
    return (int)(quotient * 1000);
}
