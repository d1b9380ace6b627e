/* clew run
 * bug: null-dereference 14
 */
static int twice(int x)
{
    return 2 * x;
}

int main(int argc, char **argv)
{
    int (*handlers[2])(int) = {twice, 0};
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += handlers[i](i);
    return sum;
}
