/* clew test --guide none
 * branches: 47 of 48
 * infeasible: 68 false
 * proved: at least 0
 * bug: assertion 25
 * bug: assertion 32
 * bug: assertion 40
 * bug: assertion 50
 * bug: assertion 59
 * bug: assertion 81
 * bug: assertion 90
 * bug: assertion 98
 * bug: assertion 106
 * bug: assertion 108
 *
 * Ten functions whose verifier was right: assertions fail only where something that the verdict rests on does not hold.  These failures are assertions like
 * any other, and no verdict is reported as wrong. */
#include <clew.h>
#include <limits.h>

int deposit(int balance, int amount)
{
    CLEW_ASSUMED(amount >= 0 && balance <= INT_MAX - amount, no_overflow);
    int sum = (int)((unsigned)balance + (unsigned)amount);
    CLEW_ASSERT_VERIFIED(sum >= balance, no_overflow); /* fails */
    return sum;
}

int percent(int part)
{
    CLEW_ASSUMED(part >= 0 && part <= 100, in_range);
    CLEW_ASSERT_VERIFIED(part >= 0 && part <= 100, in_range); /* fails */
    return part;
}

unsigned next_slot(unsigned slot, unsigned slots)
{
    CLEW_ASSUMED(slot < slots, in_range);
    unsigned next = slot + 1 == slots ? 0 : slot + 1;
    CLEW_ASSERT_VERIFIED(next < slots, in_range); /* fails */
    return next;
}

int assign(int same)
{
    int x = 1, y = 2, *q = same ? &x : &y;
    CLEW_ASSUMED(&x != q, no_alias);
    x = 5;
    *q = 6;
    CLEW_ASSERT_VERIFIED(x == 5, no_alias); /* fails */
    return x;
}

int area(int width, int height)
{
    CLEW_ASSUMED(width >= 0 && width < 1000, small_width);
    CLEW_ASSUMED(height >= 0 && height < 1000, small_height);
    unsigned result = (unsigned)width * (unsigned)height;
    CLEW_ASSERT_VERIFIED(result < 1000000, small_width && small_height); /* fails */
    return (int)result;
}

int sum_positive(unsigned char a, unsigned char b, unsigned char c)
{
    const unsigned char bytes[] = {a, b, c};
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += bytes[i] > 0;
    CLEW_ASSERT_VERIFIED(sum > 0 || (a | b | c) == 0, true);
    return sum;
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

int level(int value, int low, int high)
{
    CLEW_ASSUMED(low <= high, in_order);
    int result = clamp(value, low, high);
    CLEW_ASSERT_VERIFIED(result >= low && result <= high, in_order); /* fails */
    return result;
}

int advance(int state, int event)
{
    CLEW_ASSUMED(state >= 0 && state < 3, known_state);
    CLEW_ASSUMED(event != 7, known_event);
    if (event == 7) state = 3;
    CLEW_ASSERT_VERIFIED(state < 3, known_state && known_event); /* fails */
    return state;
}

int distance(int a)
{
    CLEW_ASSUMED(a != INT_MIN, not_least);
    int result = (int)(a < 0 ? 0u - (unsigned)a : (unsigned)a);
    CLEW_ASSERT_VERIFIED(result >= 0, false || not_least); /* fails */
    return result;
}

unsigned char tally(unsigned char count, int again)
{
    CLEW_ASSUMED(count < 254, not_full);
    count++;
    CLEW_ASSERT_VERIFIED(count > 0, not_full); /* fails */
    if (again) count++;
    CLEW_ASSERT_VERIFIED(count > 0, not_full); /* fails */
    return count;
}
