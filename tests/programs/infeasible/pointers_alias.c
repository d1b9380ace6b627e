/* clew test
 * branches: 4 of 6
 * infeasible: 21 true
 * infeasible: 24 true
 *
 * A store through a pointer changes what it points to, and nothing whose address was never taken. */
extern int __VERIFIER_nondet_int(void);

static int hidden, shown;

static void put(int *to, int value)
{
    *to = value;
}

int main(void)
{
    int *p = &shown;
    hidden = 4;
    put(p, __VERIFIER_nondet_int());
    if (hidden != 4) return 1;
    if (shown == 17) return 2;
    shown = 6;
    if (shown != 6) return 3;
    return 0;
}
