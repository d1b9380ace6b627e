/* clew test
 * branches: 6 of 6
 * complete: yes
 * tests: at most 8
 *
 * An element that may be the one in the list. */
struct node {
    int value;
    struct node *next;
};
struct list {
    struct node *head;
};

int is_head(struct list *l, struct node *x)
{
    if (!l || !x) return -1;
    if (x == l->head) return 1;
    return 0;
}
