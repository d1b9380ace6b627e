/* clew run */
#include <stdio.h>

static int ignored(int n)
{
    if (n > 5) return 7;
}

int main(int argc, char **argv)
{
    int x, last, sum = 0;
    if (argc > 0) x = 1;
    if (argc > 0 && x == 1) puts("set where it is read");
    for (int i = 0; i < 5; i++) {
        if (i > 0 && last > 1) sum += last;
        last = i;
    }
    ignored(argc);
    printf("%d\n", sum);
    return argv ? 0 : 1;
}
