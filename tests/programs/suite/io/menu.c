/* clew test --stdin 4
 * branches: 8 of 8
 * tests: at most 8
 *
 * A menu that is read with scanf. */
#include <stdio.h>

int main(void)
{
    int choice, total = 0;
    while (scanf("%d", &choice) == 1) {
        switch (choice) {
        case 0: return total;
        case 1: total++; break;
        case 2: total += 10; break;
        default: return 100;
        }
    }
    if (!feof(stdin)) return 101;
    return 102;
}
