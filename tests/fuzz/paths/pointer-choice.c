/* inputs: 3 3
 * A pointer to one of several objects, chosen by an input. */
static int global = 7;

int test(unsigned a, unsigned b)
{
    int x = 1, y = 2, *p = &x;
    int *all[4] = {&x, &y, &global, &x};
    global = 7;
    if (a > 4) p = &y;
    *p += (int)b;
    int *q = all[a & 3];
    *q += 10;
    if (x > 5) return x * 100 + y;
    return y * 10 + global;
}
