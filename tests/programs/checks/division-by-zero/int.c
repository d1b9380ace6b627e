/* clew run
 * bug: division-by-zero 7
 */
int main(int argc, char **argv)
{
    int zero = argc - 1;
    return 10 / zero;
}
