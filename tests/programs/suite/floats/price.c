/* clew test
 * branches: 8 of 8
 * bug: assertion 14
 * complete: yes
 * tests: at most 8
 *
 * Adding a tax always makes a price larger, or does it? */
#include <assert.h>

int costly(float net, float rate)
{
    if (!(net > 0) || !(rate > 0)) return -1;
    float gross = net + net * rate;
    assert(gross > net);
    if (gross > 1000) return 1;
    return 0;
}
