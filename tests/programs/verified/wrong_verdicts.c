/* clew test --guide none
 * branches: 42 of 42
 * bug: assertion 29
 * bug: wrong-verdict 29
 * bug: assertion 37
 * bug: wrong-verdict 37
 * bug: assertion 46
 * bug: wrong-verdict 46
 * bug: wrong-verdict 57
 * bug: assertion 67
 * bug: wrong-verdict 67
 * bug: wrong-verdict 77
 * bug: wrong-verdict 90
 * bug: assertion 99
 * bug: wrong-verdict 99
 * bug: wrong-verdict 107
 * bug: assertion 116
 * bug: wrong-verdict 118
 *
 * Ten functions whose verifier was wrong: the assertion fails in an execution in which all that the verdict rests on has held. */
#include <clew.h>
#include <limits.h>

/* A negative amount is forgotten. */
int deposit(int balance, int amount)
{
    CLEW_ASSUMED(amount <= 0 || balance <= INT_MAX - amount, no_overflow);
    int sum = (int)((unsigned)balance + (unsigned)amount);
    CLEW_ASSERT_VERIFIED(sum >= balance, no_overflow); /* wrong */
    return sum;
}

/* The lower bound is forgotten. */
int percent(int part)
{
    CLEW_ASSUMED(part <= 100, at_most_hundred);
    CLEW_ASSERT_VERIFIED(part >= 0 && part <= 100, at_most_hundred); /* wrong */
    return part;
}

/* The result may be the limit itself. */
unsigned next_slot(unsigned slot, unsigned slots)
{
    CLEW_ASSUMED(slot < slots, in_range);
    unsigned next = slot + 1;
    CLEW_ASSERT_VERIFIED(next < slots, in_range); /* wrong */
    return next;
}

/* `x` and `*q` may be the same object: the verdict does not name the assumption that it needs. */
int assign(int same)
{
    int x = 1, y = 2, *q = same ? &x : &y;
    CLEW_ASSUMED(&x != q, no_alias);
    x = 5;
    *q = 6;
    CLEW_ASSERT_VERIFIED(x == 5, true); /* wrong */
    return x;
}

/* One of the two assumptions is not enough. */
int area(int width, int height)
{
    CLEW_ASSUMED(width >= 0 && width < 1000, small_width);
    CLEW_ASSUMED(height >= 0 && height < 1000, small_height);
    unsigned result = (unsigned)width * (unsigned)height;
    CLEW_ASSERT_VERIFIED(result < 1000000, small_width || small_height); /* wrong */
    return (int)result;
}

/* The last element is left out by the loop. */
int sum_positive(unsigned char a, unsigned char b, unsigned char c)
{
    const unsigned char bytes[] = {a, b, c};
    int sum = 0;
    for (int i = 0; i < 2; i++) sum += bytes[i] > 0;
    CLEW_ASSERT_VERIFIED(sum > 0 || (a | b | c) == 0, true); /* wrong */
    return sum;
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* The helper's result is within its bounds only if they are in order. */
int level(int value, int low, int high)
{
    int result = clamp(value, low, high);
    CLEW_ASSERT_VERIFIED(result >= low && result <= high, true); /* wrong */
    return result;
}

/* A state that the verifier took for impossible. */
int advance(int state, int event)
{
    CLEW_ASSUMED(state >= 0 && state < 3, known_state);
    if (event == 7) state = 3;
    CLEW_ASSERT_VERIFIED(state < 3, known_state); /* wrong */
    return state;
}

/* The absolute value of the least number is negative. */
int distance(int a)
{
    int result = (int)(a < 0 ? 0u - (unsigned)a : (unsigned)a);
    CLEW_ASSERT_VERIFIED(result >= 0, true); /* wrong */
    return result;
}

/* An assumption that holds at the first assertion says nothing of what is changed later. */
unsigned char tally(unsigned char count, int again)
{
    CLEW_ASSUMED(count < 255, not_full);
    count++;
    CLEW_ASSERT_VERIFIED(count > 0, not_full);
    if (again) count++;
    CLEW_ASSERT_VERIFIED(count > 0, not_full); /* wrong */
    return count;
}
