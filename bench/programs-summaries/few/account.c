/* Two accounts and a transfer between them; a negative amount slips through. */
#include <clew.h>
#include <stdbool.h>

typedef struct Account {
    int balance;
    bool is_closed;
} Account;

static bool can_pay(const Account *account, int amount)
{
    return !account->is_closed && account->balance >= amount;
}

static bool withdraw(Account *account, int amount)
{
    if (!can_pay(account, amount)) return false;
    account->balance -= amount;
    return true;
}

static bool deposit(Account *account, int amount)
{
    if (account->is_closed) return false;
    account->balance += amount;
    return true;
}

static bool transfer(Account *from, Account *to, int amount)
{
    if (amount > 500) return false;
    if (!withdraw(from, amount)) return false;
    if (deposit(to, amount)) return true;
    deposit(from, amount);
    return false;
}

int main(void)
{
    Account ours = {clew_range(0, 1000, "ours"), clew_bool("ours closed")};
    Account theirs = {clew_range(0, 1000, "theirs"), clew_bool("theirs closed")};
    bool is_done = transfer(&ours, &theirs, clew_range(-100, 2000, "amount"));
    clew_assert(theirs.balance >= 0);
    return is_done ? 0 : 1;
}
