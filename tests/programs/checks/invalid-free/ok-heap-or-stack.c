/* clew run
 * exit: 0
 */
#include <stdlib.h>
#include <string.h>

static int sum(int n)
{
    char small[16], *p = n > 16 ? malloc(n) : small;
    memset(p, 1, n);
    int total = 0;
    for (int i = 0; i < n; i++) total += p[i];
    if (p != small) free(p);
    return total;
}

int main(void)
{
    return sum(16) + sum(17) + sum(0) - 33;
}
