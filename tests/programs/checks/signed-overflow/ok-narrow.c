/* clew run
 * exit: 0
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    signed char c = 127;
    short s = 32767;
    c += argc;
    s++;
    s *= s;
    unsigned short m = 40000;
    printf("%d %d %u\n", c, s, (unsigned)(m * 2));
    return 0;
}
