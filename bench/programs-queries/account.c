/* Bank accounts in cents: transfers with fees, interest by 64-bit products and exact divisions, a matrix of exchange rates. */
#include <clew.h>
#include <stdint.h>

enum { CURRENCIES = 3, RATE = 1000000, LIMIT = 1000000000 }; /* ten million units */

enum refusal { DONE, NO_AMOUNT, NO_COVER, TOO_LARGE, NO_CURRENCY };

struct account {
    int64_t balance, credit; /* credit: how far below zero it may go */
    unsigned currency;
    int transfers;
};

/* Units of the column's currency for a million of the row's. */
static const int64_t rates[CURRENCIES][CURRENCIES] = {
    {1000000, 1087500, 157230000},
    {919540, 1000000, 144580000},
    {6360, 6917, 1000000},
};

static int64_t round_half_even(int64_t numerator, int64_t denominator)
{
    int64_t quotient = numerator / denominator, rest = numerator % denominator;
    int64_t sign = numerator < 0 ? -1 : 1;
    if (rest < 0) rest = -rest;
    if (2 * rest > denominator || (2 * rest == denominator && quotient % 2 != 0)) quotient += sign;
    return quotient;
}

static int64_t fee(int64_t amount, int transfers)
{
    if (transfers < 2) return 0;
    int64_t fee = round_half_even(amount * 15, 10000);
    return fee < 50 ? 50 : fee > 2500 ? 2500 : fee;
}

static enum refusal transfer(struct account *from, struct account *to, int64_t amount)
{
    if (amount <= 0) return NO_AMOUNT;
    if (amount > LIMIT) return TOO_LARGE;
    if (from->currency >= CURRENCIES || to->currency >= CURRENCIES) return NO_CURRENCY;
    int64_t cost = amount + fee(amount, from->transfers);
    if (from->balance + from->credit < cost) return NO_COVER;
    from->balance -= cost;
    from->transfers++;
    to->balance += round_half_even(amount * rates[from->currency][to->currency], RATE);
    return DONE;
}

/* Interest for some days, in hundredths of a percent a year; what is owed costs twice as much. */
static int64_t interest(const struct account *a, int days, int rate)
{
    int64_t year = 360 * 10000;
    if (a->balance >= 0) return round_half_even(a->balance * rate * days, year);
    return round_half_even(a->balance * rate * days * 2, year);
}

int main(void)
{
    struct account a = {.balance = clew_long("a"), .credit = 50000, .transfers = clew_range(0, 4, "transfers")};
    struct account b = {.balance = clew_long("b"), .currency = clew_uint("currency")};
    int64_t amount = clew_long("amount");
    int days = clew_range(0, 366, "days"), rate = clew_range(0, 1500, "rate");
    clew_assume(a.balance >= -a.credit && a.balance <= LIMIT);
    clew_assume(b.balance >= 0 && b.balance <= LIMIT);
    enum refusal refusal = transfer(&a, &b, amount);
    if (refusal != DONE) return (int)refusal;
    clew_assert(a.balance >= -a.credit);
    int64_t gain = interest(&a, days, rate);
    clew_assert((gain >= 0) == (a.balance >= 0) || gain == 0);
    if (gain == 123456) return 10;
    if (b.currency == 2 && b.balance % 100 == 7) return 11;
    if (a.balance < 0 && a.balance + gain < -a.credit) return 12;
    return a.balance == 0 ? 13 : 14;
}
