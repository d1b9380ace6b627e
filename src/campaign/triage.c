/* Alarms of other tools: which of them are real?
 *
 * An alarm is *confirmed* by a bug of the kind that it warns of, on its line, that a native run of a test has shown.  It is *refuted* if no execution comes to
 * its line: all code of the line lies behind branches with accepted proofs.  Nothing else refutes an alarm; a search that found nothing leaves it *open*.
 * Only alarms about executions are refuted: a style warning stays true of code that is never executed.
 *
 * A result file that cannot be read, a file that is not part of the program and a line that its file does not have cost one message each; the alarms
 * concerned are left out, and nothing else changes. */
#include "campaign/campaign_int.h"

#include <stdio.h>
#include <stdlib.h>

void campaign__read_alarms(Campaign *c)
{
    for (uint32_t i = 0; i < c->options->alarms.len; i++) {
        Error error;
        if (alarms_read(c->options->alarms.data[i], &c->alarms, &error) != OK)
            fprintf(stderr, "clew: %s; its alarms are left out\n", error.text);
    }
}

/* ---- places ---- */

enum { NOWHERE = UINT32_MAX };

/* A name that the program's code has for a file.  Names that mean the same file share its number. */
typedef struct FileName {
    const char *name;
    char *path; /* absolute, if the file is there */
    uint32_t file;
} FileName;

typedef struct Triage {
    const Campaign *campaign;
    Vec(FileName) names;
    NameMap told; /* names of files in alarms that a message was printed about */
} Triage;

static char *real_path(const char *name)
{
    char *path = realpath(name, NULL);
    return path ? path : mem_strdup(name);
}

static void add_name(Triage *t, const char *name)
{
    if (t->names.len && strcmp(t->names.data[t->names.len - 1].name, name) == 0) return;
    for (uint32_t i = 0; i < t->names.len; i++)
        if (strcmp(t->names.data[i].name, name) == 0) return;
    FileName entry = {.name = name, .path = real_path(name), .file = t->names.len};
    for (uint32_t i = t->names.len; i-- > 0;)
        if (strcmp(t->names.data[i].path, entry.path) == 0) entry.file = i;
    vec_push(&t->names, entry);
}

static bool is_users(const Function *f)
{
    return f->defined && !f->in_model && !f->in_harness;
}

static void find_names(Triage *t)
{
    const Program *program = t->campaign->program;
    for (uint32_t i = 0; i < program->function_count; i++) {
        const Function *f = &program->functions[i];
        for (uint32_t k = 0; is_users(f) && k < f->code_count; k++)
            if (f->code[k].loc && program->locs[f->code[k].loc].file) add_name(t, program->locs[f->code[k].loc].file);
    }
}

static bool is_named(const Triage *t, uint32_t file, const char *name)
{
    for (uint32_t i = 0; i < t->names.len; i++)
        if (t->names.data[i].file == file && strcmp(t->names.data[i].name, name) == 0) return true;
    return false;
}

static bool ends_with_path(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n >= k && strcmp(path + n - k, end) == 0 && (n == k || path[n - k - 1] == '/');
}

/* Tools name files from where they were run, so the names may differ in directories at the front.  `count`: how many files it may be. */
static uint32_t find_file(const Triage *t, const char *wanted, uint32_t *count)
{
    uint32_t found = NOWHERE;
    char *path = real_path(wanted);
    while (strncmp(wanted, "./", 2) == 0) wanted += 2;
    *count = 0;
    for (uint32_t i = 0; i < t->names.len; i++) {
        const FileName *n = &t->names.data[i];
        bool is_same = strcmp(n->path, path) == 0;
        if (is_same) *count = 0;
        if (n->file != i || !(is_same || ends_with_path(n->path, wanted) || ends_with_path(wanted, n->name))) continue;
        found = n->file;
        ++*count;
        if (is_same) break;
    }
    free(path);
    return found;
}

/* 0: the file cannot be read. */
static uint32_t count_lines(const char *path)
{
    uint32_t lines = 0;
    int last = '\n';
    FILE *in = fopen(path, "r");
    if (!in) return 0;
    for (int c; (c = getc(in)) != EOF; last = c) lines += last == '\n';
    fclose(in);
    return lines;
}

/* The file of the alarm; NOWHERE, after a message, if the program has no such place. */
static uint32_t locate(Triage *t, const Alarm *alarm)
{
    uint32_t count, file = find_file(t, alarm->file, &count);
    if (count != 1) {
        if (names_find(&t->told, alarm->file)) return NOWHERE;
        names_put(&t->told, alarm->file, 1);
        if (count) fprintf(stderr, "clew: %s may be any of %u files of the program: alarms about it are left out\n", alarm->file, count);
        else fprintf(stderr, "clew: the program has no code of %s: alarms about it are left out\n", alarm->file);
        return NOWHERE;
    }
    uint32_t lines = count_lines(t->names.data[file].path);
    if (!lines || alarm->line <= lines) return file;
    fprintf(stderr, "clew: %s:%u: there is no such line (%s is about another version of the file?): the alarm %s is left out\n",
            alarm->file, alarm->line, alarm->tool, alarm->rule);
    return NOWHERE;
}

static bool stands_on(const Triage *t, const Function *f, uint32_t block, uint32_t file, uint32_t line)
{
    for (uint32_t i = f->blocks[block].first; i < f->blocks[block].first + f->blocks[block].count; i++) {
        const Loc *loc = &t->campaign->program->locs[f->code[i].loc];
        if (loc->line == line && loc->file && is_named(t, file, loc->file)) return true;
    }
    return false;
}

/* ---- proofs ---- */

/* The proof, if all outcomes that lead from one block to the other are proved infeasible; NULL: they are not.  A jump has no outcome and stays. */
static const char *refuted_edge(const Campaign *c, uint32_t function, uint32_t from, uint32_t to)
{
    const char *proof = NULL;
    for (uint32_t i = 0; i < c->program->branch_count && i < c->ledger->branches.len; i++) {
        const Branch *b = &c->program->branches[i];
        if (b->function != function || b->block != from || b->target != to) continue;
        if (c->ledger->branches.data[i].status != LEDGER_INFEASIBLE) return NULL;
        proof = c->ledger->branches.data[i].proof;
    }
    return proof;
}

/* Marks the blocks that executions may come to from this one. */
static void mark_reachable(const Campaign *c, uint32_t function, uint32_t block, uint8_t *reachable, bool heeds_proofs)
{
    const Function *f = &c->program->functions[function];
    Vec(uint32_t) work = {0};
    vec_push(&work, block);
    reachable[block] = 1;
    while (work.len) {
        uint32_t at = work.data[--work.len];
        for (uint32_t i = 0; i < f->blocks[at].successor_count; i++) {
            uint32_t to = f->blocks[at].successors[i];
            if (reachable[to] || (heeds_proofs && refuted_edge(c, function, at, to))) continue;
            reachable[to] = 1;
            vec_push(&work, to);
        }
    }
    vec_release(&work);
}

/* The proof of a branch behind which code of the line stands; NULL: there is none. */
static const char *proof_before(const Campaign *c, uint32_t function, const uint8_t *reachable, const uint8_t *here)
{
    const Function *f = &c->program->functions[function];
    const char *found = NULL;
    for (uint32_t from = 0; from < f->block_count && !found; from++)
        for (uint32_t i = 0; reachable[from] && i < f->blocks[from].successor_count && !found; i++) {
            uint32_t to = f->blocks[from].successors[i];
            const char *proof = reachable[to] ? NULL : refuted_edge(c, function, from, to);
            uint8_t *behind = mem_alloc(f->block_count + 1);
            if (proof) mark_reachable(c, function, to, behind, false);
            for (uint32_t b = 0; b < f->block_count; b++)
                if (behind[b] && here[b]) found = proof;
            free(behind);
        }
    return found;
}

typedef struct Line {
    bool has_code, is_reachable;
    const char *proof;
} Line;

static void look_into(const Triage *t, uint32_t function, uint32_t file, uint32_t number, Line *line)
{
    const Campaign *c = t->campaign;
    const Function *f = &c->program->functions[function];
    uint8_t *here = mem_alloc(f->block_count + 1), *reachable = mem_alloc(f->block_count + 1);
    bool any = false;
    for (uint32_t b = 0; b < f->block_count; b++) any |= here[b] = stands_on(t, f, b, file, number);
    if (any) mark_reachable(c, function, 0, reachable, true);
    for (uint32_t b = 0; b < f->block_count; b++) line->is_reachable |= here[b] && reachable[b];
    const char *proof = any ? proof_before(c, function, reachable, here) : NULL;
    if (proof) line->proof = proof;
    line->is_reachable |= any && !proof; /* dead code without a proof refutes nothing */
    line->has_code |= any;
    free(here);
    free(reachable);
}

static Line look_at(const Triage *t, uint32_t file, uint32_t number)
{
    Line line = {0};
    const Program *program = t->campaign->program;
    for (uint32_t i = 0; i < program->function_count; i++)
        if (is_users(&program->functions[i])) look_into(t, i, file, number, &line);
    return line;
}

/* ---- verdicts ---- */

/* A bug that a native run has shown comes before one that only Clew's machine has, and a bug of the function before a broken precondition. */
static unsigned evidence(const LedgerBug *bug)
{
    return bug->confirmed ? bug->precondition ? 2 : 3 : 1;
}

/* The alarm's own word for that kind; NULL: the alarm does not warn of it. */
static const char *kind_among(const Alarm *alarm, const char *kind)
{
    const char *const *k = alarm->kinds;
    while (*k && strcmp(*k, kind) != 0) k++;
    return *k;
}

/* The bug that the alarm warns of, with the best evidence; NULL: none. */
static const LedgerBug *find_bug(const Triage *t, const Alarm *alarm, uint32_t file)
{
    const LedgerBug *found = NULL;
    const Ledger *ledger = t->campaign->ledger;
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        const LedgerBug *bug = &ledger->bugs.data[i];
        if (bug->line != alarm->line || !is_named(t, file, bug->file) || !kind_among(alarm, bug->kind)) continue;
        if (!found || evidence(bug) > evidence(found)) found = bug;
    }
    return found;
}

static void judge(const Triage *t, const Alarm *alarm, uint32_t file, LedgerAlarm *entry)
{
    const LedgerBug *bug = find_bug(t, alarm, file);
    Line line = look_at(t, file, alarm->line);
    if (bug) entry->kind = kind_among(alarm, bug->kind);
    entry->bug = bug && bug->confirmed ? (uint32_t)(bug - t->campaign->ledger->bugs.data) + 1 : 0;
    if (bug && evidence(bug) == 3) {
        entry->verdict = ALARM_CONFIRMED;
    } else if (bug && bug->precondition) {
        entry->reason = mem_format("only calls that break the precondition %s have shown it", bug->precondition);
    } else if (bug) {
        entry->reason = mem_strdup("an execution in Clew's machine has shown it, but no native run has confirmed it");
    } else if (!line.has_code) {
        entry->reason = mem_strdup("no code that was tested stands on this line");
    } else if (!alarm->kinds[0]) {
        entry->reason = mem_strdup("Clew has no check for it");
    } else if (!line.is_reachable && line.proof) {
        entry->verdict = ALARM_REFUTED;
        entry->proof = mem_strdup(line.proof);
    } else {
        entry->reason = mem_strdup("no test has shown it");
    }
}

/* ---- the list ---- */

/* Confirmed alarms; open ones that something speaks for; other open ones that Clew has a check for; open ones without a check; refuted ones. */
static unsigned standing(const LedgerAlarm *alarm)
{
    if (alarm->verdict == ALARM_CONFIRMED) return 0;
    if (alarm->verdict == ALARM_REFUTED) return 4;
    return !alarm->kind ? 3 : alarm->bug ? 1 : 2;
}

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_standing(const void *a, const void *b)
{
    const LedgerAlarm *x = a, *y = b;
    int order = compare(standing(x), standing(y));
    if (!order) order = compare(ledger_kind_severity(x->kind), ledger_kind_severity(y->kind));
    if (!order) order = strcmp(x->file, y->file);
    if (!order) order = compare(x->line, y->line);
    if (!order) order = strcmp(x->tool, y->tool);
    return order ? order : strcmp(x->rule, y->rule);
}

static void add_entry(Triage *t, const Alarm *alarm)
{
    uint32_t file = locate(t, alarm);
    if (file == NOWHERE) return;
    LedgerAlarm entry = {.line = alarm->line, .kind = alarm->kinds[0], .verdict = ALARM_OPEN};
    judge(t, alarm, file, &entry);
    entry.tool = mem_strdup(alarm->tool);
    entry.rule = mem_strdup(alarm->rule);
    entry.message = mem_strdup(alarm->message);
    entry.file = mem_strdup(t->names.data[file].name);
    vec_push(&t->campaign->ledger->alarms, entry);
}

void campaign__triage(Campaign *c)
{
    Ledger *ledger = c->ledger;
    Triage t = {.campaign = c};
    if (!c->alarms.len) return;
    find_names(&t);
    for (uint32_t i = 0; i < c->alarms.len; i++) add_entry(&t, &c->alarms.data[i]);
    if (ledger->alarms.len) qsort(ledger->alarms.data, ledger->alarms.len, sizeof *ledger->alarms.data, by_standing);
    for (uint32_t i = 0; i < t.names.len; i++) free(t.names.data[i].path);
    vec_release(&t.names);
    names_release(&t.told);
}
