/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <string.h>

#pragma pack(push, 1)
struct wide {
    unsigned long a : 61, b : 59, c : 16;
    signed d : 9;
};
struct wider {
    char first;
    unsigned long a : 33, b : 64, c : 64, d : 27;
    signed long e : 50;
};
#pragma pack(pop)

static struct wide next(struct wide w)
{
    w.a = w.a * 3 + 1;
    w.b ^= w.a;
    w.c++;
    w.d -= 100;
    return w;
}

static void dump(const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++) printf("%02x", ((const unsigned char *)p)[i]);
    puts("");
}

int main(void)
{
    struct wide w = {1, 2, 65535, -1};
    struct wider x;
    memset(&x, 0, sizeof x);
    for (int i = 0; i < 5; i++) {
        w = next(w);
        printf("%lx %lx %lu %d\n", (unsigned long)w.a, (unsigned long)w.b, (unsigned long)w.c, w.d);
        x.a = w.a;
        x.b += w.b;
        x.c = ~x.b;
        x.d |= w.c;
        x.e -= w.d;
        dump(&x, sizeof x);
    }
    struct wider copies[2] = {x, x};
    copies[1].first = 'z';
    printf("%zu %zu %ld %d\n", sizeof w, sizeof x, (long)copies[1].e, memcmp(&copies[0], &x, sizeof x));
    return 0;
}
