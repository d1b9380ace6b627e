/* Money, stock and rates: assertions about ranges and about how results relate to what they were computed from. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

static int balance, reserved, highest, rejected;

void deposit(int amount)
{
    int before = balance;
    if (amount <= 0 || amount > 50000) {
        rejected++;
    } else {
        balance = balance + amount;
        if (balance > highest) highest = balance;
    }
    assert(balance >= before);
}

bool withdraw(int amount)
{
    int before = balance;
    if (amount <= 0) return false;
    if (balance - reserved < amount) return false;
    balance -= amount;
    assert(balance < before);
    assert(balance >= reserved);
    return true;
}

void reserve(int amount)
{
    if (amount < 0) return;
    if (reserved + amount > balance) return;
    reserved += amount;
    assert(reserved >= amount);
    assert(reserved <= balance);
}

int total_with_tax(int net, int percent)
{
    if (net < 0 || percent < 0 || percent > 100) return -1;
    int tax = net * percent / 100, total = net + tax;
    assert(tax >= 0);
    assert(tax <= net);
    assert(total >= net);
    return total;
}

int discounted(int price, int pieces)
{
    int percent = 0;
    if (price <= 0 || pieces <= 0) return 0;
    if (pieces >= 100) percent = 20;
    else if (pieces >= 10) percent = 5;
    int full = price * pieces, reduced = full - full / 100 * percent;
    assert(percent <= 20);
    assert(reduced <= full);
    assert(reduced > 0);
    return reduced;
}

int midpoint(int low, int high)
{
    if (low > high) return low;
    int middle = (low + high) / 2;
    assert(middle >= low);
    assert(middle <= high);
    return middle;
}

int rescale(int value, int low, int high)
{
    if (high <= low) return 0;
    if (value < low) value = low;
    if (value > high) value = high;
    int range = high - low, offset = value - low;
    assert(range > 0);
    assert(offset >= 0 && offset <= range);
    int percent = offset * 100 / range;
    assert(percent >= 0 && percent <= 100);
    return percent;
}

unsigned average(const unsigned *values, size_t count)
{
    unsigned sum = 0, largest = 0;
    if (!count) return 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        if (values[i] > largest) largest = values[i];
    }
    assert(sum / count <= largest);
    return (unsigned)(sum / count);
}

int order_more(int stock, int minimum, int pack)
{
    int packs = 0;
    if (pack <= 0 || stock < 0 || minimum < 0) return 0;
    if (stock < minimum) packs = (minimum - stock + pack - 1) / pack;
    assert(packs >= 0);
    assert(stock + packs * pack >= minimum);
    return packs;
}
