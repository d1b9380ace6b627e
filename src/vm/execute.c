/* The dispatch loop in its three forms, and the choice between them.
 *
 * A frame none of whose registers holds an expression runs in a loop that does not look for any: expressions can only come in through a load or a
 * returned value, and both know.  The first one makes the frame `mixed` and the loop hands over.  Likewise the form without a
 * trail serves until the first mark.  So constant code pays nothing for the possibility of symbolic code.
 *
 * Computed goto keeps one indirect jump per code, which the branch predictor sees apart; the common codes are fused compare-and-jump and
 * indexed loads and stores (prepare.c). */
#include "base/arith.h"
#include "vm/vm_int.h"

typedef uint8_t uint8_t_unaligned __attribute__((may_alias, aligned(1)));
typedef uint16_t uint16_t_unaligned __attribute__((may_alias, aligned(1)));
typedef uint32_t uint32_t_unaligned __attribute__((may_alias, aligned(1)));
typedef uint64_t uint64_t_unaligned __attribute__((may_alias, aligned(1)));

static inline bool uint8_t_has_pattern(uint8_t value)
{
    return value == PATTERN;
}

static inline bool uint16_t_has_pattern(uint16_t value)
{
    return (value & 0xff) == PATTERN || value >> 8 == PATTERN;
}

/* Is one of the bytes zero, after the pattern was taken off by exclusive or? */
static inline bool uint32_t_has_pattern(uint32_t value)
{
    uint32_t x = value ^ (PATTERN * 0x01010101u);
    return (x - 0x01010101u) & ~x & 0x80808080u;
}

static inline bool uint64_t_has_pattern(uint64_t value)
{
    uint64_t x = value ^ (PATTERN * 0x0101010101010101u);
    return (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
}

uint64_t vm__float_compare(double a, double b, unsigned admits)
{
    unsigned outcome = a < b ? FPRED_LT : a > b ? FPRED_GT : a == b ? FPRED_EQ : FPRED_UNO;
    return (admits & outcome) != 0;
}

static uint32_t sparse_target(const PreparedSwitch *table, uint64_t value)
{
    uint32_t from = 0, end = table->count;
    while (from < end) {
        uint32_t middle = (from + end) / 2;
        if (table->values[middle] < value) from = middle + 1;
        else end = middle;
    }
    return from < table->count && table->values[from] == value ? table->targets[from] : table->default_target;
}

/* In place of the memory's own while places are told: every access is outside of its object, so the reference interpreter does it. */
static const ClassSpan told_spans[CLASS_COUNT];

#define LOOP loop_plain
#define SYM 0
#define TRAIL 0
#include "vm/loop.inc"

#define LOOP loop_trail
#define SYM 0
#define TRAIL 1
#include "vm/loop.inc"

#define LOOP loop_mixed
#define SYM 1
#define TRAIL 1
#include "vm/loop.inc"

static void loop_reference(Vm *vm, uint32_t down_to)
{
    for (uint32_t count = 0; vm->stop.kind == VM_RUNNING && vm->depth > down_to; count++) {
        vm__step(vm);
        if (count % TICKS == 0 && vm->stop.kind == VM_RUNNING && vm->depth > down_to) vm__tick(vm);
    }
}

void vm__execute(Vm *vm, uint32_t down_to)
{
    while (vm->stop.kind == VM_RUNNING && vm->depth > down_to) {
        if (vm->options.reference) loop_reference(vm, down_to);
        else if (vm__frame(vm)->mixed) loop_mixed(vm, down_to);
        else if (vm->memory.trailing) loop_trail(vm, down_to);
        else loop_plain(vm, down_to);
    }
}
