/* What searches and refiners tell, entered in the ledger. */
#include "campaign/pool_int.h"

#include <stdlib.h>

/* ---- tests ---- */

static char *exit_text(const Record *record)
{
    return record->status == RECORD_ANY_STATUS ? mem_strdup("exits") : mem_format("exit %d", record->status);
}

static char *outcome_of(const Record *record)
{
    switch (record->end) {
    case END_RETURN: {
        const RecordSeen *result = record_seen(record, "result");
        if (strcmp(record->unit, "main") == 0) return exit_text(record);
        if (result && result->defined && (result->type == 'i' || result->type == 'u') && result->width <= 64)
            return result->type == 'i'
                       ? mem_format("returns %lld",
                                    (long long)((int64_t)((uint64_t)result->bits << (64 - result->width)) >> (64 - result->width)))
                       : mem_format("returns %llu", (unsigned long long)result->bits);
        return mem_strdup("returns");
    }
    case END_EXIT: return exit_text(record);
    case END_SIGNAL: return mem_format("signal %d", record->status);
    case END_BUG: return mem_format("bug %s", record->bug);
    case END_ASSUMPTION: return mem_strdup("an assumption does not hold");
    case END_INPUTS: return mem_strdup("goes on");
    case END_IDLE: return mem_strdup("idles");
    case END_LIMIT: break;
    }
    return mem_strdup("cut off");
}

/* The bug that the run ended in, if it is known already; UINT32_MAX: it is not. */
static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A precondition is one of its unit, whatever the place where a call that breaks it fails. */
static uint32_t known_precondition(const Ledger *ledger, const Record *record, const char *precondition)
{
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        const LedgerBug *known = &ledger->bugs.data[i];
        if (same_text(known->precondition, precondition) && same_text(known->unit, record->unit)) return i;
    }
    return UINT32_MAX;
}

static uint32_t known_bug(const Ledger *ledger, const Record *record, const char *precondition)
{
    if (precondition) return known_precondition(ledger, record, precondition);
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        const LedgerBug *known = &ledger->bugs.data[i];
        if (!known->precondition && known->line == record->line && strcmp(known->kind, record->bug) == 0 &&
            strcmp(known->file, record->file) == 0)
            return i;
    }
    return UINT32_MAX;
}

static void take_bug(Ledger *ledger, uint32_t test, const Record *record, const char *precondition)
{
    uint32_t bug = known_bug(ledger, record, precondition);
    if (bug == UINT32_MAX) {
        bug = ledger->bugs.len;
        ledger_add_bug(ledger, &(LedgerBug){.kind = record->bug,
                                            .function = record->function,
                                            .file = record->file,
                                            .line = record->line,
                                            .message = record->message,
                                            .test = test,
                                            .unit = record->unit,
                                            .precondition = (char *)precondition});
    }
    ledger->tests.data[test - 1].bug = bug + 1;
    ledger_touch_test(ledger, test);
}

/* Does a file of results bring an assertion of its own on that line?  The text of the line is another one then. */
static bool is_results_own(const Campaign *campaign, const Record *record)
{
    char *path = record->bug && strcmp(record->bug, "assertion") == 0 ? realpath(record->file, NULL) : NULL;
    bool found = false;
    for (uint32_t i = 0; path && i < campaign->results.annotations.len && !found; i++) {
        const Annotation *a = &campaign->results.annotations.data[i];
        if (a->is_assumption || !a->condition || a->line != record->line) continue;
        char *other = realpath(a->file, NULL);
        found = !other || strcmp(path, other) == 0;
        free(other);
    }
    free(path);
    return found;
}

static char *precondition_of(const Campaign *campaign, const Record *record, bool refined)
{
    return campaign->options->strict || is_results_own(campaign, record)
               ? NULL
               : campaign__precondition(campaign->program, campaign->units, record, refined);
}

static void take_test(Pool *pool, Process *process, const Message *message)
{
    Ledger *ledger = pool->campaign->ledger;
    const Record *record = &message->record;
    char *precondition = precondition_of(pool->campaign, record, false);
    uint32_t bug = record->end == END_BUG ? known_bug(ledger, record, precondition) : UINT32_MAX;
    if (bug != UINT32_MAX && !record->branches.len) { /* nothing new */
        free(precondition);
        return;
    }
    LedgerTest *test = ledger_add_test(ledger, record->unit, record);
    uint32_t id = test->id;
    test->kept = true;
    test->outcome = outcome_of(record);
    ledger_touch_test(ledger, id);
    vec_push(&pool->unrefined, id - 1);
    for (uint32_t i = 0; i < record->branches.len; i++) {
        uint32_t branch = record->branches.data[i];
        if (branch >= ledger->branches.len) continue;
        LedgerBranch *b = &ledger->branches.data[branch];
        b->reached = true;
        if (b->status != LEDGER_COVERED) ledger_set_text(&b->reason, NULL);
        ledger_touch_branch(ledger, branch);
    }
    if (record->end == END_BUG) take_bug(ledger, id, record, precondition);
    free(precondition);
    pool->shares[process->task].gained += record->branches.len + (bug == UINT32_MAX && record->end == END_BUG);
}

/* ---- refined tests ---- */

/* The refined run tells more of the objects than the one that was found. */
static void take_refined_bug(Campaign *campaign, const LedgerTest *test)
{
    LedgerBug *bug = &campaign->ledger->bugs.data[test->bug - 1];
    ledger_set_text(&bug->message, test->record.message);
    if (bug->test == test->id && !bug->precondition) bug->precondition = precondition_of(campaign, &test->record, true);
    ledger_touch_bug(campaign->ledger, test->bug - 1);
}

static void take_refined(Pool *pool, Process *process, const Message *message)
{
    Ledger *ledger = pool->campaign->ledger;
    if (message->number >= process->tests.len) return;
    uint32_t index = process->tests.data[message->number];
    LedgerTest *test = &ledger->tests.data[index];
    process->refined = message->number + 1;
    if (test->bug && (!message->record.bug || strcmp(message->record.bug, ledger->bugs.data[test->bug - 1].kind) != 0)) {
        campaign__drop_test(pool->campaign, index, "it does something else when it is executed again");
        return;
    }
    record_release(&test->record);
    record_copy(&test->record, &message->record);
    free(test->outcome);
    test->outcome = outcome_of(&test->record);
    test->refined = true;
    if (test->bug) take_refined_bug(pool->campaign, test);
    ledger_touch_test(ledger, test->id);
    if (pool->campaign->replayer) replayer_add(pool->campaign->replayer, index);
}

/* ---- how searches go on and end ---- */

static void add_totals(SearchProgress *totals, const SearchProgress *more, int sign)
{
    totals->runs += (uint64_t)sign * more->runs;
    totals->verified += (uint64_t)sign * more->verified;
    totals->unverified += (uint64_t)sign * more->unverified;
    totals->paths += (uint64_t)sign * more->paths;
    totals->instructions += (uint64_t)sign * more->instructions;
    totals->queries += (uint64_t)sign * more->queries;
    totals->work += (uint64_t)sign * more->work;
    totals->solver_seconds += sign * more->solver_seconds;
    totals->processor_seconds += sign * more->processor_seconds;
    totals->news_seconds += sign * more->news_seconds;
    loops_add_stats(&totals->loops, &more->loops, sign);
    if (more->peak_rss_kib > totals->peak_rss_kib) totals->peak_rss_kib = more->peak_rss_kib;
}

static void take_progress(Pool *pool, Process *process, const SearchProgress *progress)
{
    add_totals(&pool->campaign->totals, &process->progress, -1);
    add_totals(&pool->campaign->totals, progress, 1);
    process->progress = *progress;
}

/* All paths are known: what other searches of the unit had to leave out is of no interest any more. */
static void take_completeness(Pool *pool, const Process *process)
{
    const Task *task = &pool->tasks[process->task];
    pool->campaign->ledger->units.data[task->unit].complete = true;
    ledger_drop_losses(pool->campaign->ledger, task->name);
    campaign__end_others(pool, process);
}

static void take_done(Pool *pool, Process *process, const SearchProgress *progress)
{
    const Task *task = &pool->tasks[process->task];
    LedgerUnit *unit = &pool->campaign->ledger->units.data[task->unit];
    take_progress(pool, process, progress);
    process->done = true;
    unit->done |= progress->ended;
    ledger_touch_unit(pool->campaign->ledger, task->unit);
    pool->shares[process->task].complete += progress->complete;
    if (progress->knows_all || pool->shares[process->task].complete == pool->shares[process->task].searches)
        take_completeness(pool, process);
    if (progress->covered) campaign__end_others(pool, process);
    if (progress->found) pool->campaign->stopped = true;
}

static void take_reason(Campaign *campaign, uint32_t branch, const char *rank, const char *reason)
{
    Ledger *ledger = campaign->ledger;
    if (branch >= ledger->branches.len || ledger->branches.data[branch].reached || rank[0] - '0' < campaign->ranks[branch]) return;
    campaign->ranks[branch] = (uint8_t)(rank[0] - '0');
    ledger_set_text(&ledger->branches.data[branch].reason, reason);
    ledger_touch_branch(ledger, branch);
}

static void print_note(Pool *pool, const char *text)
{
    if (names_find(&pool->notes, text)) return;
    names_put(&pool->notes, text, 1);
    report_clear(pool->campaign->report);
    fprintf(stderr, "clew: %s\n", text);
}

static void take(Pool *pool, Process *process, Message *message)
{
    Ledger *ledger = pool->campaign->ledger;
    const Task *task = &pool->tasks[process->task];
    bool is_known = ledger->units.data[task->unit].complete; /* another search knew all paths before this one was ended */
    switch (message->kind) {
    case MESSAGE_TEST: take_test(pool, process, message); break;
    case MESSAGE_REFINED: take_refined(pool, process, message); break;
    case MESSAGE_LOSS:
        if (!is_known) ledger_add_loss(ledger, task->name, message->file, message->number, message->text);
        break;
    case MESSAGE_NOTE: print_note(pool, message->text); break;
    case MESSAGE_OPEN: take_reason(pool->campaign, message->number, message->file, message->text); break;
    case MESSAGE_SUMMARY: ledger_add_summary(ledger, &message->summary); break;
    case MESSAGE_PROGRESS: take_progress(pool, process, &message->progress); break;
    case MESSAGE_WAITS:
        take_progress(pool, process, &message->progress);
        process->waits = true;
        break;
    case MESSAGE_DONE: take_done(pool, process, &message->progress); break;
    case MESSAGE_ERROR: ledger_add_loss(ledger, task->name, "", 0, message->text); break;
    }
    record_release(&message->record);
}

void campaign__take_all(Pool *pool, Process *process)
{
    size_t at = 0, used;
    Message message;
    while (message_take(process->bytes.text + at, process->bytes.len - at, &message, &used)) {
        take(pool, process, &message);
        at += used;
    }
    if (at) memmove(process->bytes.text, process->bytes.text + at, process->bytes.len - at); /* a process that said nothing has no bytes */
    process->bytes.len -= at;
}
