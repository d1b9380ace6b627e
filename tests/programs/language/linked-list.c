/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next, *previous;
    int value;
};
struct list {
    struct node head;
    int length;
};

static void init(struct list *l)
{
    l->head.next = l->head.previous = &l->head;
    l->length = 0;
}

static void insert(struct list *l, struct node *after, int value)
{
    struct node *n = malloc(sizeof *n);
    *n = (struct node){after->next, after, value};
    after->next->previous = n;
    after->next = n;
    l->length++;
}

static void erase(struct list *l, struct node *n)
{
    n->previous->next = n->next;
    n->next->previous = n->previous;
    free(n);
    l->length--;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node head, *tail = &head;
    while (a && b) {
        struct node **smaller = a->value <= b->value ? &a : &b;
        tail = tail->next = *smaller;
        *smaller = (*smaller)->next;
    }
    tail->next = a ? a : b;
    return head.next;
}

static struct node *sort(struct node *list)
{
    if (!list || !list->next) return list;
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next) slow = slow->next, fast = fast->next->next;
    struct node *second = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(second));
}

int main(void)
{
    struct list l;
    init(&l);
    for (int i = 0; i < 50; i++) insert(&l, i % 2 ? &l.head : l.head.previous, i * 37 % 50);
    for (struct node *n = l.head.next, *next; n != &l.head; n = next) {
        next = n->next;
        if (n->value % 3 == 0) erase(&l, n);
    }
    l.head.previous->next = NULL;
    struct node *sorted = sort(l.head.next);
    printf("%d:", l.length);
    for (struct node *n = sorted, *next; n; n = next) {
        printf(" %d", n->value);
        next = n->next;
        free(n);
    }
    puts("");
    return 0;
}
