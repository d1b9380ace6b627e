/* clew explore --search dfs
 * branches: 4 of 4
 * paths: 3
 * complete: yes
 * bug: invalid-free 17
 *
 * The first path calls native code (snprintf of a double), after which pointers from outside are legitimate.  The other paths do not: there
 * it is forgotten again. */
#include <clew.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char text[40];
    if (clew_uchar("k") != 3) snprintf(text, sizeof text, "%f", 1.5);
    else if (clew_uchar("m") == 5) free((void *)0x123456780);
    return 0;
}
