/* clew test -fwrapv
 * branches: 8 of 8
 * bug: assertion 25
 * complete: yes
 * tests: at most 8
 *
 * An account that is right as long as a sum does not overflow (after the example of guiding tests toward what was not verified).  The flag
 * says that sums wrap; all but one of the tests are what a proof under the assumption that none does would have made needless. */
#include <assert.h>

int balance;

void review(int amount);
void suggest_investment(void);

void deposit(int amount)
{
    int before = balance;
    if (amount <= 0 || amount > 50000) {
        review(amount);
    } else {
        balance = balance + amount;
        if (balance > 10000) suggest_investment();
    }
    assert(balance >= before);
}
