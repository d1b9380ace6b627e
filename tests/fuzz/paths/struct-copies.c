/* inputs: 3 3
 * Structs by value: passed, returned, assigned, with symbolic members. */
struct pair {
    int x;
    char c;
    short s;
};
struct big {
    struct pair pairs[4];
    long sum;
};

static struct pair swap(struct pair p)
{
    return (struct pair){p.s, (char)(p.c + 1), (short)p.x};
}

static int weigh(struct big b)
{
    b.pairs[1] = b.pairs[2];
    return b.pairs[1].x + (int)b.sum;
}

int test(unsigned a, unsigned b)
{
    struct pair p = {(int)a, 'q', (short)(b * 5)}, q = swap(p);
    struct big big = {{{0}}, 0}, other;
    big.pairs[2] = q;
    big.sum = q.x > 20 ? 7 : p.c;
    other = big;
    other.pairs[2].x++;
    if (q.s == 6) return weigh(other);
    return weigh(big) - q.s + (other.pairs[2].c == 'r');
}
