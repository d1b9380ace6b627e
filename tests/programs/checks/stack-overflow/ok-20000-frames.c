/* clew run
 * exit: 0
 */
static int depth(int n)
{
    int here = n;
    if (n == 0) return 0;
    int below = depth(n - 1);
    return below + (here == n);
}

int main(void)
{
    return depth(20000) - 20000;
}
