/* clew test --stdin 7
 * branches: 20 of 20
 * tests: at most 12
 *
 * A sentence of a positioning receiver: $ characters * and two hexadecimal digits of their exclusive or. */
#include <stdio.h>

static int digit(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

int main(void)
{
    int c, sum = 0;
    if (getchar() != '$') return 1;
    while ((c = getchar()) != '*') {
        if (c == EOF) return 2;
        sum ^= c;
    }
    int high = digit(getchar()), low = digit(getchar());
    if (high < 0 || low < 0) return 3;
    if (high * 16 + low != sum) return 4;
    puts("valid");
    return 0;
}
