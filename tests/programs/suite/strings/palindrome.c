/* clew test
 * branches: 6 of 6
 * tests: at most 6
 *
 * The same from both ends? */
#include <string.h>

int palindrome(const char *text)
{
    if (!text) return -1;
    for (size_t i = 0, j = strlen(text); i < j; i++, j--) {
        if (text[i] != text[j - 1]) return 0;
    }
    return 1;
}
