/* clew test
 * branches: 7 of 8
 * infeasible: 14 false
 * complete: yes
 * tests: at most 8
 *
 * Errors go to a common end by goto; an allocation of sixteen bytes does not fail here. */
#include <stdlib.h>

int process(int kind, int amount)
{
    int result = -1;
    int *block = malloc(4 * sizeof *block);
    if (!block) return -2;
    block[0] = amount;
    if (kind < 0) goto done;
    if (kind > 5) {
        result = -3;
        goto done;
    }
    if (block[0] == 1000) result = 1;
done:
    free(block);
    return result;
}
