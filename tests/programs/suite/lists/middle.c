/* clew test
 * branches: 6 of 6
 * tests: at most 6
 *
 * The middle of a list, found with a slow and a fast pointer. */
struct node {
    int key;
    struct node *next;
};

int middle(const struct node *list)
{
    const struct node *fast = list;
    if (!list) return -1;
    while (fast && fast->next) {
        list = list->next;
        fast = fast->next->next;
    }
    return list->key;
}
