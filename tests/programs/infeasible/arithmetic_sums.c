/* clew test
 * branches: 27 of 40
 * infeasible: 38 true
 * infeasible: 39 true
 * infeasible: 42 true
 * infeasible: 44 true
 * infeasible: 45 true
 * infeasible: 55 true
 * infeasible: 56 true
 * infeasible: 58 true
 * infeasible: 64 true
 * infeasible: 71 true
 * infeasible: 75 true
 * infeasible: 78 true
 * infeasible: 79 true
 * proved: at least 11
 *
 * Relations between counters that change together in loops of unknown length: i + j == n, twice == 2 * once, low <= high, x == y. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct transfer {
    unsigned sent, lost, all;
};

static void transmit(struct transfer *t)
{
    t->all++;
    if (__VERIFIER_nondet_int() > 0) t->sent++;
    else t->lost++;
}

static int bisect(int n)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (middle < low) return -1;
        if (middle >= high) return -2;
        if (__VERIFIER_nondet_int() > 0) low = middle + 1;
        else high = middle;
        if (low > high) return -3;
    }
    if (low != high) return -4;
    if (low > n) return -5;
    return low;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 1000, i = 0, j = n, once = 0, twice = 0;
    while (i < n) {
        i++;
        j--;
        if (j >= n) return 1;
        if (i + j != n) return 2;
    }
    if (j != 0) return 3;

    while (__VERIFIER_nondet_int()) {
        once++;
        twice += 2;
    }
    if (twice != 2 * once) return 4;

    int x = __VERIFIER_nondet_int() % 300, y = x;
    while (x > 0) {
        x--;
        y--;
    }
    if (x != y) return 5;

    struct transfer t = {0, 0, 0};
    while (__VERIFIER_nondet_int() > 10) transmit(&t);
    if (t.sent + t.lost != t.all) return 6;

    int found = bisect((int)(n & 31));
    if (found < 0) return 7;
    if (found > 31) return 8;
    return found == 17;
}
