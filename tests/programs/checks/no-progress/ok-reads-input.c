/* clew run
 * stdin: \n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nx
 * exit: 0
 */
#include <stdio.h>

int main(void)
{
    int c;
    while ((c = getchar()) == '\n');
    return c != 'x';
}
