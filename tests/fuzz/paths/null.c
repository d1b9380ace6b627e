/* inputs: 3 3
 * reports: null-dereference 8
 * reports: use-after-free 14 */
#include <stdlib.h>

static int *find(int *from, unsigned n) { return n == 5 ? NULL : from + n; }

static int get(int *p) { return *p + 1; }
int test(unsigned a, unsigned b)
{
    int *v = calloc(8, sizeof(int));
    for (int i = 0; i < 8; i++) v[i] = i;
    if (b == a) free(v);
    if (b == 6) return v[0];
    return get(find(v, a));
}
