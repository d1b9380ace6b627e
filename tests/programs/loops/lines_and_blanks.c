/* clew test
 * branches: 10 of 10
 *
 * Standard input with twelve lines and thirty blanks. */
#include <stdio.h>

int main(void)
{
    int c, lines = 0, blanks = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n') lines++;
        else if (c == ' ') blanks++;
    }
    if (lines == 12 && blanks == 30) return 1;
    return 0;
}
