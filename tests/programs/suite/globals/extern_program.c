/* clew test
 * branches: 4 of 4
 * bug: signed-overflow 15
 * tests: at most 4
 *
 * A whole program with variables that nothing defines: they are inputs, as those of a function are. */
#include <clew.h>

extern volatile unsigned char PORT;
extern const int factor;

int main(void)
{
    PORT = clew_int("x") > 5;
    if (PORT) return 1 + factor;
    if (clew_int("y") == 3) return 2;
    return 0;
}
