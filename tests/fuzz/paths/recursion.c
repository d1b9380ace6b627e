/* inputs: 3 3
 * Recursion as deep as an input says. */
static int ackermann(int m, int n)
{
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int test(unsigned a, unsigned b)
{
    if (a < 3) return ackermann((int)a, (int)(b & 3));
    return fibonacci((int)b);
}
