/* clew test
 * branches: 2 of 2
 * covered: at least 0
 *
 * Feasible: a function in a section that is called before main. */
static int x;

static void set(void)
{
    x = 5;
}
static void (*const start)(void) __attribute__((section(".init_array"), used)) = set;

int main(void)
{
    if (x == 5) return 1;
    return 0;
}
