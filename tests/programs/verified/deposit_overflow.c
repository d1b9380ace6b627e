/* clew test --function deposit
 * branches: 2 of 6
 * verified: 30 true
 * verified: 30 true
 * verified: 35 true
 * verified: 35 false
 * bug: signed-overflow 34
 * tests: at most 0
 *
 * The method Deposit of the paper in a language where the overflow itself is a fault: the one test that is left shows it. */
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
