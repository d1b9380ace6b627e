/* clew explore --no-summaries
 * branches: 18 of 20
 * complete: yes
 * bug: assertion 47
 *
 * A queue on the heap: its nodes lie elsewhere in every round, and its states are few.  (malloc does not fail here, and the queue is never longer than
 * three.) */
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
    struct node *next;
    int urgent;
};

static struct node *first, **last = &first;
static int length;

static void put(int urgent)
{
    struct node *new = malloc(sizeof *new);
    if (!new) exit(1);
    *new = (struct node){0, urgent};
    *last = new;
    last = &new->next;
    length++;
}

static int take(void)
{
    struct node *old = first;
    int urgent = old->urgent;
    first = old->next;
    if (!first) last = &first;
    free(old);
    length--;
    return urgent;
}

int main(void)
{
    while (1) {
        unsigned char event = __VERIFIER_nondet_uchar();
        if (event == 1 || event == 2) {
            assert(length < 3 || event != 2 || !first->urgent);
            if (length < 3) put(event == 2);
        } else if (length > 0) {
            take();
        }
        if (length > 3) return 1;
    }
}
