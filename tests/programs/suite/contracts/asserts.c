/* clew test
 * branches: 14 of 14
 * bug: assertion 36
 * precondition: share: parts > 0
 * precondition: share: total >= 0
 * precondition: head: list != NULL
 * precondition: both: list != NULL
 * precondition: guarded: list != NULL
 *
 * What a function asserts of its parameters is a precondition, as it stands there; one that speaks of a local variable is a bug if it fails.  A
 * function that only passes a pointer on has the precondition of the one that asserts it. */
#include <assert.h>
#include <stddef.h>

struct list {
    struct list *next;
    int value;
};

int share(int total, int parts)
{
    assert(parts > 0 && "there are parts");
    assert(total >= 0);
    return total / parts;
}

int head(const struct list *list)
{
    assert(list);
    return list->value;
}

int odd(int x)
{
    int rest = x % 3;
    assert(rest != 2);
    return rest;
}

int both(const struct list *list, int x)
{
    return x > 4 ? head(list) : 0;
}

int guarded(const struct list *list, int wanted)
{
    if (wanted > 3) assert(list);
    return wanted;
}
