/* clew test
 * branches: 10 of 10
 *
 * A decimal number of standard input with exactly nine digits, of which three are sevens. */
#include <stdio.h>

int main(void)
{
    int digits = 0, sevens = 0;
    for (;;) {
        int c = getchar();
        if (c < '0' || c > '9') break;
        digits++;
        if (c == '7') sevens++;
    }
    if (digits == 9 && sevens == 3) return 1;
    return 0;
}
