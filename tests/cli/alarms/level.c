#include <assert.h>
#include <limits.h>
/* Frama-C, started at main, proves most of this and leaves the assertion of step and the last division open. */
static int level;
static int limits[4] = {10, 20, 30, 40};

int limit_of(int index)
{
    if (index < 0 || index > 3) return 0;
    return limits[index];
}

int step(int amount)
{
    int next = level + amount;
    assert(next >= level);
    if (next > 100) next = 100;
    level = next;
    return next;
}

int main(int argc, char **argv)
{
    (void)argv;
    int amount = argc > 5 ? limit_of(argc - 6) : 1;
    assert(amount <= 40);
    for (int i = 0; i < argc; i++) step(amount);
    assert(level <= 100);
    return 100 / (level - 3);
}
