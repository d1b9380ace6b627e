/* inputs: 4 4
 * Assumptions and assertions under their three names.
 * reports: assertion 13 */
#include <assert.h>
#include <clew.h>

void klee_assume(unsigned long condition);
void __VERIFIER_assume(int condition);
int test(unsigned a, unsigned b)
{
    clew_assume(a + b != 9);
    if (a > 6) klee_assume(b < 5);
    assert(a * b != 42 || a == 7);
    __VERIFIER_assume((a ^ b) & 3);
    if (a + b == 10) return 1;
    return (int)(a * 16 + b);
}
