/* clew test
 * branches: 11 of 14
 * infeasible: 21 true
 * infeasible: 22 true
 * infeasible: 22 false
 * proved: at least 0
 *
 * A budget of 10,000 is used up by inputs between 1 and 99, exactly; 150 of them cannot all be the same. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int budget = 10000, payments = 0;
    while (budget > 0) {
        int payment = __VERIFIER_nondet_int();
        if (payment < 1 || payment > 99) return 1;
        budget -= payment;
        payments++;
    }
    if (budget == 0 && payments == 150) return 2;
    if (payments < 102) {
        if (payments < 101) return 4;
        return 3;
    }
    return 0;
}
