/* clew run
 * bug: null-dereference 11
 */
struct node {
    struct node *next;
    int value[10];
};

static void set(struct node *n, int i)
{
    n->value[i] = 1;
}

int main(void)
{
    struct node n = {0};
    set(&n, 9);
    set(n.next, 9);
    return 0;
}
