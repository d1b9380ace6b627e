/* clew run
 * exit: 0
 */
struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node c = {3, 0}, b = {2, &c}, a = {1, &b};
    int sum = 0;
    for (struct node *p = &a; p; p = p->next) sum += p->value;
    struct node **link = &a.next;
    while (*link) link = &(*link)->next;
    *link = 0;
    return sum - 6;
}
