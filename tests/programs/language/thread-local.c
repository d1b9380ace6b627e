/* clew run
 * exit: 0
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local int counter = 7;
__thread char buffer[16] = "local";
static _Thread_local struct { int a; long b; } pair = {1, 2};

static int *where(void)
{
    return &counter;
}

int main(void)
{
    counter++;
    *where() += 10;
    buffer[0] = 'L';
    pair.b += counter;
    errno = 0;
    strtol("99999999999999999999", 0, 10);
    printf("%d %s %ld %d\n", counter, buffer, pair.b, errno == ERANGE);
    return 0;
}
