/* clew test
 * branches: 34 of 34
 *
 * Feasible: sequence numbers of 8 and 16 bits wrap around, so the next one may be smaller than the last, a window may lie on both sides
 * of 0, and a counter that only grows may be 0 again. */
extern int __VERIFIER_nondet_int(void);

typedef unsigned char uint8;
typedef unsigned short uint16;
typedef signed char int8;

struct channel {
    uint8 last, expected;
    uint16 bytes;
    int received;
};

static int in_window(uint8 base, uint8 sequence)
{
    return (uint8)(sequence - base) < 16;
}

static int receive(struct channel *c, uint8 sequence, uint16 length)
{
    uint8 next = (uint8)(c->last + 1);
    int result = 0;
    if (next < c->last) result |= 1;
    if (next == 0) result |= 2;
    if (!in_window(c->expected, sequence)) return -1;
    if (sequence < c->expected) result |= 4;
    uint16 before = c->bytes;
    c->bytes += length;
    if (c->bytes < before) result |= 8;
    if (length > 0 && c->bytes == 0) result |= 16;
    c->last = sequence;
    c->expected = (uint8)(sequence + 1);
    c->received++;
    return result;
}

static int8 step(int8 level)
{
    level = (int8)(level + 100);
    if (level < 0) return 1;
    return 0;
}

int main(void)
{
    struct channel c = {0, 0, 0, 0};
    int results = 0;
    c.last = (uint8)__VERIFIER_nondet_int();
    c.expected = c.last;
    for (int i = 0; i < 3; i++) {
        uint8 sequence = (uint8)__VERIFIER_nondet_int();
        int result = receive(&c, sequence, (uint16)__VERIFIER_nondet_int());
        if (result < 0) break;
        results |= result;
    }
    if (results & 4) results |= 32;
    if (c.received > 0 && c.bytes == 0) results |= 64;
    if (c.received > 0 && c.expected == 0) results |= 128;
    uint8 turns = 1;
    while (turns != 0) turns++;
    if (step((int8)(__VERIFIER_nondet_int() & 63))) results |= 256;
    return results;
}
