/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char a[8], b[4];
    strncpy(a, "12345678", 8);
    strncpy(b, "x", 4);
    int n = snprintf(b, sizeof b, "%d", 123456);
    char c[12] = "";
    strncat(c, a, 8);
    memmove(a + 1, a, 7);
    return !(n == 6 && strcmp(b, "123") == 0 && strlen(c) == 8 && memcmp(a, "11234567", 8) == 0 && memchr(a, '7', 8) == a + 7);
}
