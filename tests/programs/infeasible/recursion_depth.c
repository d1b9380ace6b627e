/* clew test
 * branches: 11 of 16
 * infeasible: 17 true
 * infeasible: 26 true
 * infeasible: 27 true
 * infeasible: 28 true
 * infeasible: 29 true
 *
 * Recursion: a depth that is tested on the way down, and a static that follows it. */
extern int __VERIFIER_nondet_int(void);

static int deepest;

static int descend(int depth)
{
    if (depth > 5) return depth;
    if (depth < 0) return -1;
    if (deepest < depth) deepest = depth;
    if (__VERIFIER_nondet_int()) return descend(depth + 1);
    return depth;
}

int main(void)
{
    int end = descend(0);
    if (end < 0) return 1;
    if (end > 6) return 2;
    if (deepest > 5) return 3;
    if (deepest < 0) return 4;
    return 0;
}
