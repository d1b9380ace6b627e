/* clew test --work 2000
 * branches: 8 of 8
 *
 * A list that is made, and then counted. */
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *list = NULL;
    int length = 0;
    for (int i = 0; i < 30; i++) {
        if (__VERIFIER_nondet_uchar() == 0) continue;
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->value = i;
        list = node;
    }
    for (struct node *n = list; n; n = n->next) length++;
    if (length == 19) return 1;
    return 0;
}
