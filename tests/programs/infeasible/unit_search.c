/* clew test --array v:n
 * branches: 26 of 38
 * infeasible: 20 true
 * infeasible: 36 true
 * infeasible: 37 true
 * infeasible: 37 true
 * infeasible: 38 true
 * infeasible: 40 true
 * infeasible: 40 true
 * infeasible: 45 true
 * infeasible: 46 true
 * infeasible: 48 true
 * infeasible: 49 true
 * infeasible: 50 true
 * proved: at least 12
 *
 * A unit that searches a sorted array of the caller's: the bounds of the bisection keep their order, and results are in the array or -1. */
static int middle_of(int low, int high)
{
    if (low > high) return -1;
    return low + (high - low) / 2;
}

static int compare(int a, int b)
{
    if (a < b) return -1;
    return a > b;
}

int search(const int *v, int n, int wanted)
{
    if (!v || n < 1 || n > 8) return -1;
    int low = 0, high = n - 1, steps = 0;
    while (low <= high) {
        int middle = middle_of(low, high);
        if (middle < 0) return -2;
        if (middle < low || middle > high) return -3;
        if (middle >= n) return -4;
        int order = compare(wanted, v[middle]);
        if (order < -1 || order > 1) return -5;
        if (order == 0) return middle;
        if (order < 0) high = middle - 1;
        else low = middle + 1;
        steps++;
        if (high < -1) return -6;
        if (low > n) return -7;
    }
    if (low - high != 1) return -8;
    if (steps < 1) return -9;
    if (steps > 4) return -10;
    return -1;
}
