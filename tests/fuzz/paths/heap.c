/* inputs: 3 3
 * Allocated memory with symbolic contents; a list built and taken down. */
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

int test(unsigned a, unsigned b)
{
    struct node *list = NULL;
    int sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->value = (int)(i == 1 ? a : i == 2 ? b : 5);
        list = node;
    }
    char *text = calloc(4, 2);
    text[a] = 'k';
    text = realloc(text, 20);
    if (text[5] == 'k') sum = 50;
    free(text);
    while (list) {
        struct node *next = list->next;
        if (list->value > 4) sum += list->value;
        free(list);
        list = next;
    }
    return sum;
}
