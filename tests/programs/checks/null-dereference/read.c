/* clew run
 * stdout: before\n
 * bug: null-dereference 12
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    int *p = argc > 100 ? &argc : 0;
    printf("before\n");
    fflush(stdout);
    return *p;
}
