/* clew test
 * branches: 0 of 4
 * verified: 16 true
 * verified: 16 false
 * verified: 17 true
 * verified: 17 false
 * tests: at most 0
 *
 * Everything is verified without an assumption, so nothing is left to test. */
#include <clew.h>

int clamp(int value, int low, int high)
{
    int result = value;
    CLEW_ASSERT_VERIFIED(result == value, true);
    if (result < low) result = low;
    if (result > high) result = high;
    CLEW_ASSERT_VERIFIED(result <= high, true);
    return result;
}
