/* clew run
 * bug: uninitialized 9
 */
#include <stdio.h>

int main(void)
{
    int a[2], b[2];
    if (a[0] == b[0]) puts("the same");
    return 0;
}
