/* clew test
 * branches: 8 of 8
 *
 * Ten amounts whose sum is given. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int balance = 0;
    for (int i = 0; i < 10; i++) {
        int amount = __VERIFIER_nondet_int();
        if (amount < 1 || amount > 100) return 2;
        balance += amount;
    }
    if (balance == 777) return 1;
    return 0;
}
