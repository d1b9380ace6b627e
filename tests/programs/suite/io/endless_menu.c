/* clew test
 * branches: 12 of 12
 * covered: at least 10
 *
 * A menu that is shown again for ever once the input has ended: such a run is over when its state comes again, and its test does not wait for an end. */
#include <stdio.h>
int main(void)
{
    int choice = 0, flag = 1, total = 0, n = 1;
    while (flag) {
        printf("menu\n1: add\n2: show\n0: end\n");
        scanf("%d", &choice);
        switch (choice) {
        case 0: flag = 0; break;
        case 1: scanf("%d", &n); total ^= n; break;
        case 2: printf("%d\n", total); if (total == 77) puts("lucky"); break;
        }
        if (choice == 7 && total == 3) puts("seven");
    }
    return 0;
}
