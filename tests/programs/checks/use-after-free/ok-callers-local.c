/* clew run
 * exit: 0
 */
static int *largest(int *a, int *b)
{
    return *a > *b ? a : b;
}

static void down(int depth, int *where)
{
    int here = depth;
    int *p = largest(&here, where);
    if (depth == 0) *where += *p;
    else down(depth - 1, where);
    *where += here;
}

int main(void)
{
    int total = 1;
    down(10, &total);
    return total - 57;
}
