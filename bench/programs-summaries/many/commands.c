/* Commands are looked up in a table of function pointers and change an account. */
#include <clew.h>
#include <stddef.h>

#define COUNT 4

struct account {
    int balance, limit, locked;
};

typedef int (*handler)(struct account *a, int amount);

static int deposit(struct account *a, int amount)
{
    if (amount <= 0) return -1;
    if (amount > 10000) return -2;
    a->balance += amount;
    return 0;
}

static int withdraw(struct account *a, int amount)
{
    if (amount <= 0) return -1;
    if (a->balance - amount < -a->limit) return -3;
    a->balance -= amount;
    return 0;
}

static int set_limit(struct account *a, int amount)
{
    if (amount < 0 || amount > 500) return -4;
    a->limit = amount;
    return 0;
}

static int lock(struct account *a, int amount)
{
    a->locked = amount != 0;
    return 0;
}

static const struct {
    char name;
    handler run;
} table[] = {{'d', deposit}, {'w', withdraw}, {'l', set_limit}, {'x', lock}};

static handler find(char name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].name == name) return table[i].run;
    return NULL;
}

int main(void)
{
    struct account a = {100, 0, 0};
    int failures = 0;
    for (int i = 0; i < COUNT; i++) {
        handler run = find(clew_char("command"));
        if (!run) return 1;
        if (a.locked && run != lock) return 2;
        if (run(&a, clew_int("amount")) < 0) failures++;
    }
    if (failures > 2) return 3;
    clew_assert(a.balance >= -a.limit); /* the limit may be lowered below the debt */
    return 0;
}
