/* clew test --stdin 6
 * branches: 6 of 6
 * bug: out-of-bounds 17
 * tests: at most 4
 *
 * A line is read into a buffer with room for all of its characters, but not for its end. */
#include <stdio.h>

int main(void)
{
    char line[4];
    unsigned length = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (length < sizeof line) line[length++] = (char)c;
    }
    line[length] = '\0';
    puts(line);
    return 0;
}
