/* report: what a ledger has to say to a person, as rows of text.
 *
 * Words are used as the ledger uses them: *covered* and *bug* only for what a native run has shown.  Without a replay there are branches reached and
 * possible bugs.  Open branches with the same reason share a row; assumptions that several functions share, too. */
#include "report/report_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

enum { PLACES = 3 /* shown of a group */, TARGET_COLUMNS = 40 };

/* ---- words ---- */

static const char *or_unknown(const char *text)
{
    return text && *text ? text : "?";
}

const char *report__relative(const char *file)
{
    char here[4096];
    size_t n = getcwd(here, sizeof here - 1) ? strlen(here) : 0;
    if (n > 1 && file && strncmp(file, here, n) == 0 && file[n] == '/') return file + n + 1;
    if (file && strncmp(file, "./", 2) == 0 && file[2]) return file + 2;
    return or_unknown(file);
}

static void add_count(StrBuf *out, uint64_t n, const char *one, const char *many)
{
    strbuf_addf(out, "%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

static void add_row(Summary *summary, SectionName name, StrBuf *text, char *tail)
{
    vec_push(&summary->sections[name].rows, ((SectionRow){text->text, tail}));
    *text = (StrBuf){0};
}

static void add_place(StrBuf *out, const char *file, uint32_t line)
{
    strbuf_add(out, report__relative(file));
    if (line) strbuf_addf(out, ":%u", line);
}

static const LedgerTest *test_of(const Ledger *ledger, uint32_t id)
{
    return id >= 1 && id <= ledger->tests.len ? &vec_at(&ledger->tests, id - 1) : NULL;
}

static char *written_path(const Ledger *ledger, uint32_t test)
{
    const LedgerTest *found = test_of(ledger, test);
    return found && found->path ? mem_format("%s/%s", report__relative(ledger->directory), found->path) : NULL;
}

static bool is_listed(const LedgerTest *test)
{
    return test->kept || test->bug;
}

/* ---- the headline ---- */

/* A bug's program is a test too if a branch rests on it. */
static bool covers(const Ledger *ledger, const LedgerTest *test)
{
    bool rests = !test->bug;
    for (uint32_t i = 0; i < ledger->branches.len && !rests; i++)
        rests = ledger->branches.data[i].counted && ledger->branches.data[i].test == test->id;
    return is_listed(test) && rests;
}

typedef struct Counts {
    uint32_t branches, covered, reached, infeasible, tests, bugs, possible, preconditions, suppressed;
} Counts;

static Counts count(const Ledger *ledger)
{
    Counts counts = {0};
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        const LedgerBranch *branch = &vec_at(&ledger->branches, i);
        if (!branch->counted) continue;
        counts.branches++;
        counts.covered += branch->status == LEDGER_COVERED;
        counts.infeasible += branch->status == LEDGER_INFEASIBLE;
        counts.reached += branch->reached || branch->status == LEDGER_COVERED;
    }
    for (uint32_t i = 0; i < ledger->tests.len; i++) counts.tests += covers(ledger, &vec_at(&ledger->tests, i));
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        if (vec_at(&ledger->bugs, i).precondition) counts.preconditions++;
        else if (vec_at(&ledger->bugs, i).suppressed) counts.suppressed++;
        else if (vec_at(&ledger->bugs, i).confirmed) counts.bugs++;
        else counts.possible++;
    }
    return counts;
}

static void add_target(StrBuf *out, const char *target)
{
    size_t n = report__fitting(target, TARGET_COLUMNS);
    strbuf_add_bytes(out, target, n);
    strbuf_add(out, target[n] ? "...: " : ": ");
}

static char *headline(const Ledger *ledger, const Replay *replay, const Counts *counts)
{
    StrBuf out = {0};
    add_target(&out, or_unknown(ledger->target));
    if (counts->branches) {
        strbuf_addf(&out, "%u of ", replay ? counts->covered : counts->reached);
        add_count(&out, counts->branches, "branch", "branches");
        strbuf_add(&out, replay ? " covered by " : " reached by ");
    }
    add_count(&out, counts->tests, "test", "tests");
    if (!replay && counts->tests) strbuf_add(&out, counts->tests == 1 ? ", which was not replayed" : ", which were not replayed");
    if (counts->infeasible) {
        uint32_t feasible = counts->branches - counts->infeasible;
        strbuf_addf(&out, ", %u proved infeasible (cov_b %.1f %%, cov_f %.1f %%)", counts->infeasible,
                    100.0 * counts->covered / counts->branches, feasible ? 100.0 * counts->covered / feasible : 100.0);
    }
    strbuf_add(&out, "; ");
    if (counts->bugs) add_count(&out, counts->bugs, "bug", "bugs");
    if (counts->bugs && counts->possible) strbuf_add(&out, ", ");
    if (counts->possible) add_count(&out, counts->possible, "possible bug", "possible bugs");
    if (!counts->bugs && !counts->possible) strbuf_add(&out, "no bug");
    if (counts->suppressed) strbuf_addf(&out, ", %u suppressed", counts->suppressed);
    if (counts->preconditions) {
        strbuf_add(&out, ", ");
        add_count(&out, counts->preconditions, "precondition", "preconditions");
    }
    return out.text;
}

/* ---- groups: things that share a text, of which the first few are named ---- */

typedef struct Group {
    const char *text;
    StrBuf names; /* "f, g" */
    uint32_t members;
    const LedgerBranch *last; /* that was named */
} Group;

typedef struct Groups {
    NameMap numbers;
    Vec(Group) list;
} Groups;

static Group *group_of(Groups *groups, const char *text)
{
    uint32_t *number = names_find(&groups->numbers, text);
    if (number) return &vec_at(&groups->list, *number);
    names_put(&groups->numbers, text, groups->list.len);
    vec_push(&groups->list, ((Group){.text = text}));
    return &vec_top(&groups->list);
}

/* One row for each group: its members, then the text. */
static void add_groups(Summary *summary, SectionName name, Groups *groups, bool only_text)
{
    for (uint32_t i = 0; i < groups->list.len; i++) {
        Group *group = &vec_at(&groups->list, i);
        StrBuf row = {0};
        if (!only_text) {
            strbuf_add(&row, group->names.text);
            if (group->members > PLACES) strbuf_addf(&row, " and %u more", group->members - PLACES);
            strbuf_add(&row, ": ");
        }
        strbuf_add(&row, group->text);
        add_row(summary, name, &row, NULL);
        strbuf_release(&group->names);
    }
    vec_release(&groups->list);
    names_release(&groups->numbers);
}

/* ---- tests ---- */

static void add_folder(Summary *summary, const Ledger *ledger, const char *folder)
{
    StrBuf row = {0};
    const char *directory = report__relative(ledger->directory);
    strbuf_addf(&row, "%s/%s", directory, folder);
    if (strcmp(folder, "tests") == 0) {
        bool plain = !directory[strcspn(directory, " \t'\"\\$&;()<>|*?[]#~`!{}")];
        strbuf_addf(&row, plain ? " (make -C %s/%s)" : " (make -C '%s/%s')", directory, folder);
    }
    add_row(summary, SECTION_TESTS, &row, NULL);
}

static bool has_tests(const Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->tests.len; i++)
        if (is_listed(&vec_at(&ledger->tests, i))) return true;
    return false;
}

/* One row for each folder that tests were written to. */
static void collect_tests(Summary *summary, const Ledger *ledger)
{
    NameMap known = {0};
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        const LedgerTest *test = &vec_at(&ledger->tests, i);
        if (!is_listed(test) || !test->path) continue;
        char *folder = mem_format("%.*s", (int)strcspn(test->path, "/"), test->path);
        if (!names_find(&known, folder)) add_folder(summary, ledger, folder);
        names_put(&known, folder, 1);
        free(folder);
    }
    if (!known.len && has_tests(ledger)) {
        StrBuf row = {0};
        strbuf_add(&row, "none was written: tests in C need sources in C; --format testcomp, ktest or corpus writes the inputs");
        add_row(summary, SECTION_TESTS, &row, NULL);
    }
    names_release(&known);
}

/* ---- bugs ---- */

typedef struct Ranked {
    uint64_t rank; /* ledger_bug_rank */
    uint32_t index, more;
    StrBuf lines; /* of other bugs with the same cause */
} Ranked;

static int by_rank(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Two bugs have one cause if they are of one kind, stand in one function, and the same inputs are to blame. */
static bool same_cause(const Ledger *ledger, uint32_t i, uint32_t k)
{
    const LedgerBug *a = &vec_at(&ledger->bugs, i), *b = &vec_at(&ledger->bugs, k);
    const LedgerTest *of_a = test_of(ledger, a->test), *of_b = test_of(ledger, b->test);
    return a->confirmed == b->confirmed && same_text(a->kind, b->kind) && same_text(a->function, b->function) &&
           same_text(a->file, b->file) && of_a && of_b && same_text(of_a->record.blame, of_b->record.blame);
}

static void add_bug(Summary *summary, const Ledger *ledger, const Replay *replay, const Ranked *ranked)
{
    const LedgerBug *bug = &vec_at(&ledger->bugs, ranked->index);
    StrBuf row = {0};
    add_place(&row, bug->file, bug->line);
    strbuf_addf(&row, ": %s", or_unknown(bug->kind));
    if (bug->function && *bug->function) strbuf_addf(&row, " in %s", bug->function);
    if (bug->message && *bug->message) strbuf_addf(&row, ": %s", bug->message);
    if (ranked->more) strbuf_addf(&row, " (also line%s %s)", ranked->more == 1 ? "" : "s", ranked->lines.text);
    if (!bug->confirmed && replay)
        strbuf_addf(&row, " (not confirmed natively%s%s)", bug->evidence ? ": " : "", bug->evidence ? bug->evidence : "");
    add_row(summary, bug->confirmed ? SECTION_BUGS : SECTION_UNSURE, &row, written_path(ledger, bug->test));
}

/* The plainest first; those with one cause share a row. */
static void collect_bugs(Summary *summary, const Ledger *ledger, const Replay *replay)
{
    Vec(Ranked) list = {0};
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        const LedgerBug *bug = &vec_at(&ledger->bugs, i);
        Ranked ranked = {.index = i, .rank = ledger_bug_rank(ledger, i)};
        if (!bug->precondition && !bug->suppressed) vec_push(&list, ranked);
    }
    if (list.len) qsort(list.data, list.len, sizeof *list.data, by_rank);
    for (uint32_t i = 0; i < list.len; i++) {
        Ranked *first = &list.data[i];
        if (first->index == UINT32_MAX) continue;
        for (uint32_t k = i + 1; k < list.len; k++) {
            if (list.data[k].index == UINT32_MAX || !same_cause(ledger, first->index, list.data[k].index)) continue;
            strbuf_addf(&first->lines, "%s%u", first->more++ ? ", " : "", vec_at(&ledger->bugs, list.data[k].index).line);
            list.data[k].index = UINT32_MAX;
        }
        add_bug(summary, ledger, replay, first);
        strbuf_release(&first->lines);
    }
    vec_release(&list);
}

/* ---- alarms of other tools ---- */

static void add_alarm(Summary *summary, const Ledger *ledger, const LedgerAlarm *alarm)
{
    static const char *const verdicts[] = {[ALARM_CONFIRMED] = "confirmed", [ALARM_OPEN] = "open", [ALARM_REFUTED] = "refuted"};
    StrBuf row = {0};
    strbuf_addf(&row, "%s ", verdicts[alarm->verdict]);
    add_place(&row, alarm->file, alarm->line);
    strbuf_addf(&row, ": %s %s: %s", alarm->tool, alarm->rule, alarm->message);
    if (alarm->reason) strbuf_addf(&row, " (%s)", alarm->reason);
    if (alarm->proof) strbuf_addf(&row, " (no execution comes to this line: %s)", alarm->proof);
    add_row(summary, SECTION_ALARMS, &row, alarm->bug ? written_path(ledger, vec_at(&ledger->bugs, alarm->bug - 1).test) : NULL);
}

/* How many there are of each verdict, then the alarms themselves, the worst first. */
static void collect_alarms(Summary *summary, const Ledger *ledger)
{
    uint32_t counts[ALARM_REFUTED + 1] = {0};
    StrBuf row = {0};
    if (!ledger->alarms.len) return;
    for (uint32_t i = 0; i < ledger->alarms.len; i++) counts[vec_at(&ledger->alarms, i).verdict]++;
    strbuf_addf(&row, "%u of other tools: %u confirmed, %u open, %u refuted", ledger->alarms.len, counts[ALARM_CONFIRMED],
                counts[ALARM_OPEN], counts[ALARM_REFUTED]);
    add_row(summary, SECTION_ALARMS, &row, NULL);
    for (uint32_t i = 0; i < ledger->alarms.len; i++) add_alarm(summary, ledger, &vec_at(&ledger->alarms, i));
}

/* ---- preconditions ---- */

/* One row for each function: what its callers have to keep to. */
static void collect_requires(Summary *summary, const Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->units.len; i++) {
        const char *unit = vec_at(&ledger->units, i).name;
        StrBuf row = {0};
        for (uint32_t k = 0; k < ledger->bugs.len; k++) {
            const LedgerBug *bug = &vec_at(&ledger->bugs, k);
            if (!bug->precondition || !same_text(bug->unit, unit) || (row.len && strstr(row.text, bug->precondition))) continue;
            strbuf_addf(&row, "%s%s%s", row.len ? "; " : unit, row.len ? "" : ": ", bug->precondition);
        }
        if (row.len) add_row(summary, SECTION_REQUIRES, &row, NULL);
    }
}

static bool is_identifier(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_') return false;
    while (isalnum((unsigned char)*name) || *name == '_') name++;
    return *name == 0;
}

/* The text has this word, not only as a part of another. */
static bool mentions(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; at && (at = strstr(at, word)) != NULL; at++) {
        bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_') return true;
    }
    return false;
}

/* The parameter that was NULL: the one the message speaks of, or the only one.  NULL: none, or one of several. */
static const char *null_parameter(const LedgerBug *bug, const Record *record)
{
    const char *only = NULL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const RecordInput *input = &vec_at(&record->inputs, i);
        if (input->type != 'p' || input->bits != 0 || !is_identifier(input->name)) continue;
        if (mentions(bug->message, input->name)) return input->name;
        only = input->name;
        found++;
    }
    return found == 1 ? only : NULL;
}

static void collect_hint(Summary *summary, const Ledger *ledger)
{
    NameMap known = {0};
    StrBuf names = {0}, options = {0}, row = {0};
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        const LedgerBug *bug = &vec_at(&ledger->bugs, i);
        const LedgerTest *test = test_of(ledger, bug->test);
        bool is_null = !bug->precondition && !bug->suppressed && strcmp(or_unknown(bug->kind), "null-dereference") == 0;
        const char *name = test && is_null ? null_parameter(bug, &test->record) : NULL;
        if (!name || names_find(&known, name)) continue;
        names_put(&known, name, 1);
        strbuf_addf(&names, "%s%s", names.len ? ", " : "", name);
        strbuf_addf(&options, " --nonnull %s", name);
    }
    if (known.len) {
        strbuf_addf(&row, "if %s %s never NULL:%s", names.text, known.len == 1 ? "is" : "are", options.text);
        add_row(summary, SECTION_HINT, &row, NULL);
    }
    names_release(&known);
    strbuf_release(&names);
    strbuf_release(&options);
}

/* ---- what replay found different ---- */

static void collect_differences(Summary *summary, const Ledger *ledger, const Replay *replay)
{
    StrBuf row = {0};
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        const LedgerTest *test = &vec_at(&ledger->tests, i);
        if (!test->trouble || !is_listed(test) || test->bug) continue; /* bugs have their own rows */
        if (test->name) strbuf_add(&row, test->name);
        else strbuf_addf(&row, "test %u", test->id);
        strbuf_addf(&row, ": %s", test->trouble);
        add_row(summary, SECTION_DIFFERS, &row, written_path(ledger, test->id));
    }
    for (uint32_t i = 0; replay && i < replay->differences.len; i++) {
        const ReplayDifference *difference = &vec_at(&replay->differences, i);
        add_place(&row, difference->file, difference->line);
        strbuf_addf(&row, ": %s", or_unknown(difference->text));
        add_row(summary, SECTION_DIFFERS, &row, NULL);
    }
    if (replay && replay->not_run) {
        add_count(&row, replay->not_run, "test was", "tests were");
        strbuf_add(&row, replay->out_of_time ? " not run natively: no time was left" : " not run natively");
        add_row(summary, SECTION_DIFFERS, &row, NULL);
    }
}

/* ---- open branches ---- */

static const char *open_reason(const LedgerBranch *branch, const Replay *replay)
{
    if (branch->reason && *branch->reason) return branch->reason;
    if (!branch->reached) return "not reached";
    return replay ? "reached, but by no test that ran natively" : NULL;
}

static bool is_open(const LedgerBranch *branch, const Replay *replay)
{
    return branch->counted && branch->status == LEDGER_OPEN && open_reason(branch, replay);
}

/* "a.c:40:9 false, 44:5 true": a file is named where it changes. */
static void add_branch(StrBuf *row, const LedgerBranch *branch, const LedgerBranch *before)
{
    bool same_file = before && before->file && branch->file && strcmp(before->file, branch->file) == 0;
    if (before) strbuf_add(row, ", ");
    if (!same_file) strbuf_addf(row, "%s:", report__relative(branch->file));
    strbuf_addf(row, "%u:%u %s", branch->line, branch->column, or_unknown(branch->outcome));
}

static void collect_open(Summary *summary, const Ledger *ledger, const Replay *replay)
{
    Groups groups = {0};
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        const LedgerBranch *branch = &vec_at(&ledger->branches, i);
        if (!is_open(branch, replay)) continue;
        Group *group = group_of(&groups, open_reason(branch, replay));
        if (group->members++ >= PLACES) continue;
        add_branch(&group->names, branch, group->last);
        group->last = branch;
    }
    add_groups(summary, SECTION_OPEN, &groups, false);
}

/* Branches that one certificate proves infeasible share a row. */
static void collect_infeasible(Summary *summary, const Ledger *ledger)
{
    Groups groups = {0};
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        const LedgerBranch *branch = &vec_at(&ledger->branches, i);
        if (!branch->counted || branch->status != LEDGER_INFEASIBLE) continue;
        Group *group = group_of(&groups, or_unknown(branch->proof));
        if (group->members++ >= PLACES) continue;
        add_branch(&group->names, branch, group->last);
        group->last = branch;
    }
    add_groups(summary, SECTION_INFEASIBLE, &groups, false);
}

/* ---- units ---- */

static void collect_untested(Summary *summary, const Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->units.len; i++) {
        const LedgerUnit *unit = &vec_at(&ledger->units, i);
        StrBuf row = {0};
        if (!unit->problem) continue;
        strbuf_addf(&row, "%s: %s", unit->name, unit->problem);
        add_row(summary, SECTION_UNTESTED, &row, NULL);
    }
}

static uint32_t count_unfinished(const Ledger *ledger)
{
    uint32_t unfinished = 0;
    for (uint32_t i = 0; i < ledger->units.len; i++) unfinished += !vec_at(&ledger->units, i).done && !vec_at(&ledger->units, i).problem;
    return unfinished;
}

static void name_unfinished(StrBuf *row, const Ledger *ledger, uint32_t unfinished)
{
    uint32_t named = 0;
    strbuf_add(row, "not all are known: ");
    for (uint32_t i = 0; i < ledger->units.len && named < PLACES; i++) {
        const LedgerUnit *unit = &vec_at(&ledger->units, i);
        if (!unit->done && !unit->problem) strbuf_addf(row, "%s%s", named++ ? ", " : "", unit->name);
    }
    if (unfinished > PLACES) strbuf_addf(row, " and %u more", unfinished - PLACES);
    strbuf_add(row, unfinished == 1 ? " was not finished" : " were not finished");
}

static void collect_paths(Summary *summary, const Ledger *ledger)
{
    uint32_t unfinished = count_unfinished(ledger);
    uint64_t paths = 0;
    StrBuf row = {0};
    for (uint32_t i = 0; i < ledger->units.len; i++) paths += vec_at(&ledger->units, i).paths;
    if (ledger->complete && paths) {
        if (paths == 1) strbuf_add(&row, "the only one is known");
        else strbuf_addf(&row, "all %llu are known", (unsigned long long)paths);
        add_row(summary, SECTION_PATHS, &row, NULL);
    }
    if (ledger->complete) return;
    if (unfinished) {
        name_unfinished(&row, ledger, unfinished);
        add_row(summary, SECTION_PATHS, &row, NULL);
    }
    for (uint32_t i = 0; i < ledger->losses.len; i++) {
        const LedgerLoss *loss = &vec_at(&ledger->losses, i);
        strbuf_add(&row, summary->sections[SECTION_PATHS].rows.len ? "" : "not all are known: ");
        if (loss->file && *loss->file) add_place(&row, loss->file, loss->line);
        else strbuf_add(&row, or_unknown(loss->unit));
        strbuf_addf(&row, ": %s", loss->reason);
        add_row(summary, SECTION_PATHS, &row, NULL);
    }
}

/* With a single unit its name says nothing new. */
static void collect_assumed(Summary *summary, const Ledger *ledger)
{
    Groups groups = {0};
    for (uint32_t i = 0; i < ledger->units.len; i++) {
        const LedgerUnit *unit = &vec_at(&ledger->units, i);
        for (uint32_t k = 0; k < unit->assumptions.len; k++) {
            Group *group = group_of(&groups, vec_at(&unit->assumptions, k));
            if (group->members++ < PLACES) strbuf_addf(&group->names, "%s%s", group->names.len ? ", " : "", unit->name);
        }
    }
    add_groups(summary, SECTION_ASSUMED, &groups, ledger->units.len == 1);
}

static void collect_next(Summary *summary, const Ledger *ledger)
{
    StrBuf row = {0};
    if (count_unfinished(ledger)) {
        strbuf_add(&row, "the same command with --resume goes on from here");
        add_row(summary, SECTION_NEXT, &row, NULL);
    }
    if (summary->sections[SECTION_ASSUMED].rows.len) {
        bool is_program = ledger->units.len == 1 && strcmp(vec_at(&ledger->units, 0).name, "main") == 0;
        strbuf_add(&row, is_program ? "--stdin, --argv, --file, --env say what the program reads"
                                    : "--array, --string, --nonnull, --assume change what is assumed");
        add_row(summary, SECTION_NEXT, &row, NULL);
    }
}

void report__collect(Summary *summary, const Ledger *ledger, const Replay *replay)
{
    Counts counts = count(ledger);
    *summary = (Summary){.headline = headline(ledger, replay, &counts), .alarming = counts.bugs > 0};
    collect_tests(summary, ledger);
    collect_bugs(summary, ledger, replay);
    collect_alarms(summary, ledger);
    collect_requires(summary, ledger);
    collect_hint(summary, ledger);
    collect_differences(summary, ledger, replay);
    collect_untested(summary, ledger);
    collect_open(summary, ledger, replay);
    collect_infeasible(summary, ledger);
    collect_paths(summary, ledger);
    collect_assumed(summary, ledger);
    collect_next(summary, ledger);
}

void report__release(Summary *summary)
{
    free(summary->headline);
    for (unsigned i = 0; i < SECTIONS; i++) {
        Section *section = &summary->sections[i];
        for (uint32_t k = 0; k < section->rows.len; k++) {
            free(vec_at(&section->rows, k).text);
            free(vec_at(&section->rows, k).tail);
        }
        vec_release(&section->rows);
    }
}
