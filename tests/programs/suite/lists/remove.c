/* clew test
 * branches: 6 of 6
 * tests: at most 6
 *
 * Removes a node and frees it: the list must be one that malloc made. */
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

int remove_key(struct node **list, int key)
{
    if (!list) return 0;
    for (; *list; list = &(*list)->next) {
        struct node *node = *list;
        if (node->key == key) {
            *list = node->next;
            free(node);
            return 1;
        }
    }
    return 0;
}
