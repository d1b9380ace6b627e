/* clew test
 * branches: 5 of 6
 * infeasible: 37 false
 * proved: at least 0
 *
 * Feasible: locals and globals are changed by functions that were given their addresses, some of them earlier and in a roundabout way. */
extern int __VERIFIER_nondet_int(void);

struct box {
    int *to;
};
static int *kept, counter;

static void keep(int *p)
{
    kept = p;
}

static void change(void)
{
    *kept = __VERIFIER_nondet_int();
}

static void fill(const struct box *box)
{
    *box->to = 7;
}

int main(void)
{
    int local = 1, other = 2;
    struct box box = {&counter};
    keep(&local);
    change();
    if (local != 1) other = 3;
    fill(&box);
    if (counter == 7) counter = 8;
    for (int i = 0; i < other; i++) counter++;
    return counter;
}
