/* inputs: 4 4
 * 128-bit numbers and long doubles. */
int test(unsigned a, unsigned b)
{
    __int128 x = (__int128)a << 100 | (unsigned long)b << 50;
    unsigned __int128 y = (unsigned __int128)x * 7;
    long double l = a;
    if (x > (__int128)5 << 100) return (int)(y >> 98);
    if ((x - ((__int128)3 << 100)) < 0) return (int)(x >> 50) + 1;
    if (b == 11) return (int)(l * 1.5L);
    return (int)(y % 1000003);
}
