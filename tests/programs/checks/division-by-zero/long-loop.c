/* clew run
 * bug: division-by-zero 8
 */
int main(void)
{
    volatile long total = 1000;
    for (long i = 3; i >= -3; i--)
        total += 1000 / i;
    return 0;
}
