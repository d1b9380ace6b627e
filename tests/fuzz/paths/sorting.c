/* inputs: 3 3 3
 * A sort of symbolic numbers, by hand and by the library. */
#include <stdlib.h>

static int by_value(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

int test(unsigned a, unsigned b, unsigned c)
{
    int v[3] = {(int)a, (int)b, (int)c}, w[3] = {(int)c, (int)a, (int)b};
    for (int i = 1; i < 3; i++)
        for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
            int t = v[k];
            v[k] = v[k - 1];
            v[k - 1] = t;
        }
    qsort(w, 3, sizeof *w, by_value);
    return v[0] * 64 + v[1] * 8 + v[2] + 1000 * (w[0] * 64 + w[1] * 8 + w[2]);
}
