/* clew test
 * branches: 35 of 48
 * infeasible: 40 true
 * infeasible: 51 true
 * infeasible: 66 true
 * infeasible: 69 false
 * infeasible: 70 false
 * infeasible: 89 true
 * infeasible: 90 true
 * infeasible: 91 true
 * infeasible: 92 true
 * infeasible: 93 true
 * infeasible: 94 true
 * infeasible: 95 true
 * infeasible: 96 true
 * proved: at least 12
 *
 * Lists over a static pool of nodes: nodes are on the free list or in the queue, never both, and the ends of the queue are NULL together. */
extern int __VERIFIER_nondet_int(void);

#define NODES 4
struct node {
    struct node *next;
    int value, in_use;
};
static struct node pool[NODES];
static struct node *free_list, *head, *tail;
static int in_queue;

static void set_up(void)
{
    for (int i = 0; i < NODES - 1; i++) pool[i].next = &pool[i + 1];
    free_list = pool;
}

static struct node *allocate(void)
{
    struct node *node = free_list;
    if (!node) return 0;
    if (node->in_use) return 0;
    free_list = node->next;
    node->next = 0;
    node->in_use = 1;
    return node;
}

static int enqueue(int value)
{
    struct node *node = allocate();
    if (!node) {
        if (in_queue != NODES) return -2;
        return -1;
    }
    node->value = value;
    if (tail) tail->next = node;
    else head = node;
    tail = node;
    in_queue++;
    return 0;
}

static int dequeue(int *value)
{
    struct node *node = head;
    if (!node) {
        if (tail) return -2;
        return -1;
    }
    if (!tail) return -3;
    if (!node->in_use) return -4;
    *value = node->value;
    head = node->next;
    if (!head) tail = 0;
    node->in_use = 0;
    node->next = free_list;
    free_list = node;
    in_queue--;
    return 0;
}

int main(void)
{
    int value = 1;
    set_up();
    for (int turn = 0; turn < 8; turn++) {
        int command = __VERIFIER_nondet_int(), status;
        if (command > 0) status = enqueue(command);
        else status = dequeue(&value);
        if (status < -1) return 1;
        if (status > 0) return 2;
        if (value <= 0) return 3;
        if (in_queue < 0) return 4;
        if (in_queue > NODES) return 5;
        if (head == 0 && in_queue != 0) return 6;
        if (head != 0 && in_queue == 0) return 7;
        if (tail && tail->next) return 8;
    }
    return value == 17;
}
