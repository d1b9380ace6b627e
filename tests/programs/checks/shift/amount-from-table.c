/* clew run
 * stdout: 4\n
 * bug: shift 14
 */
#include <stdio.h>

static const unsigned char amounts[] = {0, 7, 31, 200};

int main(void)
{
    volatile unsigned all = 0;
    int n = 0;
    for (; n < 4; n++)
        all ^= 0x12345678u >> amounts[n];
    printf("%d\n", n);
    return 0;
}
