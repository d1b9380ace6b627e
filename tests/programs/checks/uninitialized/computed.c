/* clew run
 * bug: uninitialized 15
 */
static int use(int a, int b)
{
    int c = a * 2 + b;
    return c - 1;
}

int main(int argc, char **argv)
{
    int table[3] = {1, 2, 3}, missing[2];
    missing[0] = 4;
    int r = use(table[argc], missing[argc]);
    while (r != 0)
        r = 0;
    return 0;
}
