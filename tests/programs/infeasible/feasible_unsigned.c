/* clew test
 * branches: 40 of 40
 *
 * Feasible: differences and sums of unsigned numbers wrap, so what was made smaller may be larger, a sum of sizes may be small, and a
 * deadline in the future may be below the present time. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

struct timer {
    unsigned start, length;
};

static int expired(const struct timer *t, unsigned now)
{
    unsigned deadline = t->start + t->length;
    if (deadline < t->start) return now >= deadline && now < t->start ? 2 : 3;
    return now >= deadline;
}

static int allocate(unsigned count, unsigned size)
{
    unsigned bytes = count * size;
    if (count != 0 && size != 0 && bytes == 0) return -1;
    if (count > 1000 && size > 1000 && bytes < 1000) return -2;
    return bytes > 4096 ? 1 : 0;
}

static int consume(unsigned *remaining, unsigned amount)
{
    unsigned before = *remaining;
    *remaining -= amount;
    if (*remaining > before) return -1;
    return 0;
}

int main(void)
{
    struct timer t;
    t.start = __VERIFIER_nondet_uint();
    t.length = __VERIFIER_nondet_uint() % 1000;
    int result = expired(&t, __VERIFIER_nondet_uint());
    if (result == 2) return 1;
    unsigned count = __VERIFIER_nondet_uint();
    result = allocate(count, __VERIFIER_nondet_uint());
    if (result == -2) return 2;
    unsigned remaining = 100, i = 3;
    if (consume(&remaining, __VERIFIER_nondet_uint() & 127) < 0) return 3;
    int offset = __VERIFIER_nondet_int();
    if (offset < 0 && remaining + (unsigned)offset < remaining) return 4;
    if ((unsigned)offset > remaining && offset < 50) return 5;
    while (i < 10) i--;
    return (int)(i & 7);
}
