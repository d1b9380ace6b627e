/* clew explore --function g
 * seeds: 10
 * branches: 8 of 8
 * returns: 0 1 2 10
 *
 * Paper 002, section 3.1: g with a hash that gives 100 for few arguments. */
#include <clew.h>

CLEW_CONCRETE static int hash(int x)
{
    return (x * 37 + 11) % 128;
}

int g(int x)
{
    int y;
    if (x < 0) return 0;
    if (x > 100000) x = 100000;
    y = hash(x);
    if (y == 100) return 10;
    if (x > 10) return 1;
    return 2;
}
