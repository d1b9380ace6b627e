/* clew test --stdin 4
 * branches: 12 of 12
 * complete: yes
 * tests: at most 4
 *
 * Counts lines and words of standard input. */
#include <stdio.h>

int main(void)
{
    int c, lines = 0, words = 0, inside = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n') lines++;
        if (c == ' ' || c == '\n') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    if (words == 0) {
        puts("nothing");
        return 1;
    }
    printf("%d %d\n", lines, words);
    return 0;
}
