/* clew explore
 * branches: 26 of 26
 * complete: yes
 *
 * A summarised result chooses a function: all of its values are taken, not the few that are tried where a value may be anything. */
#include <clew.h>

static int class_of(int x)
{
    if (x < 0) return 0;
    if (x < 10) return 1;
    if (x < 20) return 2;
    if (x < 30) return 3;
    if (x < 40) return 4;
    return 5;
}

#define LOOK(NAME, VALUE) \
    static int NAME(int x) \
    { \
        if (x == (VALUE)) return 1; \
        return 0; \
    }
LOOK(below, -5)
LOOK(units, 5)
LOOK(tens, 15)
LOOK(twenties, 25)
LOOK(thirties, 35)
LOOK(above, 45)

static int (*const table[])(int) = {below, units, tens, twenties, thirties, above};

int main(void)
{
    int x = clew_int("x");
    if (x > 1000) x = 1000;
    if (table[class_of(x)](x)) return 1;
    return 2;
}
