/* clew run
 * bug: shift 8
 */
int main(int argc, char **argv)
{
    long n = 4294967296L + argc;
    volatile int one = 1;
    one = one << n;
    return 0;
}
