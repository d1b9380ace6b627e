/* Comparisons whose results are values, without a branch of the program. */
#include <clew.h>

int main(void)
{
    unsigned x = clew_uint("x"), y = clew_uint("y");
    for (int i = 0; i < 150000; i++) {
        unsigned less = x < y, mask = -less;
        x = (x + (y & mask)) ^ (i * 7u);
        y = (y - (x & ~mask)) + (y == x);
    }
    return clew_is_symbolic(x + y) == 0;
}
