/* clew test
 * branches: 10 of 10
 * tests: at most 8
 *
 * Have two lists the same keys?  They may share nodes. */
struct node {
    int key;
    struct node *next;
};

int equal(const struct node *a, const struct node *b)
{
    while (a && b) {
        if (a->key != b->key) return 0;
        a = a->next;
        b = b->next;
    }
    if (a || b) return 0;
    return 1;
}
