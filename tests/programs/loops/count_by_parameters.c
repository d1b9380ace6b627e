/* clew test
 * branches: 14 of 14
 *
 * A function with parameters has the loop; the caller compares what it returns. */
static int count(int from, int to, int by)
{
    int turns = 0;
    for (int i = from; i < to; i += by) turns++;
    return turns;
}

int count_by_parameters(int a, int b)
{
    if (a < 0 || b < 0 || a > 2000 || b > 2000) return -1;
    if (count(0, a, 3) == 150 && count(a, b, 5) == 90) return 1;
    return 0;
}
