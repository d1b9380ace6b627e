/* Quicksort of integers, with insertion sort for small parts. */
#include <stdio.h>

enum { N = 1000000, ROUNDS = 4 };
static int values[N];

static void sort(int *a, int n)
{
    while (n > 16) {
        int pivot = a[n / 2], i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        sort(a, j + 1);
        a += i;
        n -= i;
    }
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i;
        for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
        a[j] = x;
    }
}

int main(void)
{
    unsigned seed = 1, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) values[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 1);
        sort(values, N);
        for (int i = 0; i < N; i += 997) sum = sum * 31 + (unsigned)values[i];
    }
    printf("%u\n", sum);
    return 0;
}
