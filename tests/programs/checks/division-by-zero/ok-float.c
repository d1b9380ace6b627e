/* clew run
 * exit: 0
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    double zero = argc - 1;
    float fzero = argc - 1;
    printf("%f %f %d\n", 1 / zero, -1 / fzero, zero / zero == zero / zero);
    return 0;
}
