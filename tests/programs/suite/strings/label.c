/* clew test
 * branches: 6 of 6
 * bug: out-of-bounds 14
 * tests: at most 8
 *
 * A name of exactly the buffer's size is let through: there is no room for its end. */
#include <string.h>

int comment(const char *name)
{
    char label[4];
    if (!name) return -1;
    if (strlen(name) > sizeof label) return -2;
    strcpy(label, name);
    if (label[0] == '#') return 1;
    return 0;
}
