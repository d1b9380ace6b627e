/* clew run
 * stdout: 3\n
 * bug: out-of-bounds ring.c:9
 */
#include <stdio.h>

int ring_get(int i);
void ring_put(int value);

int main(void)
{
    for (int i = 0; i < 4; i++) ring_put(i);
    printf("%d\n", ring_get(3));
    fflush(stdout);
    return ring_get(-1);
}
