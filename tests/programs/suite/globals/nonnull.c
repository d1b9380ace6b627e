/* clew test --nonnull head
 * branches: 4 of 4
 * tests: at most 4
 *
 * A pointer that has no value before somebody gives it one; the user says that somebody has. */
struct node {
    int value;
    struct node *next;
};

static struct node *head;

int first(void)
{
    if (head->value == 12) return 1;
    if (head->next) return 2;
    return 0;
}
