/* clew test -fwrapv
 * branches: 10 of 16
 * verified: 18 false
 * verified: 18 true
 * verified: 18 true
 * verified: 25 true
 * verified: 26 true
 * verified: 26 false
 * bug: assertion 23
 *
 * What is assumed in each turn of a loop: the assertion inside is verified as long as all prices were small.  With a large one the sum is not 0. */
#include <clew.h>
#include <limits.h>

int total(const int *prices, int count, int *discounts)
{
    int sum = 0;
    if (!prices || count < 0 || count > 4) return -1;
    for (int i = 0; i < count; i++) {
        CLEW_ASSUMED(prices[i] < 1000, small);
        int before = sum;
        if (prices[i] > 0) sum += prices[i];
        CLEW_ASSERT_VERIFIED(sum >= before, small);
    }
    if (discounts && sum == 0) {
        if (*discounts > 3) *discounts = 3;
    }
    return sum;
}
