/* clew test
 * branches: 9 of 10
 * infeasible: 31 false
 *
 * The same function is called by its name, through a pointer, and by itself: what holds of the parameter in one of these calls does not hold in the others. */
extern int __VERIFIER_nondet_int(void);

static int (*chosen)(int, int *);

static int count(int n, int *sum)
{
    if (n > 5) *sum += 100;
    *sum += n;
    if (n > 1) return count(n - 1, sum);
    return n;
}

static int other(int n, int *sum)
{
    *sum = n;
    return 0;
}

int main(void)
{
    int sum = 0, through = 0;
    chosen = __VERIFIER_nondet_int() ? count : other;
    count(2, &sum);
    chosen(6, &through);
    if (through > 100) return sum;
    if (through == 6) return 1;
    return 0;
}
