/* clew run
 * bug: no-progress 14
 */
struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node a = {0, 1}, b = {&a, 2}, c = {&b, 3};
    a.next = &c;
    struct node *p = &c;
    while (p && p->value != 4) p = p->next;
    return 0;
}
