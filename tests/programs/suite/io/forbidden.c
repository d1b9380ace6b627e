/* clew test --stdin 3
 * branches: 8 of 8
 * bug: abort 20
 * complete: yes
 * tests: at most 6
 *
 * A byte that nobody thought of ends the program the hard way. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c, digits = 0;
    while ((c = getchar()) != EOF) {
        switch (c) {
        case '0':
        case '1': digits++; break;
        case ' ': break;
        case 'q': return digits;
        case 0x7f: abort();
        default: return 50;
        }
    }
    return 60;
}
