/* clew test
 * branches: 68 of 72
 * infeasible: 55 default
 * infeasible: 110 true
 * infeasible: 122 false
 * infeasible: 129 true
 * covered: at least 41
 * bug: assertion 131
 *
 * A model in the manner of SystemC made sequential: a producer, a filter and a consumer with program counters, events, and a kernel
 * with its phases for evaluation, delta notification and time.
 * What makes it hard is that an item needs three rounds of the kernel, and that the assertion fails only after a history of items. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum { RUNNING, WAITING };      /* the status of a process */
enum { NONE, NOTIFIED, FIRED };   /* the status of an event */

static int producer_pc, producer_status = RUNNING;
static int filter_pc, filter_status = RUNNING;
static int consumer_pc, consumer_status = RUNNING;
static int written, filtered, timeout; /* the events */
static int timer, item, result, delivered, dropped;

static void producer(void)
{
    if (producer_pc == 1) goto resume;
    producer_pc = 1;
resume:
    item = __VERIFIER_nondet_int();
    if (item < 0 || item > 1000) {
        if (dropped < 8) dropped++;
        timer = 3;
    } else {
        written = NOTIFIED;
    }
    producer_status = WAITING;
}

static void filter(void)
{
    if (filter_pc == 0) {
        filter_pc = 1;
        filter_status = WAITING;
        return;
    }
    result = item / 2;
    if (item % 2 && result > 100) result = -1;
    filtered = NOTIFIED;
    filter_status = WAITING;
}

static void consumer(void)
{
    switch (consumer_pc) { /* The counter is 0, 1 or 2. */
    case 0:
        consumer_pc = 1;
        break;
    case 1:
        if (result < 0) {
            consumer_pc = 2;
            timer = 2;
            break;
        }
        delivered++;
        timer = 1;
        break;
    case 2:
        consumer_pc = 1;
        if (result >= 0 && result < 10) dropped = 0;
        timer = 1;
        break;
    }
    consumer_status = WAITING;
}

static int exists_runnable_process(void)
{
    if (producer_status == RUNNING) return 1;
    if (filter_status == RUNNING) return 1;
    return consumer_status == RUNNING;
}

static void evaluate(void)
{
    while (exists_runnable_process()) {
        /* The order in which processes run in a phase is a choice. */
        int order = __VERIFIER_nondet_int();
        if (producer_status == RUNNING && order == 0) producer();
        if (filter_status == RUNNING && order != 1) filter();
        if (consumer_status == RUNNING && order != 2) consumer();
    }
}

static void activate_processes(void)
{
    if (timeout == FIRED) producer_status = RUNNING;
    if (written == FIRED) filter_status = RUNNING;
    if (filtered == FIRED) consumer_status = RUNNING;
}

static void fire(int *event)
{
    *event = *event == NOTIFIED ? FIRED : NONE;
}

static int advance_time(void)
{
    /* See main: the timer runs whenever time is advanced. */
    if (timer == 0) return 0;
    timer--;
    if (timer == 0) timeout = NOTIFIED;
    return 1;
}

int main(void)
{
    while (1) {
        evaluate();
        if (written != NOTIFIED && filtered != NOTIFIED) {
            /* Without an event the producer has dropped its item or the consumer has taken the item, and both set the timer. */
            if (!advance_time()) return 1;
        }
        fire(&written);
        fire(&filtered);
        fire(&timeout);
        activate_processes();
        /* An item is filtered before the next item is produced. */
        if (filter_status == RUNNING && consumer_status == RUNNING) return 2;
        int overload = delivered >= 12 && dropped == 8;
        assert(!overload);
        if (delivered == 20) delivered = 0;
    }
}
