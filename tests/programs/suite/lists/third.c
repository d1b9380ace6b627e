/* clew test
 * branches: 4 of 4
 * bug: null-dereference 16
 * tests: at most 6
 *
 * The third element of a list that is known to have two. */
struct node {
    int value;
    struct node *next;
};

int third(const struct node *list)
{
    if (!list) return -1;
    if (!list->next) return -2;
    return list->next->next->value;
}
