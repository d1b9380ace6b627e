/* clew run
 * bug: unreachable 8
 */
#define ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())

static int half(int x)
{
    ASSUME(x % 2 == 0);
    return x / 2;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i += i < 4 ? 2 : 1) sum += half(i);
    return sum;
}
