/* inputs: 3 3
 * Writes at a symbolic index, read back at constant and at symbolic indices. */
int test(unsigned a, unsigned b)
{
    int v[8] = {0};
    unsigned char bytes[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    v[a] = 5;
    v[b] += 3;
    bytes[v[a] & 7] = (unsigned char)(b + 10);
    if (v[3] == 8) return 1;
    if (v[2] == 5) return 2;
    if (bytes[5] > 9) return 3 + v[7];
    return 100 + v[b] + bytes[a];
}
