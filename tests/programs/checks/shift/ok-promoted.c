/* clew run
 * exit: 0
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    unsigned char c = 3;
    short s = 5;
    int n = 9 * argc;
    c <<= n;
    printf("%d %d %d\n", c, s << 20, (unsigned char)200 >> n);
    return 0;
}
