/* clew explore --search bfs
 * seeds: 5
 * branches: 16 of 16
 * bug: abort 15
 *
 * The real function ends the program for some arguments, which is found out by running it.  A path that was to go further is then tried with
 * other arguments. */
#include <clew.h>
#include <stdlib.h>

CLEW_CONCRETE int scramble(int x);

int scramble(int x)
{
    if (x >= 5 && x < 60) abort();
    return (x * 37) & 127;
}

int main(void)
{
    unsigned char a = clew_uchar("a"), b = clew_uchar("b"), c = clew_uchar("c");
    int y = scramble(a);
    if (b == 7) y++;
    if (a > 4) y += 2;
    if (a > 20) y += 3;
    if (c + a == 40) y += 3;
    if (y > 100) return 1;
    if (y == 37 + b) return 2;
    return 0;
}
