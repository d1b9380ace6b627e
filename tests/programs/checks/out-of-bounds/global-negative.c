/* clew run
 * bug: out-of-bounds 8
 */
static long table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static long pick(long i)
{
    return table[i];
}

int main(int argc, char **argv)
{
    return pick(0) == 1 && pick(-argc) == 0;
}
