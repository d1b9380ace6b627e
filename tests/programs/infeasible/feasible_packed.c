/* clew test
 * branches: 5 of 6
 * infeasible: 30 false
 * proved: at least 0
 *
 * Fields of a packed struct are at any address: a write to the number changes bytes on both sides of a multiple of four, through pointers that a
 * function gets from two places. */
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct __attribute__((packed)) packet {
    unsigned char kind;
    unsigned length;
    unsigned char rest[3];
};
static struct packet one, two;

static void set(struct packet *p, unsigned length)
{
    p->length = length;
}

int main(void)
{
    struct packet *p = __VERIFIER_nondet_int() > 0 ? &one : &two;
    unsigned words[2];
    set(p, 0x01020304);
    memcpy(words, &one, sizeof words);
    if (words[0] == 0x02030400) {
        if (words[1] == 1) return 2;
        return 1;
    }
    return 0;
}
