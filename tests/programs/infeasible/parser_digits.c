/* clew test
 * branches: 11 of 14
 * infeasible: 23 true
 * infeasible: 25 true
 * infeasible: 26 true
 *
 * A parser of numbers: digits are digits, and what they add up to stays small. */
extern int __VERIFIER_nondet_int(void);

static int digit(int c)
{
    if (c < '0') return -1;
    if (c > '9') return -1;
    return c - '0';
}

int main(void)
{
    int value = 0;
    for (int i = 0; i < 3; i++) {
        int d = digit(__VERIFIER_nondet_int());
        if (d < 0) return 1;
        if (d > 9) return 2;
        value = (value * 10 + d) % 1000;
        if (value > 999) return 3;
        if (value < 0) return 4;
    }
    return 0;
}
