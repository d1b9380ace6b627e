/* clew test --string digits:5
 * branches: 14 of 14
 * tests: at most 10
 *
 * The check digit of card numbers. */
#include <string.h>

int luhn(const char *digits)
{
    int sum = 0, twice = 0;
    if (!digits) return -1;
    for (size_t i = strlen(digits); i > 0; i--) {
        char c = digits[i - 1];
        if (c < '0' || c > '9') return -2;
        int value = c - '0';
        if (twice) value *= 2;
        if (value > 9) value -= 9;
        sum += value;
        twice = !twice;
    }
    if (sum % 10 == 0) return 1;
    return 0;
}
