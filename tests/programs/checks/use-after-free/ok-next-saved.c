/* clew run
 * exit: 0
 */
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *head = 0;
    for (int i = 0; i < 100; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    int count = 0;
    for (struct node *p = head, *next; p; p = next, count++) {
        next = p->next;
        free(p);
    }
    return count - 100;
}
