/* clew run
 * stdout: waiting\n
 * bug: no-progress 11
 */
#include <stdio.h>

int main(void)
{
    puts("waiting");
    fflush(stdout);
    for (;;);
}
