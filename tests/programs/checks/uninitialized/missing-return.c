/* clew run
 * exit: 4
 * bug: uninitialized 13
 */
static int choose(int n)
{
    if (n > 5) return 7;
}

int main(int argc, char **argv)
{
    int chosen = choose(argc);
    if (chosen == 7) return 3;
    return argv ? 4 : 5;
}
