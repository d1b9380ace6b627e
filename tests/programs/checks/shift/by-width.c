/* clew run
 * bug: shift 7
 */
int main(int argc, char **argv)
{
    unsigned n = 31 + argc, x = 1;
    x <<= n;
    return 0;
}
