/* clew test
 * branches: 6 of 6
 * bug: out-of-bounds 28
 * precondition: add: v != NULL
 * precondition: last: v != NULL
 * precondition: room: v != NULL
 * precondition: room: v->at <= v->top
 *
 * A field from which places in an array are computed is no larger than the field that bounds them: so it is made, or, where the code asks which of
 * the two is larger, so it has to be.  What goes wrong with a place that is right is a bug. */
#include <stddef.h>

struct line {
    size_t at, top;
    char *text;
};

int add(struct line *v, char c)
{
    if (v->at == v->top) return 0;
    v->text[v->at++] = c;
    return 1;
}

int last(struct line *v)
{
    if (v->at == v->top) return -1;
    return v->text[v->at - 1] == 'x';
}

int room(struct line *v)
{
    if (v->at > v->top) return v->text[v->at];
    return 1;
}
