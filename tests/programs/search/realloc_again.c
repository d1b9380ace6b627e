/* clew explore --search dfs
 * branches: 3 of 4
 * paths: 8
 *
 * How much of the block is kept depends on an input and has to be fixed, which happens before the new block is allocated: a path that goes back
 * there allocates it once, at the address that it had. */
#include <clew.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    unsigned char n = clew_uchar("n"), x = clew_uchar("x");
    char *block = malloc((n & 3) + 1), *larger = realloc(block, 24);
    if (!larger) return 9;
    if (x > ((uintptr_t)larger >> 5 & 63)) return 1;
    return 0;
}
