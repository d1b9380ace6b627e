/* clew run
 * exit: 0
 */
#include <string.h>

int main(void)
{
    int a[7] = {1, 2, 3, 4, 5, 6, 7}, sum = 0;
    int *end = a + 7;
    for (int *p = a; p != end; p++) sum += *p;
    for (int *p = end; p-- > a;) sum -= *p;
    memcpy(end, end, 0);
    memmove(a + 7, a, 0);
    return sum + (int)(end - a) - 7;
}
