/* clew test
 * branches: 42 of 60
 * infeasible: 43 true
 * infeasible: 49 true
 * infeasible: 55 false
 * infeasible: 62 true
 * infeasible: 64 true
 * infeasible: 72 true
 * infeasible: 73 true
 * infeasible: 82 true
 * infeasible: 104 true
 * infeasible: 106 true
 * infeasible: 107 true
 * infeasible: 108 true
 * infeasible: 113 false
 * infeasible: 114 true
 * infeasible: 115 false
 * infeasible: 116 true
 * infeasible: 117 true
 * infeasible: 118 true
 * proved: at least 18
 *
 * A filter driver that passes requests down with a completion routine: the routine runs once, by a function pointer that is set together
 * with a flag, and a request that was marked pending is not completed by the dispatcher. */
extern int __VERIFIER_nondet_int(void);

#define SUCCESS 0
#define PENDING 0x103
#define MORE_PROCESSING (-1073741802)
#define DEVICE_ERROR (-1073741435)
#define NO_MEMORY (-1073741801)

struct irp {
    int (*completion)(struct irp *);
    int has_completion, status, marked_pending, completed, stack;
    int *event;
};

static int live, spin_lock;

static void lock(void)
{
    if (spin_lock != 0) __builtin_trap();
    spin_lock = 1;
}

static void unlock(void)
{
    if (spin_lock != 1) __builtin_trap();
    spin_lock = 0;
}

static int signal_event(struct irp *irp)
{
    if (!irp->event) return DEVICE_ERROR;
    *irp->event = 1;
    return MORE_PROCESSING;
}

static int propagate(struct irp *irp)
{
    if (irp->event) return DEVICE_ERROR;
    lock();
    if (live < 1) __builtin_trap();
    live--;
    unlock();
    return SUCCESS;
}

static void complete(struct irp *irp, int status)
{
    if (irp->completed) __builtin_trap();
    if (irp->has_completion != (irp->completion != 0)) __builtin_trap();
    irp->status = status;
    if (irp->completion && irp->completion(irp) == MORE_PROCESSING) return;
    irp->completed = 1;
}

static int lower_driver(struct irp *irp)
{
    int choice = __VERIFIER_nondet_int();
    if (irp->stack != 1) return NO_MEMORY;
    irp->stack--;
    if (choice == 0) {
        irp->marked_pending = 1;
        complete(irp, SUCCESS);
        return PENDING;
    }
    complete(irp, choice < 0 ? DEVICE_ERROR : SUCCESS);
    return irp->status;
}

int main(void)
{
    int event = 0, synchronous = __VERIFIER_nondet_int() > 0;
    struct irp irp = {0, 0, 0, 0, 0, 1, 0};
    lock();
    live = live + 1;
    unlock();
    if (synchronous) irp.event = &event;
    irp.completion = synchronous ? signal_event : propagate;
    irp.has_completion = 1;
    int status = lower_driver(&irp);
    if (status == NO_MEMORY) return 1;
    if (synchronous) {
        if (event != 1) return 2;
        if (irp.completed) return 3;
        if (live != 1) return 4;
        irp.completion = 0;
        irp.has_completion = 0;
        complete(&irp, irp.status);
    }
    if (!irp.completed) return 5;
    if (irp.stack != 0) return 6;
    if (status == PENDING && !irp.marked_pending) return 7;
    if (status != PENDING && irp.marked_pending) return 8;
    if (!synchronous && live != 0) return 9;
    if (status > 0 && status != PENDING) return 10;
    return irp.status == SUCCESS ? 11 : 12;
}
