/* clew run
 * exit: 0
 */
static int ratio(int a, int b)
{
    return b && a / b > 1 ? a / b : b ? 1 : 0;
}

int main(void)
{
    int sum = 0;
    for (int i = -5; i <= 5; i++) sum += ratio(10, i);
    return sum - 27;
}
