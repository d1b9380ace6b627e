/* clew test
 * branches: 26 of 26
 *
 * Feasible: pointers that an input chooses may lead to the same object, so a store through one changes what is read through the other. */
extern int __VERIFIER_nondet_int(void);

struct item {
    int count, limit;
    struct item *partner;
};

static struct item items[3] = {{1, 10, 0}, {2, 20, 0}, {3, 30, 0}};

static struct item *choose(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2) return &items[0];
    return &items[i];
}

static void swap(int *a, int *b)
{
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
}

static void move(struct item *from, struct item *to)
{
    int before = to->count;
    from->count = 0;
    to->count = before + 1;
    if (from->count != 0) items[2].limit = 31;
}

static int set_both(int *low, int *high)
{
    *low = 1;
    *high = 9;
    return *low > 5;
}

int main(void)
{
    struct item *a = choose(), *b = choose();
    a->partner = b;
    b->partner = 0;
    if (a->partner == 0 && __VERIFIER_nondet_int() == 1) return 1;
    move(a, b);
    if (items[2].limit == 31 && __VERIFIER_nondet_int() == 2) return 2;
    swap(&a->count, &b->count);
    struct item *c = choose();
    c->limit = 40;
    if (b->limit == 40 && a->limit != 40) return 3;
    if (c->partner == b) return 4;
    int which = __VERIFIER_nondet_int() & 1;
    if (set_both(&c->count, which ? &b->count : &c->limit)) return 5;
    int *end = &items[1].count, *walk = &c->count;
    *walk = 77;
    if (*end == 77) return 6;
    return 0;
}
