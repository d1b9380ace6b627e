/* clew test --nonnull out
 * branches: 7 of 8
 * infeasible: 20 false
 * tests: at most 10
 *
 * Functions that are given an open file: one writes to it, one may also be given none. */
#include <stdio.h>

int report(FILE *out, int level)
{
    if (level < 0) return -1;
    if (fprintf(out, "level %d\n", level) != 8) return 0;
    return 1;
}

int first(FILE *in)
{
    if (!in) return -1;
    int c = fgetc(in);
    if (c == EOF) return 0;
    return c;
}
