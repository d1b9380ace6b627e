/* inputs: 4 4
 * reports: out-of-bounds 9
 * reports: out-of-bounds 11 */
int test(unsigned a, unsigned b)
{
    int v[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    char s[6] = "hello";
    if (b > 8) return -1;
    int x = v[a];
    if (x == 3) return 3;
    s[b] = 'x';
    return x * 10 + (s[2] == 'x');
}
