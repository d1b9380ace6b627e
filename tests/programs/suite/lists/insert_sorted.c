/* clew test
 * branches: 12 of 12
 * tests: at most 10
 *
 * Inserts a node where it belongs, through a pointer to the pointer that will point to it. */
struct node {
    int key;
    struct node *next;
};

int insert(struct node **list, struct node *item)
{
    if (!list || !item) return -1;
    while (*list && (*list)->key < item->key) list = &(*list)->next;
    if (*list && (*list)->key == item->key) return 0;
    item->next = *list;
    *list = item;
    return 1;
}
