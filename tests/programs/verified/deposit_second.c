/* clew test --function deposit -fwrapv
 * branches: 6 of 6
 * bug: assertion 33
 * bug: assertion 34
 *
 * Figure 4 of the paper: one more assertion at the end is not verified at all, so every execution is unverified and none is left out. */
#include <clew.h>
#include <limits.h>

static int balance, reviews, suggestions;

static void review_deposit(int amount)
{
    if (amount > 100000) reviews = 1;
    else if (amount < -5) reviews = 2;
}

static void suggest_investment(void)
{
    if (suggestions < 10) suggestions = 10;
}

void deposit(int amount)
{
    CLEW_OLD(before, balance);
    if (amount <= 0 || amount > 50000) {
        review_deposit(amount);
    } else {
        CLEW_ASSUMED(balance <= INT_MAX - amount, no_overflow);
        balance = balance + amount;
        if (balance > 10000) suggest_investment();
    }
    CLEW_ASSERT_VERIFIED(balance >= before, no_overflow);
    CLEW_ASSERT_VERIFIED(reviews <= 2, false);
}
