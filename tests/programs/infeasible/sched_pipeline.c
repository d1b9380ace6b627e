/* clew test
 * branches: 40 of 55
 * infeasible: 37 default
 * infeasible: 43 true
 * infeasible: 56 default
 * infeasible: 64 true
 * infeasible: 72 true
 * infeasible: 82 true
 * infeasible: 86 true
 * infeasible: 87 true
 * infeasible: 102 true
 * infeasible: 103 true
 * infeasible: 104 true
 * infeasible: 105 true
 * infeasible: 106 true
 * infeasible: 107 true
 * infeasible: 108 true
 * proved: at least 14
 *
 * A producer, a filter and a consumer under a scheduler that picks any of them: the slots between them are full or empty, and their
 * program counters, flags and counts agree. */
extern int __VERIFIER_nondet_int(void);

#define SLOT_EMPTY 0
#define SLOT_FULL 1

struct slot {
    int full, value;
};

static struct slot first, second;
static int producer_pc, filter_pc, consumer_pc;
static unsigned produced, filtered, consumed;

static int producer(void)
{
    switch (producer_pc) {
    case 0:
        if (first.full) return 0;
        producer_pc = 1;
        return 1;
    case 1:
        if (first.full) return -1;
        first.value = __VERIFIER_nondet_int() & 127;
        first.full = SLOT_FULL;
        produced++;
        producer_pc = 0;
        return 1;
    }
    return -2;
}

static int filter(void)
{
    static int kept;
    switch (filter_pc) {
    case 0:
        if (first.full == SLOT_EMPTY) return 0;
        kept = first.value;
        first.full = SLOT_EMPTY;
        filter_pc = kept < 100 ? 1 : 2;
        return 1;
    case 1:
        if (kept >= 100) return -3;
        if (second.full) return 0;
        second.value = kept * 2;
        second.full = SLOT_FULL;
        filtered++;
        filter_pc = 0;
        return 1;
    case 2:
        if (kept < 100) return -4;
        filter_pc = 0;
        return 1;
    }
    return -5;
}

static int consumer(void)
{
    if (second.full != SLOT_FULL) {
        if (second.full != SLOT_EMPTY) return -6;
        consumer_pc = 0;
        return 0;
    }
    if (second.value > 198) return -7;
    if (second.value & 1) return -8;
    second.full = SLOT_EMPTY;
    consumed++;
    consumer_pc = 1;
    return 1;
}

int main(void)
{
    for (int turn = 0; turn < 40; turn++) {
        int pick = __VERIFIER_nondet_int(), progress;
        if (pick == 0) progress = producer();
        else if (pick == 1) progress = filter();
        else if (pick == 2) progress = consumer();
        else return 0;
        if (progress < 0) return 1;
        if (progress > 1) return 2;
        if (filtered > produced) return 3;
        if (consumed > filtered) return 4;
        if (filtered - consumed != (unsigned)second.full) return 5;
        if (consumer_pc != 0 && consumed == 0) return 6;
        if (produced > 20) return 7;
    }
    return consumed > 4 ? 9 : 8;
}
