/* clew explore --summaries
 * variants: -DFORGOTTEN=0 -DFORGOTTEN=1
 * branches: 8 of 8
 * paths: 4
 * complete: yes
 * bug: uninitialized 28
 *
 * A function gives an index on some of its paths only, and any index is inside the table: that there is none is another way all the same, whichever
 * of the two is executed first. */
#include <clew.h>
#include <stdbool.h>

static const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

static bool get(char c, int *out)
{
    if (c == FORGOTTEN) return true;
    if (c > 3) return false;
    *out = c;
    return true;
}

int main(void)
{
    int first = 0, second;
    if (!get(clew_char("first"), &first)) return 1;
    if (!get(clew_char("second"), &second)) return 2;
    return table[first & 7] + table[second & 7];
}
