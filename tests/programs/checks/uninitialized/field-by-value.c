/* clew run
 * bug: uninitialized 11
 */
struct pair {
    char first;
    int second;
};

static int use(struct pair p)
{
    if (p.second > 3) return 1;
    return p.first;
}

int main(void)
{
    struct pair p;
    p.first = 0;
    return use(p) & 0;
}
