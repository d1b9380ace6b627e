/* clew explore
 * seeds: 3
 * branches: 6 of 6
 * complete: yes
 *
 * The machine reserves more or less for a block whose size is an input: paths with different reserves are different paths. */
#include <clew.h>
#include <stdlib.h>

int main(void)
{
    int a = clew_int("a"), b = clew_int("b");
    unsigned size = clew_uint("size");
    if (b < 20) a |= 1;
    if (size > 3000) return 1;
    char *text = malloc(size + 1);
    text[size] = 1;
    return a > 100 ? 2 : 0;
}
