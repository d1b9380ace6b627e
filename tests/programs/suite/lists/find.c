/* clew test
 * branches: 4 of 4
 * tests: at most 4
 *
 * Looks for a key in a singly linked list. */
struct node {
    int key;
    struct node *next;
};

struct node *find(struct node *list, int key)
{
    for (; list; list = list->next) {
        if (list->key == key) return list;
    }
    return 0;
}
