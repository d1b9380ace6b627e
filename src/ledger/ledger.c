/* ledger: the tables in memory.
 *
 * Entries are never removed and their numbers never change, so the database holds the same rows under the same numbers, and a commit writes those
 * that were added or touched since the last one. */
#include "ledger/ledger_int.h"

#include <signal.h>
#include <stdlib.h>

/* ---- the whole ---- */

Ledger *ledger__new(const char *directory)
{
    Ledger *ledger = mem_alloc(sizeof *ledger);
    ledger->directory = mem_strdup(directory);
    ledger->store = mem_alloc(sizeof *ledger->store);
    return ledger;
}

Status ledger_open(Ledger **ledger, const char *directory, const char *target, const LedgerIdentity *identity, bool resume, Error *error)
{
    *ledger = NULL;
    if (ledger__prepare_directory(directory, error) != OK) return FAILED;
    Ledger *opened = ledger__new(directory);
    opened->target = mem_strdup(target);
    opened->identity = *identity;
    if (ledger__store_open(opened, resume, error) != OK) {
        ledger_free(opened);
        return FAILED;
    }
    *ledger = opened;
    return OK;
}

Status ledger_read(Ledger **ledger, const char *directory, Error *error)
{
    Ledger *opened = ledger__new(directory);
    *ledger = NULL;
    if (ledger__store_read(opened, error) != OK) {
        ledger_free(opened);
        return FAILED;
    }
    *ledger = opened;
    return OK;
}

static void free_branch(LedgerBranch *branch)
{
    free(branch->function);
    free(branch->file);
    free(branch->outcome);
    free(branch->proof);
    free(branch->reason);
}

static void free_test(LedgerTest *test)
{
    free(test->unit);
    free(test->path);
    free(test->name);
    free(test->outcome);
    free(test->trouble);
    vec_release(&test->covers);
    record_release(&test->record);
}

static void free_bug(LedgerBug *bug)
{
    free(bug->kind);
    free(bug->function);
    free(bug->file);
    free(bug->message);
    free(bug->evidence);
    free(bug->unit);
    free(bug->precondition);
}

static void free_unit(LedgerUnit *unit)
{
    free(unit->name);
    free(unit->file);
    free(unit->problem);
    for (uint32_t i = 0; i < unit->assumptions.len; i++) free(vec_at(&unit->assumptions, i));
    vec_release(&unit->assumptions);
}

static void free_loss(LedgerLoss *loss)
{
    free(loss->unit);
    free(loss->file);
    free(loss->reason);
}

static void free_alarm(LedgerAlarm *alarm)
{
    free(alarm->tool);
    free(alarm->rule);
    free(alarm->message);
    free(alarm->file);
    free(alarm->proof);
    free(alarm->reason);
}

static void free_tables(Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->alarms.len; i++) free_alarm(&vec_at(&ledger->alarms, i));
    vec_release(&ledger->alarms);
    for (uint32_t i = 0; i < ledger->branches.len; i++) free_branch(&vec_at(&ledger->branches, i));
    for (uint32_t i = 0; i < ledger->tests.len; i++) free_test(&vec_at(&ledger->tests, i));
    for (uint32_t i = 0; i < ledger->bugs.len; i++) free_bug(&vec_at(&ledger->bugs, i));
    for (uint32_t i = 0; i < ledger->units.len; i++) free_unit(&vec_at(&ledger->units, i));
    for (uint32_t i = 0; i < ledger->losses.len; i++) free_loss(&vec_at(&ledger->losses, i));
    for (uint32_t i = 0; i < ledger->stats.len; i++) free(vec_at(&ledger->stats, i).name);
    ledger__free_summaries(ledger);
    vec_release(&ledger->branches);
    vec_release(&ledger->tests);
    vec_release(&ledger->bugs);
    vec_release(&ledger->units);
    vec_release(&ledger->losses);
    vec_release(&ledger->stats);
}

void ledger_free(Ledger *ledger)
{
    if (!ledger) return;
    ledger_free(ledger->past);
    free_tables(ledger);
    ledger__store_close(ledger->store);
    for (unsigned kind = 0; kind < LEDGER_KINDS; kind++) {
        vec_release(&ledger->store->changes[kind].list);
        vec_release(&ledger->store->changes[kind].marked);
    }
    names_release(&ledger->store->known_losses);
    free(ledger->store);
    free(ledger->directory);
    free(ledger->target);
    free(ledger);
}

/* ---- changes ---- */

void ledger__mark(Ledger *ledger, LedgerKind kind, uint32_t index)
{
    LedgerChanges *changes = &ledger->store->changes[kind];
    while (changes->marked.len <= index) vec_push(&changes->marked, 0);
    if (vec_at(&changes->marked, index)) return;
    vec_at(&changes->marked, index) = 1;
    vec_push(&changes->list, index);
}

void ledger_touch_branch(Ledger *ledger, uint32_t id)
{
    REQUIRE(id < ledger->branches.len, "there is no such branch in the ledger");
    ledger__mark(ledger, LEDGER_BRANCHES, id);
}

void ledger_touch_test(Ledger *ledger, uint32_t id)
{
    REQUIRE(id >= 1 && id <= ledger->tests.len, "there is no such test in the ledger");
    ledger__mark(ledger, LEDGER_TESTS, id - 1);
}

void ledger_touch_bug(Ledger *ledger, uint32_t index)
{
    REQUIRE(index < ledger->bugs.len, "there is no such bug in the ledger");
    ledger__mark(ledger, LEDGER_BUGS, index);
}

void ledger_touch_unit(Ledger *ledger, uint32_t index)
{
    REQUIRE(index < ledger->units.len, "there is no such unit in the ledger");
    ledger__mark(ledger, LEDGER_UNITS, index);
}

/* ---- entries ---- */

static char *copy_text(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

void ledger_set_text(char **field, const char *text)
{
    char *copy = copy_text(text); /* first: text may be the field's own */
    free(*field);
    *field = copy;
}

LedgerBranch *ledger_add_branch(Ledger *ledger, const LedgerBranch *branch)
{
    LedgerBranch entry = *branch;
    REQUIRE(branch->id == ledger->branches.len, "branches are entered in the order of their ids");
    entry.function = copy_text(branch->function);
    entry.file = copy_text(branch->file);
    entry.outcome = copy_text(branch->outcome);
    entry.proof = copy_text(branch->proof);
    entry.reason = copy_text(branch->reason);
    vec_push(&ledger->branches, entry);
    ledger__mark(ledger, LEDGER_BRANCHES, entry.id);
    return &vec_top(&ledger->branches);
}

/* What is known of the end without the unit's types; the campaign may say it better. */
static char *describe_end(const Record *record)
{
    const char *name = sigabbrev_np(record->status);
    switch (record->end) {
    case END_RETURN: return mem_strdup("returns");
    case END_EXIT: return mem_format("exit %d", record->status);
    case END_SIGNAL: return name ? mem_format("signal SIG%s", name) : mem_format("signal %d", record->status);
    case END_BUG: return mem_format("bug %s", record->bug ? record->bug : "");
    case END_ASSUMPTION: return mem_strdup("assumption");
    case END_INPUTS: return mem_strdup("goes on");
    case END_IDLE: return mem_strdup("idles");
    case END_LIMIT: break;
    }
    return mem_strdup("limit");
}

LedgerTest *ledger_add_test(Ledger *ledger, const char *unit, const Record *record)
{
    LedgerTest entry = {.id = ledger->tests.len + 1, .unit = copy_text(unit), .outcome = describe_end(record), .kept = true};
    record_copy(&entry.record, record);
    vec_push(&ledger->tests, entry);
    ledger__mark(ledger, LEDGER_TESTS, entry.id - 1);
    return &vec_top(&ledger->tests);
}

LedgerBug *ledger_add_bug(Ledger *ledger, const LedgerBug *bug)
{
    LedgerBug entry = *bug;
    entry.kind = copy_text(bug->kind);
    entry.function = copy_text(bug->function);
    entry.file = copy_text(bug->file);
    entry.message = copy_text(bug->message);
    entry.evidence = copy_text(bug->evidence);
    entry.unit = copy_text(bug->unit);
    entry.precondition = copy_text(bug->precondition);
    vec_push(&ledger->bugs, entry);
    ledger__mark(ledger, LEDGER_BUGS, ledger->bugs.len - 1);
    return &vec_top(&ledger->bugs);
}

LedgerUnit *ledger_add_unit(Ledger *ledger, const char *name, const char *file, uint32_t line)
{
    vec_push(&ledger->units, ((LedgerUnit){.name = mem_strdup(name), .file = copy_text(file), .line = line}));
    ledger__mark(ledger, LEDGER_UNITS, ledger->units.len - 1);
    return &vec_top(&ledger->units);
}

LedgerUnit *ledger_unit(const Ledger *ledger, const char *name)
{
    for (uint32_t i = 0; i < ledger->units.len; i++)
        if (strcmp(vec_at(&ledger->units, i).name, name) == 0) return &vec_at(&ledger->units, i);
    return NULL;
}

bool ledger__new_loss(Ledger *ledger, const LedgerLoss *loss)
{
    StrBuf key = {0};
    strbuf_addf(&key, "%s\n%s\n%u\n%s", loss->unit ? loss->unit : "", loss->file ? loss->file : "", loss->line, loss->reason);
    bool is_new = !names_find(&ledger->store->known_losses, key.text);
    if (is_new) names_put(&ledger->store->known_losses, key.text, 1);
    strbuf_release(&key);
    return is_new;
}

void ledger_add_loss(Ledger *ledger, const char *unit, const char *file, uint32_t line, const char *reason)
{
    LedgerLoss loss = {(char *)(uintptr_t)unit, (char *)(uintptr_t)file, line, (char *)(uintptr_t)reason};
    REQUIRE(reason, "a loss has a reason");
    if (!ledger__new_loss(ledger, &loss)) return;
    vec_push(&ledger->losses, ((LedgerLoss){copy_text(unit), copy_text(file), line, mem_strdup(reason)}));
    ledger__mark(ledger, LEDGER_LOSSES, ledger->losses.len - 1);
}

static void forget_loss(LedgerLoss *loss)
{
    free(loss->unit);
    free(loss->file);
    free(loss->reason);
}

void ledger_drop_losses(Ledger *ledger, const char *unit)
{
    LedgerChanges *changes = &ledger->store->changes[LEDGER_LOSSES];
    uint32_t kept = 0;
    names_release(&ledger->store->known_losses);
    for (uint32_t i = 0; i < changes->list.len; i++) vec_at(&changes->marked, vec_at(&changes->list, i)) = 0;
    vec_clear(&changes->list);
    for (uint32_t i = 0; i < ledger->losses.len; i++) {
        LedgerLoss loss = ledger->losses.data[i];
        if (loss.unit && strcmp(loss.unit, unit) == 0) {
            forget_loss(&loss);
            continue;
        }
        ledger__new_loss(ledger, &loss);
        ledger->losses.data[kept] = loss;
        ledger__mark(ledger, LEDGER_LOSSES, kept++);
    }
    ledger->losses.len = kept;
    ledger->store->losses_dropped = true;
}

static LedgerStat *find_stat(const Ledger *ledger, const char *name)
{
    for (uint32_t i = 0; i < ledger->stats.len; i++)
        if (strcmp(vec_at(&ledger->stats, i).name, name) == 0) return &vec_at(&ledger->stats, i);
    return NULL;
}

void ledger_set_stat(Ledger *ledger, const char *name, double value)
{
    LedgerStat *stat = find_stat(ledger, name);
    if (!stat) {
        vec_push(&ledger->stats, ((LedgerStat){.name = mem_strdup(name)}));
        stat = &vec_top(&ledger->stats);
    }
    stat->value = value;
    ledger__mark(ledger, LEDGER_STATS, (uint32_t)(stat - ledger->stats.data));
}

double ledger_stat(const Ledger *ledger, const char *name)
{
    const LedgerStat *stat = find_stat(ledger, name);
    return stat ? stat->value : 0;
}

const char *ledger__check(const Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        if (vec_at(&ledger->branches, i).test > ledger->tests.len) return "a branch is covered by a test that does not exist";
        if (vec_at(&ledger->branches, i).status > LEDGER_INFEASIBLE) return "a branch has an unknown status";
    }
    for (uint32_t i = 0; i < ledger->tests.len; i++)
        for (uint32_t k = 0; k < vec_at(&ledger->tests, i).covers.len; k++)
            if (vec_at(&ledger->tests, i).covers.data[k] >= ledger->branches.len) return "a test covers a branch that does not exist";
    for (uint32_t i = 0; i < ledger->tests.len; i++)
        if (vec_at(&ledger->tests, i).bug > ledger->bugs.len) return "a test shows a bug that does not exist";
    for (uint32_t i = 0; i < ledger->bugs.len; i++)
        if (vec_at(&ledger->bugs, i).test > ledger->tests.len) return "a bug is shown by a test that does not exist";
    return NULL;
}
