/* clew run
 * exit: 0
 */
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef long l4 __attribute__((vector_size(32)));

static v4 mad(v4 a, v4 b, v4 c)
{
    return a * b + c;
}

static void show(v4 v)
{
    for (int i = 0; i < 4; i++) printf("%d ", v[i]);
    puts("");
}

int main(void)
{
    v4 a = {1, 2, 3, 4}, b = {10, -20, 30, -40};
    show(mad(a, b, (v4){1, 1, 1, 1}));
    show(a > b);
    show((a << 2) ^ (b >> 1));
    show(-a & ~b);
    show(b / a + b % 7);
    show(a + 5);
    show(__builtin_shufflevector(a, b, 3, 4, 1, 6));
    a[2] = 77;
    int i = 1;
    a[i]++;
    show(a);
    f4 f = {1.5f, -2, 0, 1e10f};
    f = f * f - 1;
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    show(f > 2.0f);
    show(__builtin_convertvector(f / 4, v4) % 1000);
    b16 bytes = (b16)a;
    bytes += 1;
    for (int k = 0; k < 16; k++) printf("%d ", bytes[k]);
    puts("");
    d2 d = {0.1, 0.2};
    d += (d2){1, 2};
    l4 l = {1, -1, 1L << 40, 5};
    l = l * l;
    printf("%g %g %ld %ld %ld\n", d[0], d[1], l[1], l[2] >> 70 % 64, l[3]);
    v4 array[3] = {a, b};
    v4 larger = array[0] > array[1];
    array[2] = (array[0] & larger) | (array[1] & ~larger);
    show(array[2]);
    union { v4 v; int e[4]; } u = {a};
    printf("%d %zu\n", u.e[2], sizeof(l4));
    return 0;
}
