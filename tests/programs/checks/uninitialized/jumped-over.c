/* clew run
 * exit: 4
 * bug: uninitialized 11
 */
int main(int argc, char **argv)
{
    int x;
    if (argc) goto over;
    x = 7;
over:
    if (x == 7) return 3;
    return argv ? 4 : 5;
}
