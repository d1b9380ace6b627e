/* clew run
 * bug: stack-overflow 4
 */
static int g(int n) { char room[100000]; room[n % 100000] = 1; return g(n + 1) + room[n % 100000]; }

int main(void)
{
    return g(0);
}
