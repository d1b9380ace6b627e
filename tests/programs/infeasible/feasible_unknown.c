/* clew test
 * branches: 4 of 4
 * covered: at least 2
 *
 * Feasible: a function that is defined nowhere may change every global, and may call the program. */
extern void elsewhere(void);

static int inner;
int outer;

void set_inner(int value)
{
    inner = value;
}

int run(void)
{
    inner = 1;
    outer = 1;
    elsewhere();
    if (outer != 1) return 1;
    if (inner != 1) return 2;
    return 0;
}
