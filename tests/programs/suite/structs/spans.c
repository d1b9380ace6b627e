/* clew test
 * branches: 6 of 6
 * precondition: longest: spans != NULL
 *
 * An array of pointers with their lengths, of which there may be none. */
#include <stddef.h>

struct span {
    const char *start;
    int length;
};

int longest(const struct span *spans, int count)
{
    int most = 0;
    for (int i = 0; i < count; i++)
        if (spans[i].length > most && spans[i].start[spans[i].length - 1]) most = spans[i].length;
    return most;
}
