/* clew run
 * stdout: fits\n
 * bug: out-of-bounds 14
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char name[6];
    strcpy(name, "Clew!");
    puts("fits");
    fflush(stdout);
    strcpy(name, "Clew!?");
    return 0;
}
