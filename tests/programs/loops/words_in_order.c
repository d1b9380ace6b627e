/* clew test --string s:32 --nonnull s
 * branches: 6 of 6
 *
 * A string has to contain three words in this order, which a library function looks for. */
#include <string.h>

int words_in_order(const char *s)
{
    static const char *const words[] = {"get", "set", "end"};
    int found = 0;
    while (found < 3) {
        const char *at = strstr(s, words[found]);
        if (!at) return found;
        s = at + strlen(words[found]);
        found++;
    }
    if (*s == '\0') return 4;
    return 3;
}
