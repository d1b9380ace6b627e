/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <string.h>

static int total(int rows, int columns, int m[rows][columns])
{
    int sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) sum += m[i][j] * (int)(sizeof m[i] / sizeof m[i][0]);
    return sum;
}

static int length(int n, char text[static n])
{
    return (int)strlen(text) + n;
}

static int recursive(int n)
{
    int a[n + 1];
    for (int i = 0; i <= n; i++) a[i] = i;
    return n == 0 ? 0 : recursive(n - 1) + a[n];
}

int main(void)
{
    int grand = 0;
    for (int n = 1; n < 6; n++) {
        int m[n][n + 1], size = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) m[i][j] = i * j;
        printf("%zu %d ", sizeof m, total(n, n + 1, m));
        int (*row)[n + 1] = m + n - 1;
        grand += (*row)[n] + (int)sizeof *row;
        typedef char buffer[n++ ? n : 1];
        n--;
        buffer b;
        size += sizeof b;
        memset(b, 'x', sizeof b);
        printf("%d ", size);
        if (n == 3) continue;
        if (n == 5) break;
    }
    char text[8] = "seven";
    printf("%d %d %d\n", grand, length(8, text), recursive(60));
    return 0;
}
