/* clew explore --summaries
 * branches: 13 of 14
 * paths: 7
 * complete: yes
 *
 * A function gives a value on some of its paths only, to a variable that has none before: a path that is executed again meets the same conditions. */
#include <clew.h>

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : -1;
}

static int parse(char c, int *out)
{
    int number = digit(c);
    if (number < 0) return -1;
    if (number > 23) return -2;
    *out = number;
    return 0;
}

int main(void)
{
    int small = 0;
    for (int i = 0; i < 2; i++) {
        int number;
        char c = clew_char("c");
        if (parse(c, &number)) return 1;
        if (number < 3) small++;
    }
    clew_assert(small != 19);
    return 0;
}
