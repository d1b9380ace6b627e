/* clew run
 * bug: use-after-free 22
 */
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    n->next = head;
    n->value = value;
    return n;
}

int main(void)
{
    struct node *head = push(push(push(0, 1), 2), 3);
    for (struct node *p = head; p; p = p->next)
        free(p);
    return 0;
}
