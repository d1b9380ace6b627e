/* clew test
 * branches: 8 of 8
 *
 * A machine takes coins of 5, 10 and 25; 13 coins have to make 195, after which a wrong coin is needed. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int amount = 0, coins = 0;
    for (;;) {
        int coin = __VERIFIER_nondet_int();
        switch (coin) {
        case 5:
        case 10:
        case 25:
            amount += coin;
            coins++;
            break;
        default:
            if (amount == 195 && coins == 13) return 1;
            return 0;
        }
    }
}
