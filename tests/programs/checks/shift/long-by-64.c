/* clew run
 * stdout: 64\n
 * bug: shift 12
 */
#include <stdio.h>

int main(void)
{
    unsigned long mask = 0;
    int n = 0;
    for (int i = 0; i <= 64; i++) {
        mask |= 1ul << i;
        n = i;
    }
    printf("%d\n", n);
    return 0;
}
