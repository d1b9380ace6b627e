/* clew test
 * branches: 3 of 4
 * infeasible: 15 true
 * proved: at least 0
 *
 * A function that nothing defines fills a block as long as it is told to, so no byte of it is uninitialised. */
#include <stddef.h>

int receive(void *context, unsigned char *to, size_t size);

int kind(void *context)
{
    unsigned char block[64];
    if (receive(context, block, sizeof block)) return -1;
    if (block[40]) return 2;
    return block[3] == 'x';
}
