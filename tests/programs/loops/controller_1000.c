/* clew test
 * branches: 6 of 6
 *
 * A controller whose input has to stay in a range for 1,000 turns. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int stable = 0;
    for (;;) {
        int level = __VERIFIER_nondet_int();
        if (level >= 40 && level <= 60) stable++;
        else stable = 0;
        if (stable == 1000) return 1;
    }
}
