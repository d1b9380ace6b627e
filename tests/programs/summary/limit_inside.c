/* clew explore --summaries
 * branches: 4 of 4
 * bug: out-of-bounds 13
 * complete: yes
 *
 * How many bytes there are behind a pointer into an array of unknown size depends on where in the array the pointer is.  What is known of a
 * function for the array's start says nothing of the byte behind. */
#include <clew.h>
#include <stdlib.h>

static int is_a(const char *p)
{
    if (*p == 'a') return 1;
    return 0;
}

int main(void)
{
    unsigned n = clew_uint("n");
    clew_assume(n < 8);
    char *text = calloc(8 - n, 1);
    text[0] = clew_char("c");
    int found = is_a(text);
    found += 2 * is_a(text + 1);
    free(text);
    if (found == 1) return 1;
    return 0;
}
