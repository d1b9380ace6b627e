/* clew run
 * bug: use-after-free 18
 */
static int *keep(int *p)
{
    return p;
}

static int *address(int x)
{
    int local[4] = {x, x, x, x};
    return keep(local);
}

int main(int argc, char **argv)
{
    int *p = address(argc);
    p[1] = 3;
    return 0;
}
