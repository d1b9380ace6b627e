/* clew run
 * exit: 0
 */
static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int hanoi(int n, int from, int to)
{
    return n == 0 ? 0 : hanoi(n - 1, from, 6 - from - to) + 1 + hanoi(n - 1, 6 - from - to, to);
}

int main(void)
{
    return ackermann(2, 300) == 603 && hanoi(14, 1, 3) == 16383 ? 0 : 1;
}
