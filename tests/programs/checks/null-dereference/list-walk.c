/* clew run
 * bug: null-dereference 21
 */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *head = 0;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    struct node *p = head;
    while (p->value != 7)
        p = p->next;
    return 0;
}
