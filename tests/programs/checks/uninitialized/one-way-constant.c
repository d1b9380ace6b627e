/* clew run
 * exit: 4
 * bug: uninitialized 11
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    int found;
    if (argc > 5) found = 1;
    if (found == 1) puts("found");
    return argv ? 4 : 5;
}
