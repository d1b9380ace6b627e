/* clew explore --summaries --function top
 * seeds: 5
 * branches: 4 of 4
 * returns: 0 3
 * paths: 3
 * complete: yes
 *
 * Paper 002, section 3.1: both calls of is_positive are decided by one summary of two paths. */
int is_positive(int x)
{
    if (x > 0) return 1;
    return 0;
}

int top(int y, int z)
{
    int a, b;
    a = is_positive(y);
    b = is_positive(z);
    if (a && b) return 3;
    return 0;
}
