/* inputs: 4 4
 * Execution goes on after a signed overflow and a shift too far.
 * reports: signed-overflow 9
 * reports: shift 10
 * reports: signed-overflow 11 */
int test(unsigned a, unsigned b)
{
    int big = 2147483640, r = 0;
    if (big + (int)a < 0) r = 1;
    r += 1 << (b * 3);
    long product = (long)a * (1L << 60);
    if (product > 5 && b > 3) r += 2;
    if (r == 9) return 77;
    return r;
}
