/* clew test
 * branches: 8 of 8
 * bug: signed-overflow 19
 * complete: yes
 * tests: at most 10
 *
 * The limit is looked at after the sum was made, and the sum may not exist. */
#include <stdbool.h>

struct account {
    int balance, limit;
    bool frozen;
};

int deposit(struct account *account, int amount)
{
    if (!account || account->frozen) return -1;
    if (amount <= 0) return -2;
    account->balance += amount;
    if (account->balance > account->limit) return 1;
    return 0;
}
