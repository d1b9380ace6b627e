/* clew test
 * branches: 4 of 4
 * precondition: share: !isnan(part)
 *
 * A condition that a function asserts of its parameters with the help of a macro or another function stands there as it is. */
#include <assert.h>
#include <math.h>

double share(double part)
{
    assert(!isnan(part));
    return part > 1 ? 1 : part;
}
