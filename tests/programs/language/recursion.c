/* clew run
 * exit: 0
 */
#include <stdio.h>

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int is_odd(int n);
static int is_even(int n) { return n == 0 || is_odd(n - 1); }
static int is_odd(int n) { return n != 0 && is_even(n - 1); }

static void permute(char *s, int k, int *count)
{
    if (!s[k]) {
        if ((*count)++ % 17 == 0) printf("%s ", s);
        return;
    }
    for (int i = k; s[i]; i++) {
        char t = s[k]; s[k] = s[i]; s[i] = t;
        permute(s, k + 1, count);
        t = s[k]; s[k] = s[i]; s[i] = t;
    }
}

static int queens(int n, int row, unsigned columns, unsigned left, unsigned right)
{
    if (row == n) return 1;
    int count = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

static void print_number(unsigned n, unsigned base)
{
    if (n >= base) print_number(n / base, base);
    putchar("0123456789abcdefghijklmnopqrstuvwxyz"[n % base]);
}

int main(void)
{
    int count = 0;
    char text[] = "abcde";
    printf("%d %d %d\n", fibonacci(20), is_even(1000), is_odd(77));
    permute(text, 0, &count);
    printf("%d %d\n", count, queens(7, 0, 0, 0, 0));
    print_number(123456789, 36);
    putchar('\n');
    return 0;
}
