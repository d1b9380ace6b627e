/* inputs: 3 3
 * What decides may be uninitialised on some inputs: written at a symbolic index, read at one, or chosen.
 * reports: uninitialized 11
 * reports: uninitialized 12
 * reports: uninitialized 14 */
int test(unsigned a, unsigned b)
{
    int v[8], w[3];
    v[a] = 5;
    v[2] = 1;
    if (v[3] == 5) return 1;
    if (v[b] == 5) return 2;
    w[0] = 7;
    if (w[a == 6] > 6) return 3;
    int copy = w[2];
    return b == 7 ? v[2] : (int)a + (copy & 0);
}
