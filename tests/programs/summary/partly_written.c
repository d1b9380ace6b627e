/* clew explore
 * seeds: 3
 * branches: 10 of 10
 * bug: uninitialized 25
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
    read_level(wanted, &out);
    return out > 1 ? 10 : 20;
}

int main(void)
{
    int a = clew_int("a"), b = clew_int("b");
    int sum = use(a) + (b > 5);
    if (sum == 21) return 1;
    if (sum == 10) return 2;
    return 0;
}
