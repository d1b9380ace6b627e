/* inputs: 3 3
 * Decisions between writes at symbolic indices into an object that is an array: going back must undo the writes. */
int test(unsigned a, unsigned b)
{
    unsigned char cells[300];
    __builtin_memset(cells, 1, sizeof cells);
    int r = 0;
    for (unsigned i = 0; i < 4; i++) {
        cells[a * 40 + i] = (unsigned char)(b + i);
        if (cells[b * 40 + 1] > 4) r += 3;
        cells[i] ^= 1;
        if (cells[a + i] == 0) r += 10;
    }
    return r * 2 + cells[41];
}
