/* clew test --work 3000
 * branches: 26 of 26
 * tests: at most 20
 */

/* Each function has a branch that needs a longer text, or a later element, than the search begins with. */
#include <stddef.h>
#include <string.h>

int is_long(const char *s)
{
    if (!s) return 0;
    if (strlen(s) > 20) return 1;
    return 2;
}

int has_mark(const unsigned char *data, size_t len)
{
    if (!data || len < 14) return -1;
    if (data[12] == 'Q' && data[13] == 'Z') return 7;
    return 0;
}

int count_dots(const char *s)
{
    int dots = 0;
    while (s && *s) {
        if (*s == '.') dots++;
        s++;
    }
    if (dots == 11) return 11;
    return 0;
}

int reaches_40(const char *s)
{
    if (!s) return 0;
    for (int i = 0; s[i]; i++)
        if (i == 40) return 40;
    return 1;
}
