/* clew explore --search dfs
 * branches: 11 of 12
 * complete: yes
 * bug: out-of-bounds 25
 *
 * A struct that is passed by value lies at an address, or in a block of a size, that depends on inputs.  What that decides is decided before the
 * call begins, so that another way begins with the whole call, not inside it. */
#include <clew.h>
#include <stdlib.h>

struct Big {
    long a[4];
};

static int look(int x, struct Big big, int y)
{
    return (int)big.a[x & 3] + y;
}

static int in_block(void)
{
    unsigned char n = clew_uchar("n"), x = clew_uchar("x");
    struct Big *block = calloc(1, 16 + (n & 31));
    if (!block) return 9;
    int found = look(x, *block, n);
    if (found == x + 40) return 1;
    return found > 100 ? 2 : 0;
}

int main(void)
{
    struct Big table[3] = {{{1}}, {{2}}, {{3}}};
    if (clew_bool("in block")) return in_block();
    int found = look(0, table[clew_uchar("i") % 3], 0);
    if (found == 1) return 1;
    return found == 2 ? 2 : 3;
}
