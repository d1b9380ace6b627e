/* clew run
 * bug: stack-overflow 5
 */
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); } static int odd(unsigned n) { return n == 1 ? 1 : even(n - 1); }

int main(void)
{
    return even(4) + even(3) == 2 ? 0 : 1;
}
