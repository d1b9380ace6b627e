/* inputs: 4 4
 * More than 256 elements: the object becomes an array. */
static int cells[600];
static unsigned short shorts[300];

int test(unsigned a, unsigned b)
{
    for (int i = 0; i < 600; i++) cells[i] = i;
    for (int i = 0; i < 300; i++) shorts[i] = (unsigned short)(i * 3);
    cells[a * 37] = -1;
    cells[b * 37] = -2;
    shorts[a + 256] = 9;
    if (cells[74] == -1) return 1;
    if (cells[555] < 0) return cells[555] - cells[554];
    shorts[260] = 77;
    if (shorts[a * 16 + 4] == 77) return 2;
    return cells[a * 37] + (shorts[b + 256] == 9 ? 50 : 60);
}
