/* clew test
 * branches: 9 of 14
 * infeasible: 39 true
 * infeasible: 40 true
 * infeasible: 42 true
 * infeasible: 44 true
 * infeasible: 46 true
 * proved: at least 5
 *
 * The same bytes are read through addresses that are computed in different ways: what is read is equal as long as nothing is written there, and only then. */
extern unsigned __VERIFIER_nondet_uint(void);

unsigned cells[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static unsigned indexed(unsigned *from, unsigned i)
{
    return from[i];
}

static unsigned shifted(unsigned *from, unsigned i)
{
    return *(unsigned *)((char *)from + ((unsigned long)i << 2));
}

static void set(unsigned *from, unsigned i, unsigned value)
{
    *(unsigned *)((char *)from + 4 * (unsigned long)i) = value;
}

static unsigned short half(unsigned *from, unsigned i)
{
    return *((unsigned short *)from + 2 * i);
}

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() & 7, k = __VERIFIER_nondet_uint() & 7;
    unsigned before = indexed(cells, i), other = indexed(cells, k);
    if (before != shifted(cells, i)) return 1;
    if (half(cells, i) != before) return 2;
    set(cells, k, before + 1);
    if (i != k && shifted(cells, i) != before) return 3;
    if (shifted(cells, i) != before) return 4; /* i == k */
    if (other == before) return 5;             /* i != k, and no two values were equal */
    set(cells, i, other);
    if (indexed(cells, k) != before + 1) return 6;
    return 0;
}
