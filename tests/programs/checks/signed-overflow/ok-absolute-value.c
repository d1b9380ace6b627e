/* clew run */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int a = INT_MIN + argc;
    long b = LONG_MIN + argc;
    printf("%d %ld %lld\n", abs(a), labs(b), llabs(-5LL));
    return argv ? 0 : 1;
}
