/* clew explore --summaries
 * seeds: 3
 * branches: 13 of 14
 * paths: 3
 * bug: uninitialized 27
 * complete: yes
 *
 * What an inner call writes on some of its paths only is looked at by the function around it, whichever they are. */
#include <clew.h>
#include <stdbool.h>

static int level = 3;

static bool read_level(int wanted, int *out)
{
    if (wanted > 100) level = 0;
    if (wanted < -2) return false;
    *out = level + 1;
    return true;
}

static int use(int wanted)
{
    int out;
    bool read = read_level(wanted, &out);
    if (wanted == 7) return 5;
    if (out > 1) return read ? 10 : 30;
    return 20;
}

int main(void)
{
    int a = clew_int("a"), b = clew_int("b");
    int sum = use(a) + use(b);
    if (sum == 30) return 1;
    if (sum == 20) return 2;
    return 0;
}
