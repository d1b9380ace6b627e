/* clew test --time 10
 * branches: 46 of 47
 * infeasible: 83 true
 * covered: at least 28
 * bug: assertion 86
 *
 * A kernel in the manner of SystemC with a producer, a filter and a consumer: evaluate, update and time phases, events and suspended processes.
 * What makes it hard is that progress needs the phases of the kernel in turn and items with the right values several times. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum process { PRODUCER, FILTER, CONSUMER, PROCESSES };
enum status { RUNNABLE, WAITING };
enum event { NONE, FIRED, NOTIFIED };

static enum status status[PROCESSES];
static enum event written, filtered;
static int item, result, delivered, dropped, timed_wait;

static void produce(void)
{
    item = __VERIFIER_nondet_int();
    if (item < 0 || item > 1000) {
        dropped = dropped < 8 ? dropped + 1 : 8;
        timed_wait = 3;
    } else {
        written = NOTIFIED;
    }
    status[PRODUCER] = WAITING;
}

static void filter(void)
{
    if (written == FIRED) {
        result = item / 2;
        if (item % 2 && result > 100) result = -1;
        filtered = NOTIFIED;
    }
    status[FILTER] = WAITING;
}

static void consume(void)
{
    if (filtered == FIRED) {
        if (result >= 0) delivered++;
        else dropped = 0;
        timed_wait = 1;
    }
    status[CONSUMER] = WAITING;
}

static void evaluate(void)
{
    for (int p = 0; p < PROCESSES; p++) {
        if (status[p] == WAITING) continue;
        switch (p) {
        case PRODUCER: produce(); break;
        case FILTER: filter(); break;
        default: consume();
        }
    }
}

static void update(void)
{
    written = written == NOTIFIED ? FIRED : NONE;
    filtered = filtered == NOTIFIED ? FIRED : NONE;
    if (written == FIRED) status[FILTER] = RUNNABLE;
    if (filtered == FIRED) status[CONSUMER] = RUNNABLE;
}

static void advance_time(void)
{
    if (timed_wait > 0 && --timed_wait == 0) status[PRODUCER] = RUNNABLE;
}

int main(void)
{
    while (1) {
        evaluate();
        update();
        /* The consumer is woken only by the filter, which is woken only by the producer: two of them never run in the same phase. */
        if (status[FILTER] == RUNNABLE && status[CONSUMER] == RUNNABLE) return 1;
        advance_time();
        int overload = delivered >= 12 && dropped == 8;
        assert(!overload);
        if (delivered == 20) delivered = 0;
    }
}
