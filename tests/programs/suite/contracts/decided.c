/* clew test
 * branches: 4 of 4
 * bug: null-dereference 33
 * precondition: append: end != NULL
 * precondition: append: block != NULL
 * precondition: append: block points to more than 8 elements
 *
 * An address that is computed from NULL and a number breaks a precondition like NULL itself.  A result that is NULL because of a pointer that was
 * compared with NULL is a bug. */
#include <stddef.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

void append(unsigned char block[], int *end, int length)
{
    memset(&block[*end], 0, length);
    *end += length;
    memset(&block[*end], 1, 2);
}

static struct node *find(struct node *list, int value)
{
    if (!list) return NULL;
    return list->value == value ? list : NULL;
}

int get(struct node *list, int value)
{
    return find(list, value)->value;
}
