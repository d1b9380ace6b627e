/* clew test --nonnull p
 * branches: 4 of 4
 * precondition: pile_top: p comes from pile_new
 * precondition: pile_remove: p comes from pile_new
 *
 * A function that removes what it is given relies on its being there, so it is no way to make an object. */
#include <stdlib.h>

struct pile {
    void *items[4];
    int used;
};

struct pile *pile_new(void)
{
    return calloc(1, sizeof(struct pile));
}

void pile_remove(struct pile *p, void *item)
{
    p->used--;
    if (p->items[3] == item) p->items[3] = NULL;
}

void *pile_top(const struct pile *p)
{
    if (p->used == 0) return NULL;
    return p->items[p->used - 1];
}
