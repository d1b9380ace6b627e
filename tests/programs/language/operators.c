/* clew run
 * exit: 0
 */
#include <stdio.h>

static int calls;

static int noisy(int x)
{
    calls = calls * 10 + x;
    return x;
}

int main(void)
{
    int a = (1, 2, 3), b = 0, c;
    for (int i = 0, j = 9; i < j; i++, j -= 2) b += i * j;
    c = (noisy(1), noisy(2)) + noisy(3);
    printf("%d %d %d %d\n", a, b, c, calls);
    calls = 0;
    int d = noisy(0) && noisy(1), e = noisy(2) || noisy(3), f = (noisy(0) || noisy(4)) && !noisy(5);
    printf("%d %d %d %d\n", d, e, f, calls);
    int x, y;
    x = y = 7;
    x ^= 12, y ^= x, x ^= y;
    printf("%d %d\n", x, y);
    x = 10;
    x -= 3, x *= 2, x /= 3, x %= 3, x <<= 4, x |= 5, x &= ~1;
    printf("%d %d %d\n", x, !x, !!x);
    int array[4] = {1, 2, 3, 4}, *p = array;
    printf("%d ", *p++);
    printf("%d ", (*p)++);
    printf("%d ", *++p);
    printf("%d %d %ld\n", ++*p, 2[array], p - array);
    int t = x > 3 ? y > 3 ? 1 : 2 : 3;
    printf("%d %d %zu\n", t, 3 > 2 > 1, sizeof(char) + sizeof array / sizeof *array);
    unsigned bits = 0;
    for (int i = 0; i < 8; i++) bits = bits << 1 | (i % 3 == 0);
    printf("%x %d %d\n", bits, -(-5), +-+5);
    return 0;
}
