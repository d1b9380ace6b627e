/* clew explore
 * seeds: 3
 * branches: 4 of 6
 * bug: use-after-free 29
 * complete: yes
 *
 * A choice between the address of a local variable and none leaves the function that the variable is gone with. */
#include <clew.h>
#include <stddef.h>

static const int *kept;

static void keep(const int *number, int wanted)
{
    if (wanted > 0) kept = number;
}

static void keep_local(int wanted, int value)
{
    int local = value;
    keep(&local, wanted);
}

int main(void)
{
    int wanted = clew_int("wanted"), value = clew_int("value");
    keep_local(wanted, value);
    if (!kept) return 1;
    if (*kept == 5) return 2;
    return 0;
}
