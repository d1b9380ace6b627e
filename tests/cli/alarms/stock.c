/* A small program with faults that analysers report: some are real, some cannot happen, some are not decided. */
#include <stdlib.h>

struct item {
    int count;
    struct item *next;
};

int average(int sum, int count)
{
    int divisor = count > 10 ? 10 : 0;
    return sum / divisor;
}

int first_count(const struct item *list)
{
    if (!list) return list->count;
    return list->count;
}

int guarded(const struct item *list, int wanted)
{
    int n = 0;
    if (list) n = 1;
    if (n) return list->count;
    const struct item *none = 0;
    if ((wanted & 1) != 0 && (wanted & 3) == 2)
        return none->count;
    return 0;
}

int last_of_four(int index)
{
    int table[4] = {1, 2, 3, 4};
    if (index < 0) return 0;
    if (index > 4) return 0;
    return table[index];
}

int after_free(int value)
{
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = value;
    free(p);
    if (value > 0) return *p;
    return 0;
}

int leak(int value)
{
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    if (value > 3) return 1;
    free(p);
    return 2;
}
