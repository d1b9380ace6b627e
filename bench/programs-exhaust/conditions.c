/* Sixteen conditions that have nothing to do with each other: 2^16 = 65,536 paths. */
#include <clew.h>

enum { CONDITIONS = 16 };

int main(void)
{
    int values[CONDITIONS];
    unsigned count = 0;
    clew_make_symbolic(values, sizeof values, "values");
    for (int i = 0; i < CONDITIONS; i++)
        if (values[i] > 10 * i) count++;
    return count == CONDITIONS;
}
