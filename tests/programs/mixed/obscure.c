/* clew explore --function obscure
 * seeds: 10
 * branches: 2 of 2
 * returns: -1 0
 *
 * Paper 002, section 2.3: a hash in the way of static test generation. */
#include <clew.h>

CLEW_CONCRETE static int hash(int y)
{
    unsigned h = (unsigned)y;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return (int)h;
}

int obscure(int x, int y)
{
    if (x == hash(y)) return -1;
    return 0;
}
