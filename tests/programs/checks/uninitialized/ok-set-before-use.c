/* clew run
 * exit: 0
 */
#include <stdlib.h>
#include <string.h>

static int parse(const char *text, int *out)
{
    if (!*text) return 0;
    *out = *text - '0';
    return 1;
}

int main(void)
{
    int value, total = 0;
    if (parse("", &value)) total += value;
    if (parse("7", &value)) total += value;
    char *p = malloc(100);
    memset(p, 0, 50);
    for (int i = 50; i < 100; i++) p[i] = (char)i;
    for (int i = 0; i < 100; i++)
        if (p[i] == 60) total++;
    free(p);
    union {
        long l;
        char c[8];
    } u;
    u.c[0] = 1;
    if (u.c[0] != 1) return 1;
    static int zero;
    return zero ? 1 : total - 8;
}
