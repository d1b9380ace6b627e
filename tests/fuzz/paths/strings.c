/* inputs: 3 3 2
 * The library's string functions on symbolic bytes. */
#include <stdlib.h>
#include <string.h>

int test(unsigned a, unsigned b, unsigned c)
{
    char text[6] = "-+17x";
    text[0] = (char)('0' + a);
    text[1] = (char)(b < 2 ? 0 : '0' + b);
    text[2] = c == 3 ? ' ' : (char)('a' + c);
    if (strcmp(text, "35b7x") == 0) return 1;
    if (strlen(text) == 1) return 2 + atoi(text);
    char copy[8];
    memcpy(copy, text, sizeof text);
    char *found = strchr(copy, '6');
    if (found) return 100 + (int)(found - copy);
    return atoi(copy) + (memcmp(copy, "4444", 2) < 0 ? 1000 : 2000);
}
