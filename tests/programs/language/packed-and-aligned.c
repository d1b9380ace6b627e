/* clew run
 * exit: 0
 */
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) wire {
    uint8_t kind;
    uint32_t length;
    uint16_t port;
    double value;
};
struct aligned {
    char c;
    alignas(32) int x;
    char d;
};
#pragma pack(push, 2)
struct two {
    char c;
    long l;
};
#pragma pack(pop)

int main(void)
{
    unsigned char raw[32] = {9, 1, 2, 3, 4, 5, 6};
    struct wire w;
    memcpy(&w, raw, sizeof w);
    w.value = 2.5;
    w.length++;
    uint32_t unaligned;
    memcpy(&unaligned, raw + 3, 4);
    printf("%d %x %x %g %x\n", w.kind, w.length, w.port, w.value, unaligned);
    printf("%zu %zu %zu %zu\n", sizeof w, offsetof(struct wire, value), sizeof(struct aligned), offsetof(struct aligned, x));
    printf("%zu %zu\n", sizeof(struct two), offsetof(struct two, l));
    struct aligned a[2];
    static alignas(64) char buffer[3];
    alignas(128) int local = 4;
    printf("%d %d %d %d\n", (int)((uintptr_t)&a[1].x % 32), (int)((uintptr_t)buffer % 64), (int)((uintptr_t)&local % 128), local);
    struct wire many[3] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    many[2] = many[1];
    many[2].port += many[0].port;
    printf("%d %g\n", many[2].port, many[2].value);
    return 0;
}
