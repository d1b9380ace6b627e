/* clew test
 * branches: 2 of 2
 * covered: at least 0
 *
 * Feasible: assembly outside of functions gives a variable another name. */
static int x __attribute__((used)) = 1;
extern int y;
__asm__(".set y, x");

int main(void)
{
    x = 1;
    y = 5;
    if (x == 5) return 1;
    return 0;
}
