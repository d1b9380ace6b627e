/* clew test
 * branches: 6 of 6
 * tests: at most 6
 *
 * Takes an element out of a doubly linked list. */
struct element {
    struct element *before, *after;
    int value;
};

int take_out(struct element *element)
{
    if (!element) return -1;
    if (element->before) element->before->after = element->after;
    if (element->after) element->after->before = element->before;
    element->before = element->after = 0;
    return 0;
}
