/* clew run
 * exit: 0
 */
#include <stdio.h>

static int collatz(unsigned long n)
{
    int steps = 0;
    while (n != 1) n = n & 1 ? 3 * n + 1 : n / 2, steps++;
    return steps;
}

static const char *classify(int y)
{
    if (y % 400 == 0) return "leap";
    else if (y % 100 == 0) return "common";
    else if (y % 4 == 0) return "leap";
    return "common";
}

int main(void)
{
    int best = 0, which = 0, primes = 0;
    for (int i = 1; i < 3000; i++) {
        int s = collatz(i);
        if (s > best) best = s, which = i;
    }
    for (int n = 2; n < 1000; n++) {
        int d = 2;
        for (; d * d <= n; d++)
            if (n % d == 0) break;
        if (d * d > n) primes++;
    }
    printf("%d %d %d %s %s %s\n", best, which, primes, classify(1900), classify(2000), classify(2024));
    for (int i = 1; i <= 15; i++) {
        switch ((i % 3 == 0) << 1 | (i % 5 == 0)) {
        case 3: fputs("FizzBuzz ", stdout); break;
        case 2: fputs("Fizz ", stdout); break;
        case 1: fputs("Buzz ", stdout); break;
        default: printf("%d ", i);
        }
    }
    int i = 0;
    do {
        if (i % 2) continue;
        for (int j = 0;; j++) {
            if (j > i) break;
            if (j == 3) goto done;
        }
    } while (++i < 10);
done:
    printf("%d\n", i);
    return 0;
}
