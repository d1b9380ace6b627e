/* The sieve of Eratosthenes, and prime gaps. */
#include <stdio.h>
#include <string.h>

enum { N = 8000000, ROUNDS = 6 };
static char composite[N + 1];

int main(void)
{
    int count = 0, gap = 0;
    for (int round = 0; round < ROUNDS; round++) {
        memset(composite, 0, sizeof composite);
        for (int i = 2; i * i <= N; i++)
            if (!composite[i])
                for (int j = i * i; j <= N; j += i) composite[j] = 1;
        int last = 2;
        for (int i = 3; i <= N; i += 2)
            if (!composite[i]) {
                count++;
                if (i - last > gap) gap = i - last;
                last = i;
            }
    }
    printf("%d %d\n", count, gap);
    return 0;
}
