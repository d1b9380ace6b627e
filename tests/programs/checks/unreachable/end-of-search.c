/* clew run
 * bug: unreachable 8
 */
static int find(const int *a, int wanted)
{
    for (int i = 0; i < 4; i++)
        if (a[i] == wanted) return i;
    __builtin_unreachable();
}

int main(void)
{
    int a[] = {4, 3, 2, 1};
    return find(a, 4) + find(a, 9);
}
