/* clew test --guide none
 * branches: 4 of 4
 *
 * The same results do nothing if they are not wanted. */
#include <clew.h>

int clamp(int value, int low, int high)
{
    int result = value;
    if (result < low) result = low;
    if (result > high) result = high;
    CLEW_ASSERT_VERIFIED(result <= high, true);
    return result;
}
