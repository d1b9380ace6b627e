/* clew test
 * branches: 43 of 58
 * infeasible: 31 true
 * infeasible: 32 true
 * infeasible: 43 true
 * infeasible: 53 true
 * infeasible: 54 true
 * infeasible: 67 true
 * infeasible: 68 true
 * infeasible: 72 true
 * infeasible: 73 true
 * infeasible: 74 true
 * infeasible: 75 true
 * infeasible: 76 true
 * infeasible: 79 true
 * infeasible: 80 true
 * infeasible: 81 true
 * proved: at least 15
 *
 * Arrays whose first `used` elements are filled and checked: what is read back below `used` has the properties of what was stored,
 * and the index never passes the end. */
extern int __VERIFIER_nondet_int(void);

#define CAPACITY 6
static int values[CAPACITY];
static unsigned char kinds[CAPACITY];
static int used;

static int append(int value)
{
    if (used < 0) return -3;
    if (used > CAPACITY) return -2;
    if (used == CAPACITY) return -1;
    values[used] = value;
    kinds[used] = value < 100 ? 1 : 2;
    used++;
    return used - 1;
}

static int is_sorted(void)
{
    for (int i = 1; i < used; i++) {
        if (i >= CAPACITY) return -1;
        if (values[i - 1] > values[i]) return 0;
    }
    return 1;
}

static int sum_of_kind(int kind)
{
    int sum = 0;
    for (int i = 0; i < used; i++) {
        if (kinds[i] == 0) return -1;
        if (kinds[i] > 2) return -2;
        if (kinds[i] == kind) sum += values[i];
    }
    return sum;
}

int main(void)
{
    while (1) {
        int value = __VERIFIER_nondet_int();
        if (value < 0) break;
        if (value > 1000) value = 1000;
        int at = append(value);
        if (at < -1) return 1;
        if (at >= CAPACITY) return 2;
        if (at < 0) break;
    }
    for (int i = 0; i < CAPACITY; i++) {
        if (values[i] < 0) return 3;
        if (values[i] > 1000) return 4;
        if (i >= used && values[i] != 0) return 5;
        if (i < used && kinds[i] == 0) return 6;
        if (i < used && kinds[i] == 1 && values[i] >= 100) return 7;
    }
    int small = sum_of_kind(1), large = sum_of_kind(2);
    if (small < 0) return 8;
    if (large < 0) return 9;
    if (is_sorted() < 0) return 10;
    return large > 5000;
}
