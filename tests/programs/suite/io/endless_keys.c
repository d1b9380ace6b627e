/* clew test --stdin 2
 * branches: 10 of 10
 * complete: yes
 *
 * A menu of single keys that is shown again for ever once the input has ended, so all paths are known only if such runs are seen to go round. */
#include <stdio.h>

int main(void)
{
    int total = 0, key = 0;
    while (key != 'q') {
        printf("total %d\n+, q\n", total & 1);
        key = getchar();
        switch (key) {
        case '+': total ^= 1; break;
        case 'q': puts("end"); break;
        case EOF: break;
        default: puts("?");
        }
        if (total == 1 && key == 'q') puts("odd");
    }
    return 0;
}
