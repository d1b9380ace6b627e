/* inputs: 4 4
 * reports: division-by-zero 9
 * reports: division-by-zero 10
 * reports: signed-overflow 10 */
int test(unsigned a, unsigned b)
{
    int low = -2147483647 - 1;
    if (a == 14) return 5;
    int x = 100 / ((int)a - 3);
    return x + (low + (b != 2)) % ((int)a - (int)b);
}
