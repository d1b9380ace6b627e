/* clew test
 * branches: 9 of 12
 * infeasible: 14 true
 * infeasible: 15 true
 * infeasible: 28 true
 *
 * Loops over an array, up and down, with checks of the index that never fail. */
extern int __VERIFIER_nondet_int(void);

static int data[10];

static int get(int i)
{
    if (i < 0) return -1;
    if (i >= 10) return -2;
    return data[i];
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        data[i] = __VERIFIER_nondet_int() & 1;
        sum += get(i);
    }
    for (int i = 9; i >= 0; i--) sum -= get(i);
    for (unsigned k = 0; k < 10; k += 3)
        if (k > 9) return 1;
    return sum > 1000000;
}
