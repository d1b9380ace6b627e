/* clew run
 * exit: 0
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union word {
    uint64_t u;
    int64_t i;
    double d;
    float f[2];
    uint8_t bytes[8];
    struct { uint16_t a, b; uint32_t c; };
};
struct tagged {
    enum { INT, REAL, TEXT } tag;
    union { long i; double d; char text[12]; };
};

static void show(struct tagged t)
{
    if (t.tag == INT) printf("int %ld\n", t.i);
    else if (t.tag == REAL) printf("real %g\n", t.d);
    else printf("text %s\n", t.text);
}

static float inverse_root(float x)
{
    union { float f; uint32_t u; } v = {x};
    v.u = 0x5f3759df - (v.u >> 1);
    return v.f * (1.5f - x * 0.5f * v.f * v.f);
}

int main(void)
{
    union word w = {.d = -1.5};
    printf("%lx %ld %d\n", w.u, w.i, w.bytes[7]);
    w.bytes[0] = 1;
    w.b = 0xbeef;
    printf("%lx %g\n", w.u, w.d);
    w.f[0] = 3.25f;
    w.f[1] = -8;
    printf("%lx\n", w.u);
    show((struct tagged){INT, .i = -4});
    show((struct tagged){REAL, .d = 2.5});
    struct tagged t = {TEXT};
    strcpy(t.text, "union");
    show(t);
    printf("%.6f %.6f\n", inverse_root(4), inverse_root(0.25f));
    unsigned endian = 0x01020304;
    printf("%d %zu\n", *(char *)&endian, sizeof(union word));
    union word copy = w, *p = &copy;
    p->c = 0;
    printf("%lx %d\n", copy.u, memcmp(&copy, &w, 8) != 0);
    return 0;
}
