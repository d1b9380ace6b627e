/* clew test
 * branches: 10 of 10
 *
 * A list on the heap that inputs make longer, and whose nodes are then counted. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *list = NULL;
    int odd = 0, count = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->value = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        if (list->value & 1) odd++;
        count++;
        free(list);
        list = next;
    }
    if (count == 20 && odd == 7) return 1;
    return 0;
}
