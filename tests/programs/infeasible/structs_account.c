/* clew test
 * branches: 44 of 60
 * infeasible: 45 true
 * infeasible: 45 true
 * infeasible: 46 true
 * infeasible: 55 true
 * infeasible: 85 true
 * infeasible: 86 true
 * infeasible: 87 true
 * infeasible: 88 true
 * infeasible: 89 true
 * infeasible: 90 true
 * infeasible: 91 true
 * infeasible: 92 true
 * infeasible: 93 true
 * infeasible: 95 true
 * infeasible: 96 false
 * infeasible: 97 true
 * proved: at least 12
 *
 * Accounts with a limit: balances, holds and the sum over all accounts keep their relations through deposits, transfers and holds. */
extern int __VERIFIER_nondet_int(void);

enum kind { CHECKING, SAVINGS, CLOSED };
struct account {
    enum kind kind;
    int balance, held;
    unsigned char flags;
};
#define FROZEN 1
#define AUDITED 2

static struct account accounts[2] = {{CHECKING, 100, 0, 0}, {SAVINGS, 50, 0, AUDITED}};
static int total = 150;

static int clamp_amount(int amount)
{
    if (amount < 1) return 1;
    if (amount > 1000) return 1000;
    return amount;
}

static int deposit(struct account *a, int amount)
{
    if (amount < 1 || amount > 1000) return -2;
    if (a->kind == CLOSED) return -3;
    if (a->balance > 5000) return -1;
    a->balance += amount;
    total += amount;
    return 0;
}

static int transfer(struct account *from, struct account *to, int amount)
{
    if (from == to) return -2;
    if (from->flags & FROZEN) return -1;
    if (from->balance - from->held < amount) return -1;
    if (to->balance > 5000) return -1;
    from->balance -= amount;
    to->balance += amount;
    return 0;
}

static int hold(struct account *a, int amount)
{
    if (a->held != 0) {
        a->held = 0;
        return 0;
    }
    if (amount > a->balance) return -1;
    a->held = amount;
    return 1;
}

int main(void)
{
    for (int turn = 0; turn < 10; turn++) {
        int command = __VERIFIER_nondet_int(), amount = clamp_amount(__VERIFIER_nondet_int()), status = 0;
        int which = __VERIFIER_nondet_int() & 1;
        struct account *a = &accounts[which], *b = &accounts[1 - which];
        if (command == 0) status = deposit(a, amount);
        else if (command == 1) status = transfer(a, b, amount);
        else if (command == 2) status = hold(a, amount);
        else if (command == 3) a->flags ^= FROZEN;
        if (status < -1) return 1;
        if (status > 1) return 2;
        if (status == 1 && command != 2) return 3;
        if (a->flags > 3) return 4;
        if (a->balance < 0) return 5;
        if (a->balance > 6000) return 6;
        if (a->held > 1000) return 7;
        if (a->held > a->balance) return 8;
        if (accounts[0].balance + accounts[1].balance != total) return 9;
    }
    if (accounts[1].kind == CHECKING) return 10;
    if (!(accounts[1].flags & AUDITED)) return 11;
    if (accounts[0].flags & AUDITED) return 12;
    return total > 2000;
}
