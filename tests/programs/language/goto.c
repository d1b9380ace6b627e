/* clew run
 * exit: 0
 */
#include <stdio.h>

static int search(int m[3][3], int wanted)
{
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (m[i][j] == wanted) goto found;
    return -1;
found:
    return i * 10 + j;
}

static int into_block(int n)
{
    int total = 0;
    if (n) goto inside;
    while (total < 20) {
        total += 1;
    inside:
        total += 5;
    }
    return total;
}

static int cleanup(int fail_at)
{
    int state = 0;
    if (fail_at == 1) goto out1;
    state |= 1;
    if (fail_at == 2) goto out2;
    state |= 2;
    if (fail_at == 3) goto out3;
    state |= 4;
out3:
    state *= 10;
out2:
    state += 100;
out1:
    return state;
}

int main(void)
{
    int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, n = 0;
    printf("%d %d %d %d\n", search(m, 6), search(m, 10), into_block(0), into_block(1));
    for (int i = 0; i < 5; i++) printf("%d ", cleanup(i));
again:
    if (n++ < 3) goto again;
    do {
        if (n == 6) continue;
        if (n > 8) break;
    } while (n++ < 20);
    for (int i = 0, j = 10;; i++, j--) {
        if (i == j) { printf("%d\n", n + i); break; }
    }
    return 0;
}
