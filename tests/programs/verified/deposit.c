/* clew test --function deposit -fwrapv
 * branches: 3 of 6
 * verified: 30 true
 * verified: 30 true
 * verified: 35 true
 * bug: assertion 37
 * tests: at most 0
 *
 * Figures 1 to 3 of the paper: the assertion is verified if the addition does not overflow.  What is left to test is the overflow.
 * The two outcomes at line 30 are those of `amount <= 0` and of `amount > 50000`. */
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
}
