/* inputs: 3 3
 * reports: uninitialized 9 */
int test(unsigned a, unsigned b)
{
    int x, v[4];
    v[0] = 1;
    if (a < 4) x = 3;
    v[2] = (int)b;
    if (x == 3 + (int)(b & 1)) return 1;
    if (a == 7) return v[0];
    return a == 2 ? v[2] : 9;
}
