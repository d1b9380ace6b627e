/* clew test
 * branches: 8 of 8
 * tests: at most 6
 *
 * Removes blanks from both ends of a string, in place. */
#include <string.h>

int trim(char *text)
{
    if (!text) return -1;
    size_t start = 0, end = strlen(text);
    while (text[start] == ' ') start++;
    while (end > start && text[end - 1] == ' ') end--;
    memmove(text, text + start, end - start);
    text[end - start] = '\0';
    return (int)(end - start);
}
