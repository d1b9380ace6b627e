/* What an earlier command into the same directory has found out.
 *
 * If nothing has changed since (sources, headers, options, budget, Clew itself), its results are shown again.  Else its tests are run natively again, so
 * that everything which is called covered was seen to be covered in the program as it is now; tests that fail are told of, and left out.  A unit that is as it was, with all that its calls may come to,
 * is not searched again: its bugs count as shown, and branches that only such units can reach are not tried to be proved infeasible again if that failed before.  The
 * other units are searched as if there had been no earlier command, with the part of the budget that they would have had among all. */
#include "campaign/campaign_int.h"
#include "summary/summary.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CHANGES = 20 /* that are told one by one */ };

/* ---- is there anything to do? ---- */

static uint64_t hash_sources(const Decls *decls)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < decls->source_count; i++) hash = hash_mix(hash ^ decls->sources[i].hash);
    return hash;
}

static uint64_t hash_engine(void)
{
    struct stat file;
    if (stat("/proc/self/exe", &file) != 0) return 0;
    const uint64_t parts[] = {(uint64_t)file.st_size, (uint64_t)file.st_mtim.tv_sec, (uint64_t)file.st_mtim.tv_nsec};
    return hash_bytes(parts, sizeof parts);
}

LedgerIdentity campaign__identity(const Campaign *c)
{
    return (LedgerIdentity){.sources = c->decls ? hash_sources(c->decls) : 0,
                            .options = c->options->fingerprint,
                            .budget = c->options->budget,
                            .engine = hash_engine()};
}

static bool has_file(const char *directory, const char *name)
{
    char *path = mem_format("%s/%s", directory, name);
    bool there = access(path, R_OK) == 0;
    free(path);
    return there;
}

static bool has_suite(const Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        const char *path = ledger->tests.data[i].path;
        if (path && !has_file(ledger->directory, path)) return false;
    }
    return has_file(ledger->directory, "ledger.json") && has_file(ledger->directory, "contracts.json");
}

bool campaign__has_all(Campaign *c)
{
    const CampaignOptions *o = c->options;
    LedgerIdentity now = campaign__identity(c);
    Ledger *past;
    Error ignored;
    if (o->fresh || o->resume || o->alarms.len || ledger_read(&past, o->out, &ignored) != OK) return false;
    bool same = past->identity.sources == now.sources && past->identity.options == now.options && past->identity.budget == now.budget &&
                past->identity.engine == now.engine;
    if (same && past->ended && ledger_stat(past, "tests_not_confirmed") == 0 && has_suite(past)) {
        c->ledger = past;
        return true;
    }
    ledger_free(past);
    return false;
}

/* ---- branches: the same one has another number when code before it has changed ---- */

static void name_branch(const LedgerBranch *b, StrBuf *key)
{
    strbuf_clear(key);
    strbuf_addf(key, "%s\n%s\n%u %u", b->file, b->function, b->ordinal, b->which);
}

/* Per branch of the earlier command: its number now, or UINT32_MAX. */
static uint32_t *map_branches(const Ledger *past, const Ledger *now)
{
    uint32_t *numbers = mem_alloc((past->branches.len + 1) * sizeof *numbers);
    NameMap known = {0};
    StrBuf key = {0};
    for (uint32_t i = 0; i < now->branches.len; i++) {
        name_branch(&now->branches.data[i], &key);
        if (!names_find(&known, key.text)) names_put(&known, key.text, i);
    }
    for (uint32_t i = 0; i < past->branches.len; i++) {
        name_branch(&past->branches.data[i], &key);
        const uint32_t *number = names_find(&known, key.text);
        numbers[i] = number ? *number : UINT32_MAX;
    }
    names_release(&known);
    strbuf_release(&key);
    return numbers;
}

/* ---- units ---- */

static bool is_unchanged(const Ledger *past, const LedgerUnit *now, bool same_budget)
{
    const LedgerUnit *before = ledger_unit(past, now->name);
    return before && !before->problem && before->hash == now->hash && (before->done || (past->ended && same_budget));
}

/* A loss is of a line in the unit or in what it calls; lines of the unit's own file have moved as far as the unit has. */
static void take_losses(Ledger *ledger, const LedgerUnit *before, const LedgerUnit *now)
{
    const Ledger *past = ledger->past;
    for (uint32_t i = 0; i < past->losses.len; i++) {
        const LedgerLoss *loss = &past->losses.data[i];
        if (!loss->unit || strcmp(loss->unit, now->name) != 0) continue;
        bool own = loss->line && loss->file && before->file && strcmp(loss->file, before->file) == 0;
        ledger_add_loss(ledger, now->name, loss->file, own ? loss->line + now->line - before->line : loss->line, loss->reason);
    }
}

static void take_unit(Campaign *c, const Task *task)
{
    LedgerUnit *now = &c->ledger->units.data[task->unit];
    const LedgerUnit *before = ledger_unit(c->ledger->past, now->name);
    now->done = before->done;
    now->complete = before->complete;
    now->runs = before->runs;
    now->paths = before->paths;
    now->seconds = before->seconds;
    take_losses(c->ledger, before, now);
    ledger_touch_unit(c->ledger, task->unit);
}

/* ---- tests ---- */

typedef struct Taking {
    Campaign *campaign;
    const Ledger *past;
    Ledger *now;
    const Tasks *tasks;
    const uint32_t *numbers; /* per branch of the earlier command: its number now */
    uint32_t *bugs;          /* per bug of the earlier command: its index now plus 1, or 0 */
} Taking;

static bool unit_is_unchanged(const Tasks *tasks, const char *unit)
{
    for (uint32_t i = 0; i < tasks->len; i++)
        if (strcmp(tasks->data[i].name, unit) == 0) return tasks->data[i].unchanged;
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* In place; branches that are there no longer are left out. */
static void renumber(const Taking *t, uint32_t *branches, uint32_t *count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (branches[i] < t->past->branches.len && t->numbers[branches[i]] != UINT32_MAX) branches[kept++] = t->numbers[branches[i]];
    *count = kept;
    if (kept > 1) qsort(branches, kept, sizeof *branches, compare_numbers);
}

/* How far the lines of a function have moved, by a branch in it that is still there. */
static int64_t moved_by(const Taking *t, const char *file, const char *function)
{
    for (uint32_t i = 0; i < t->past->branches.len; i++) {
        const LedgerBranch *b = &t->past->branches.data[i];
        if (t->numbers[i] == UINT32_MAX || strcmp(b->function, function) != 0 || strcmp(b->file, file) != 0) continue;
        return (int64_t)t->now->branches.data[t->numbers[i]].line - b->line;
    }
    const LedgerUnit *before = ledger_unit(t->past, function), *now = ledger_unit(t->now, function);
    return before && now ? (int64_t)now->line - before->line : 0;
}

/* A bug in code that is as it was: the native run that has shown it counts. */
static uint32_t take_bug(const Taking *t, uint32_t index, uint32_t test)
{
    LedgerBug bug = t->past->bugs.data[index];
    if (t->bugs[index]) return t->bugs[index];
    bug.line = (uint32_t)(bug.line + moved_by(t, bug.file, bug.function));
    bug.test = test;
    ledger_add_bug(t->now, &bug);
    return t->bugs[index] = t->now->bugs.len;
}

static void know(const Taking *t, const Record *record)
{
    bool is_ordinary = record->end != END_BUG && record->end != END_ASSUMPTION && record->end != END_SIGNAL;
    for (uint32_t i = 0; i < record->taken.len; i++) {
        uint32_t branch = record->taken.data[i];
        t->now->branches.data[branch].reached = true;
        if (is_ordinary) t->campaign->known[branch] = KNOWN_REACHED;
        ledger_touch_branch(t->now, branch);
    }
}

static bool is_witness(const Ledger *past, const LedgerTest *test)
{
    for (uint32_t i = 0; i < past->branches.len; i++)
        if (past->branches.data[i].counted && past->branches.data[i].status == LEDGER_COVERED && past->branches.data[i].test == test->id)
            return true;
    return false;
}

static void take_test(const Taking *t, const LedgerTest *before, bool unchanged)
{
    Record record;
    record_copy(&record, &before->record);
    renumber(t, record.branches.data, &record.branches.len);
    renumber(t, record.taken.data, &record.taken.len);
    if (record.bug) record.line = (uint32_t)(record.line + moved_by(t, record.file, record.function));
    LedgerTest *test = ledger_add_test(t->now, before->unit, &record);
    ledger_set_text(&test->outcome, before->outcome);
    test->refined = true;
    if (unchanged) know(t, &record);
    if (before->bug) {
        uint32_t id = test->id, bug = take_bug(t, before->bug - 1, id);
        test = &t->now->tests.data[id - 1];
        test->bug = bug;
        test->replayed = before->replayed && !is_witness(t->past, before); /* a run that shows a bug may be all that covers a branch */
    }
    record_release(&record);
}

/* Of a unit that has changed, the search looks for bugs anew. */
static bool is_wanted(const Taking *t, const LedgerTest *before, bool unchanged)
{
    if (before->trouble || !before->path || !before->refined || (before->bug && !unchanged)) return false;
    const LedgerUnit *unit = ledger_unit(t->now, before->unit);
    return unit && !unit->problem;
}

static void take_tests(Campaign *c, const Tasks *tasks, const uint32_t *numbers)
{
    Taking t = {c, c->ledger->past, c->ledger, tasks, numbers, NULL};
    t.bugs = mem_alloc((t.past->bugs.len + 1) * sizeof *t.bugs);
    for (uint32_t i = 0; i < t.past->tests.len; i++) {
        const LedgerTest *before = &t.past->tests.data[i];
        bool unchanged = before->unit && unit_is_unchanged(tasks, before->unit);
        if (!before->unit || !is_wanted(&t, before, unchanged)) continue;
        take_test(&t, before, unchanged);
        vec_push(&c->carried, i);
    }
    free(t.bugs);
}

/* ---- the whole ---- */

/* Branches that the earlier command left open, and that nothing which has changed can reach. */
static uint8_t *find_settled(const Campaign *c, const Tasks *tasks, const uint32_t *numbers)
{
    const Ledger *past = c->ledger->past;
    uint8_t *settled = mem_alloc(c->program->branch_count + 1);
    for (uint32_t i = 0; i < past->branches.len; i++)
        if (numbers[i] != UINT32_MAX && past->branches.data[i].status == LEDGER_OPEN && past->ended) settled[numbers[i]] = 1;
    for (uint32_t i = 0; i < tasks->len; i++) {
        if (tasks->data[i].unchanged) continue;
        uint8_t *reachable = campaign__reachable(c, &tasks->data[i]);
        for (uint32_t k = 0; k < c->program->branch_count; k++)
            if (reachable[k]) settled[k] = 0;
        free(reachable);
    }
    return settled;
}

static void tell_kept(const Campaign *c, uint32_t kept, uint32_t all)
{
    if (c->options->json || c->options->quiet) return;
    report_clear(c->report);
    if (kept)
        fprintf(stderr,
                "clew: %u of %u functions are as they were at the last command, and are not searched again (--fresh searches all)\n", kept,
                all);
}

void campaign__take_earlier(Campaign *c, CampaignOptions *o, Tasks *tasks)
{
    const Ledger *past = c->ledger->past;
    LedgerIdentity now = campaign__identity(c);
    uint32_t kept = 0;
    if (!past || o->fresh || past->identity.options != now.options || past->identity.engine != now.engine) return;
    uint32_t *numbers = map_branches(past, c->ledger);
    for (uint32_t i = 0; i < tasks->len; i++) {
        Task *task = &tasks->data[i];
        task->unchanged = is_unchanged(past, &c->ledger->units.data[task->unit], past->identity.budget == now.budget);
        if (task->unchanged) take_unit(c, task);
        kept += task->unchanged;
    }
    take_tests(c, tasks, numbers);
    c->settled = find_settled(c, tasks, numbers);
    if (kept) {
        c->search_part = (double)(tasks->len - kept) / tasks->len;
        if (o->search.work) o->search.work = o->search.work * (tasks->len - kept) / tasks->len + 1;
    }
    tell_kept(c, kept, tasks->len);
    free(numbers);
}

void campaign__explain_earlier(Campaign *c)
{
    const Ledger *past = c->ledger->past;
    if (!past || !c->settled) return;
    uint32_t *numbers = map_branches(past, c->ledger);
    for (uint32_t i = 0; i < past->branches.len; i++) {
        LedgerBranch *b = numbers[i] == UINT32_MAX ? NULL : &c->ledger->branches.data[numbers[i]];
        if (!b || !c->settled[numbers[i]] || b->status != LEDGER_OPEN || b->reason) continue;
        ledger_set_text(&b->reason, past->branches.data[i].reason);
        ledger_touch_branch(c->ledger, b->id);
    }
    free(numbers);
}

/* ---- tests that fail now ---- */

void campaign__tell_changes(Campaign *c)
{
    uint32_t told = 0;
    for (uint32_t i = 0; i < c->carried.len; i++) {
        const LedgerTest *test = &c->ledger->tests.data[i], *before = &c->ledger->past->tests.data[c->carried.data[i]];
        if (!test->trouble || told++ >= MOST_CHANGES) continue;
        report_clear(c->report);
        fprintf(stderr, "clew: changed: %s passed before and does not pass now: %s\n", before->name ? before->name : before->path,
                test->trouble);
    }
    if (told > MOST_CHANGES) fprintf(stderr, "clew: changed: and %u more\n", told - MOST_CHANGES);
}
