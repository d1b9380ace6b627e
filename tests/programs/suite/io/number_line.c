/* clew test --stdin 5
 * branches: 12 of 12
 * tests: at most 12
 *
 * One line with a number in it, read by fgets and strtol. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char line[16], *end;
    if (!fgets(line, sizeof line, stdin)) return 1;
    long number = strtol(line, &end, 10);
    if (end == line) return 2;
    if (*end != '\n' && *end != '\0') return 3;
    if (number >= 100 && number < 200) puts("in range");
    return 0;
}
