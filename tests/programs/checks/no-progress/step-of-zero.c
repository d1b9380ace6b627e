/* clew run
 * bug: no-progress 7
 */
static int count(int from, int to, int step)
{
    int n = 0;
    for (int i = from; i < to; i += step) n |= 1;
    return n;
}

int main(int argc, char **argv)
{
    return count(0, 10, 1) + count(0, 10, argc - 1);
}
