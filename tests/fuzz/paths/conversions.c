/* inputs: 4 4
 * atoi and strtol on inputs that may be digits, signs or neither. */
#include <stdlib.h>

static char digit(unsigned v)
{
    return "0159-+ x"[v & 7];
}

int test(unsigned a, unsigned b)
{
    char text[4] = {digit(a), digit(b), a & 8 ? '4' : 0, 0}, *end;
    long n = strtol(text, &end, b & 8 ? 0 : 10);
    return (int)n * 10 + (int)(end - text) + (atoi(text) == n);
}
