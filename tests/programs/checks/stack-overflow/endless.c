/* clew run
 * bug: stack-overflow 4
 */
static long f(long n) { return n + f(n + 1); }

int main(void)
{
    return (int)f(0);
}
