/* clew test
 * branches: 28 of 42
 * infeasible: 32 true
 * infeasible: 34 true
 * infeasible: 44 true
 * infeasible: 47 true
 * infeasible: 62 true
 * infeasible: 67 true
 * infeasible: 68 true
 * infeasible: 69 true
 * infeasible: 72 true
 * infeasible: 76 true
 * infeasible: 77 true
 * infeasible: 77 true
 * infeasible: 78 true
 * infeasible: 79 true
 * proved: at least 14
 *
 * A ring buffer with head, tail and count: the three always agree, and what comes out is what went in. */
extern int __VERIFIER_nondet_int(void);

#define SLOTS 4
struct ring {
    int slots[SLOTS];
    unsigned head, tail, count;
};
static struct ring ring;
static unsigned long pushed, popped;

static int push(struct ring *r, int value)
{
    if (r->count > SLOTS) return -2;
    if (r->count == SLOTS) return -1;
    if (r->tail >= SLOTS) return -3;
    r->slots[r->tail] = value;
    r->tail = (r->tail + 1) % SLOTS;
    r->count++;
    return 0;
}

static int pop(struct ring *r, int *value)
{
    if (r->count == 0) {
        if (r->head != r->tail) return -4;
        return -1;
    }
    if (r->head >= SLOTS) return -5;
    *value = r->slots[r->head];
    r->head = r->head == SLOTS - 1 ? 0 : r->head + 1;
    r->count--;
    return 0;
}

int main(void)
{
    for (;;) {
        int command = __VERIFIER_nondet_int(), value = 0, status;
        if (command == 1) {
            value = __VERIFIER_nondet_int() & 0xff;
            status = push(&ring, value | 0x100);
            if (status == 0) pushed++;
            if (status < -1) return 1;
        } else if (command == 2) {
            status = pop(&ring, &value);
            if (status == 0) {
                popped++;
                if (value < 0x100) return 2;
                if (value > 0x1ff) return 3;
            } else if (value != 0) {
                return 4;
            }
            if (status == 1) return 5;
        } else {
            break;
        }
        if (ring.count > SLOTS) return 6;
        if (ring.head > 3 || ring.tail > 3) return 7;
        if ((ring.head + ring.count) % SLOTS != ring.tail) return 8;
        if (pushed - popped != ring.count) return 9;
    }
    return ring.count == SLOTS;
}
