/* clew run
 * bug: shift 8
 */
int main(int argc, char **argv)
{
    int n = 1000000 + argc;
    volatile int one = 1;
    one = one << n;
    return 0;
}
