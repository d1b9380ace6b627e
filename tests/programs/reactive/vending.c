/* clew test
 * branches: 43 of 45
 * infeasible: 34 true
 * infeasible: 82 true
 * covered: at least 26
 *
 * A vending machine with coins, three products, change from a till and a service mode that is opened by a code of six keys.
 * What makes it hard is that products sell out only after many purchases and that the till runs empty only after certain coins. */
extern int __VERIFIER_nondet_int(void);

enum { COIN_10 = 1, COIN_20, COIN_50, COIN_100, CANCEL, BUY_A, BUY_B, BUY_C, SERVICE };

static int stock[3] = { 3, 3, 3 };
static const int price[3] = { 70, 120, 150 };
static int credit, till = 6, service_position, in_service;
static unsigned sold;

static void give_change(void)
{
    while (credit >= 10 && till > 0) {
        credit -= 10;
        till--;
    }
    if (credit > 0) sold |= 0x80;
    credit = 0;
}

static void insert(int value)
{
    if (credit + value > 200) return;
    credit += value;
    if (value == 10 && till < 50) till++;
    /* Coins above a credit of 200 were refused above. */
    if (credit > 200) credit = 200;
}

static void buy(int product)
{
    if (stock[product] == 0) {
        sold |= 1u << product;
        return;
    }
    if (credit < price[product]) return;
    credit -= price[product];
    stock[product]--;
    give_change();
}

static void service(int key)
{
    static const int code[6] = { SERVICE, BUY_A, SERVICE, BUY_C, BUY_C, CANCEL };
    service_position = key == code[service_position] ? service_position + 1 : 0;
    if (service_position == 6) {
        service_position = 0;
        in_service = 1;
    }
}

int main(void)
{
    while (1) {
        int key = __VERIFIER_nondet_int();
        if (in_service) {
            if (key >= 10 && key < 13) stock[key - 10] = 3;
            else if (key == 13) till = 20;
            else if (key == CANCEL) in_service = 0;
            continue;
        }
        service(key);
        switch (key) {
        case COIN_10: insert(10); break;
        case COIN_20: insert(20); break;
        case COIN_50: insert(50); break;
        case COIN_100: insert(100); break;
        case CANCEL: give_change(); break;
        case BUY_A:
        case BUY_B:
        case BUY_C: buy(key - BUY_A); break;
        default: break;
        }
        /* The till has at most 50 coins, since only insert adds one, and only below 50; service sets 20. */
        if (till > 50) return 1;
        if (sold == 0x87) sold = 0;
    }
}
