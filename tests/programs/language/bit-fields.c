/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <string.h>

struct mixed {
    signed a : 3;
    unsigned b : 5;
    long c : 40;
    unsigned d : 1;
    unsigned : 0;
    int e : 31;
    _Bool f : 1;
};
struct __attribute__((packed)) tight {
    unsigned a : 7;
    unsigned long b : 45;
    signed c : 11;
    unsigned char d;
    unsigned e : 9;
};
union view {
    struct tight t;
    unsigned char bytes[sizeof(struct tight)];
};

static struct mixed step(struct mixed m)
{
    m.a++;
    m.b += 20;
    m.c *= -3;
    m.d = !m.d;
    m.e -= 1;
    m.f = m.b;
    return m;
}

int main(void)
{
    struct mixed m = {3, 31, 0x7fffffffff, 1, -5, 0};
    for (int i = 0; i < 5; i++) {
        printf("%d %u %ld %u %d %d\n", m.a, m.b, (long)m.c, m.d, m.e, m.f);
        m = step(m);
    }
    union view v;
    memset(&v, 0, sizeof v);
    v.t.a = 0x55;
    v.t.b = 0x1234567890abu;
    v.t.c = -1000;
    v.t.d = 0xee;
    v.t.e = 0x1ff;
    for (unsigned i = 0; i < sizeof v; i++) printf("%02x ", v.bytes[i]);
    printf("\n%u %lx %d %u %u\n", v.t.a, (unsigned long)v.t.b, v.t.c, v.t.d, v.t.e);
    int assigned = (v.t.c = 3000);
    printf("%d %d\n", assigned, v.t.c);
    v.t.b++;
    v.t.a <<= 2;
    printf("%lu %u %zu %zu\n", (unsigned long)v.t.b, v.t.a, sizeof m, sizeof v.t);
    struct mixed all[3] = {{1}, {.c = -1}, {.e = 7, .f = 1}};
    for (int i = 0; i < 3; i++) printf("%d %ld %d %d\n", all[i].a, (long)all[i].c, all[i].e, all[i].f);
    return 0;
}
