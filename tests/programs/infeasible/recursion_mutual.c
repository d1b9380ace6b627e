/* clew test
 * branches: 38 of 54
 * infeasible: 50 true
 * infeasible: 51 true
 * infeasible: 52 true
 * infeasible: 53 true
 * infeasible: 57 true
 * infeasible: 64 true
 * infeasible: 73 true
 * infeasible: 74 true
 * infeasible: 75 true
 * infeasible: 77 true
 * infeasible: 78 true
 * infeasible: 79 true
 * infeasible: 83 true
 * infeasible: 84 true
 * infeasible: 84 true
 * infeasible: 85 true
 * proved: at least 13
 *
 * Mutual recursion: the remainder of a number modulo 3 by three functions that call each other, a tree of calls whose depth is handed
 * down, and a search whose result is positive. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int calls, deepest;

static int zero(unsigned n);
static int one(unsigned n);

static int two(unsigned n)
{
    return n == 0 ? 2 : zero(n - 1);
}

static int one(unsigned n)
{
    if (n == 0) return 1;
    return two(n - 1);
}

static int zero(unsigned n)
{
    if (n == 0) return 0;
    return one(n - 1);
}

static int tree(int low, int high, int depth)
{
    if (low > high) return 0;
    if (low < 0) return -1;
    if (high > 15) return -2;
    if (depth > 5) return -3;
    if (depth > deepest) deepest = depth;
    if (low == high) return __VERIFIER_nondet_int() > 0 ? 1 : 0;
    int middle = (low + high) / 2;
    if (middle >= high) return -4;
    return tree(low, middle, depth + 1) + tree(middle + 1, high, depth + 1);
}

static int gcd(int a, int b)
{
    calls++;
    if (b < 0) return 0;
    if (b == 0) return a;
    return gcd(b, a % b);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 30;
    int remainder = zero(n);
    if (remainder < 0) return 1;
    if (remainder > 2) return 2;
    if (remainder != (int)(n % 3)) return 3;
    int leaves = tree(0, 15, 1);
    if (leaves < 0) return 4;
    if (leaves > 16) return 5;
    if (deepest != 5) return 6;
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 1 || a > 50 || b < 1 || b > 50) return 7;
    int g = gcd(a, b);
    if (g < 1) return 8;
    if (g > a || g > b) return 9;
    if (calls < 2) return 10;
    return g == 7;
}
