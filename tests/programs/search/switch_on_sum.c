/* clew explore --no-summaries
 * branches: 16 of 16
 * complete: yes
 *
 * What a switch decides by is not always what its conditions are about: `x + 7 == 1` is kept as `x == -6`, and `3 * x == 6` as `x == 2`.  A case
 * that is asked for by name must be asked for by the value of the switch. */
#include <clew.h>

static int of_sum(short x)
{
    switch (x + 7) {
    case 0: return 1;
    case 1: return 2;
    case 5: return 3;
    default: return 4;
    }
}

static int of_product(unsigned x)
{
    switch (3 * x) {
    case 0: return 1;
    case 6: return 2;
    case 9: return 3;
    default: return 4;
    }
}

static int of_byte(signed char x)
{
    switch (~x) {
    case -1: return 1;
    case -3: return 2;
    case 5: return 3;
    default: return 4;
    }
}

int main(void)
{
    unsigned which = clew_uint("which");
    if (which == 0) return of_sum(clew_short("s"));
    return which == 1 ? of_product(clew_uint("u")) : of_byte((signed char)clew_char("c"));
}
