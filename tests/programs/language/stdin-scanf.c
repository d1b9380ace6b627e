/* clew run
 * stdin: 5\n10 20 30\n40 50\nname 2.5\n
 * exit: 0
 */
#include <stdio.h>

int main(void)
{
    int n, sum = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) {
        int x;
        if (scanf("%d", &x) != 1) return 2;
        sum += x;
    }
    char name[20];
    float f;
    int got = scanf("%19s %f", name, &f);
    printf("%d %d %s %g %d\n", sum, got, name, f, scanf("%d", &n));
    return 0;
}
