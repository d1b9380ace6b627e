/* Which bugs come first, wherever they are listed or confirmed one after the other: those that damage memory before those that end the program before
 * wrong numbers, then those with plainer inputs.  What breaks a precondition comes after all bugs. */
#include "ledger/ledger.h"

/* How far the inputs of a run are from what a program is usually given: the plainer they are, the likelier is the bug met. */
static uint32_t strangeness(const Record *record)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const RecordInput *input = &vec_at(&record->inputs, i);
        if (!input->width || input->width > 64 || input->type == 'f') continue;
        int64_t value = (int64_t)((uint64_t)input->bits << (64 - input->width)) >> (64 - input->width);
        if (input->type == 'u') value = input->bits > INT64_MAX ? INT64_MAX : (int64_t)input->bits;
        if (input->type == 'c') sum += value != 0 && (value < ' ' || value > '~');
        else if (input->type != 'p') sum += (value > 1000 || value < -1000) + (value > 1000000 || value < -1000000 ? 3 : 0);
    }
    return sum;
}

/* Damaged memory comes before wrong numbers. */
uint32_t ledger_kind_severity(const char *kind)
{
    static const char *const order[] = {"use-after-free",   "double-free",      "invalid-free",  "out-of-bounds", "stack-overflow",
                                        "null-dereference", "division-by-zero", "uninitialized", "abort",         "wrong-verdict",
                                        "assertion",        "no-progress",      "unreachable",   "shift",         "signed-overflow"};
    for (uint32_t i = 0; i < COUNT_OF(order); i++)
        if (strcmp(kind ? kind : "", order[i]) == 0) return i < 6 ? 0 : i < 13 ? 1 : 2;
    return 2;
}

uint64_t ledger_bug_rank(const Ledger *ledger, uint32_t index)
{
    const LedgerBug *bug = &vec_at(&ledger->bugs, index);
    bool has_test = bug->test && bug->test <= ledger->tests.len;
    uint64_t inputs = has_test ? strangeness(&ledger->tests.data[bug->test - 1].record) : 0;
    return (uint64_t)(bug->precondition != NULL) << 40 | (uint64_t)ledger_kind_severity(bug->kind) << 32 | inputs;
}
