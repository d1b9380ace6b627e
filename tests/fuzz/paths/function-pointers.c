/* inputs: 3 2
 * Functions selected by an input, from a table and by a conditional. */
static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { return x - y; }
static int larger(int x, int y) { return x > y ? x : y; }
static int (*const table[4])(int, int) = {add, sub, larger, add};

int test(unsigned a, unsigned b)
{
    int (*f)(int, int) = a & 4 ? sub : add;
    int first = f((int)a, (int)b);
    return table[b](first, 3) * 10 + first;
}
