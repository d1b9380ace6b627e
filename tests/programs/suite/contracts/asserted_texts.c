/* clew test --strict --work 100
 * branches: 12 of 12
 * bug: assertion 17
 * bug: assertion 23
 * bug: assertion 24
 * bug: assertion 26
 * complete: yes
 * The texts in the assertions are constants, and so no branches, as gcov has it: each condition has two outcomes. */
#include <assert.h>
#include <stdlib.h>

#define HOLDS(condition) assert((condition) && "it holds")
#define NEEDS(condition, text) ((condition) && (text) ? (void)0 : exit(1))

int after(const int *p)
{
    assert(p && "p is given");
    return p[0] < 5 ? 1 : 0;
}

int among(int n)
{
    HOLDS(n != 7);
    assert("a text before" && n != 4);
    NEEDS(n < 5, "small");
    if (n == 3) assert(!"unreachable");
    return n;
}
