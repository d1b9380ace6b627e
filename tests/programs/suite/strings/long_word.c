/* clew test
 * branches: 4 of 4
 * complete: yes
 * tests: at most 6
 *
 * Texts are as long as what they are compared with. */
#include <string.h>

int word(const char *s)
{
    if (s && strcmp(s, "configuration") == 0) return 2;
    return 3;
}
