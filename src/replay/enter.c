/* What the runs showed, entered in the ledger: tests, bugs, branches; and the choice of a small suite.
 *
 * A branch is covered if a test that passes, or a program that shows a bug, was seen to take it by the exact counters, unless gcov contradicts
 * on that line.  Everything else stays open, with the reason.
 *
 * A test for which no time was left is *trusted* if an earlier replay of the same ledger saw it pass (or show its bug): what was covered then stays so.
 * One that was never run is not written into the suite; a later replay brings it back. */
#include "replay/replay_int.h"

#include <stdlib.h>

enum { MESSAGE_BYTES = 1 << 20 };

static LedgerTest *entry_of(const Session *s, const TestRun *test)
{
    return &vec_at(&s->ledger->tests, test->test);
}

static bool was_run(const TestRun *test)
{
    return test->counted.end != RUN_WAITING && test->counted.end != RUN_NOT_RUN;
}

/* The sanitized run is the one that shows most bugs. */
static bool was_cut_short(const Session *s, const TestRun *test)
{
    RunEnd end = test->sanitized.end;
    return s->pool.out_of_time && (!was_run(test) || (test->is_bug && (end == RUN_WAITING || end == RUN_NOT_RUN)));
}

static bool is_trusted(const Session *s, const TestRun *test)
{
    return !test->passed && was_cut_short(s, test) && entry_of(s, test)->replayed;
}

/* Whether what it was seen to do counts. */
static bool is_witness(const Session *s, const TestRun *test)
{
    return test->passed || (test->is_bug && was_run(test)) || is_trusted(s, test);
}

/* What it was seen to do before: of the branches that are covered those that rest on it, or that it takes in the machine. */
static void trust(Session *s, TestRun *test)
{
    const LedgerTest *entry = entry_of(s, test);
    for (uint32_t i = 0; i < s->ledger->branches.len; i++) {
        const LedgerBranch *branch = &s->ledger->branches.data[i];
        if (branch->status == LEDGER_COVERED && branch->test == entry->id)
            replay__see(&s->numbers, &test->seen, s->numbers.of_branch.data[i]);
    }
    for (uint32_t i = 0; i < entry->record.branches.len; i++) {
        uint32_t branch = entry->record.branches.data[i];
        if (branch < s->ledger->branches.len && s->ledger->branches.data[branch].status == LEDGER_COVERED)
            replay__see(&s->numbers, &test->seen, s->numbers.of_branch.data[branch]);
    }
}

/* ---- bugs and tests ---- */

static const char *build_problem(const Session *s, const TestRun *test, BuildKind kind)
{
    uint32_t binary = vec_at(&s->files, test->file).binaries[kind];
    return binary == UINT32_MAX ? "it was not built" : vec_at(&s->binaries, binary).problem;
}

bool replay__judge(const Session *s, uint32_t index, StrBuf *evidence)
{
    const TestRun *test = &vec_at(&s->tests, index);
    const char *bug = replay__bug_kind(s, index);
    BuildKind kind = replay__bug_build(bug);
    char *paths[] = {replay__errors_path(s, index, BUILD_COUNTED), replay__errors_path(s, index, kind)};
    char *texts[] = {replay__read_text(paths[0], MESSAGE_BYTES), replay__read_text(paths[1], MESSAGE_BYTES)};
    BugRuns runs = {.kind = bug,
                    .native = test->counted,
                    .sanitized = test->sanitized,
                    .native_text = texts[0],
                    .sanitized_text = texts[1],
                    .problem = build_problem(s, test, kind)};
    if (!runs.problem) runs.problem = build_problem(s, test, BUILD_COUNTED);
    bool confirmed = replay__judge_bug(&runs, evidence);
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        free(paths[i]);
        free(texts[i]);
    }
    return confirmed;
}

/* One test is enough to confirm a bug that several show. */
static void enter_bug(Session *s, uint32_t index)
{
    LedgerTest *entry = entry_of(s, &vec_at(&s->tests, index));
    LedgerBug *bug = entry->bug ? &vec_at(&s->ledger->bugs, entry->bug - 1) : NULL;
    StrBuf evidence = {0};
    if (is_trusted(s, &vec_at(&s->tests, index))) return;
    entry->replayed = replay__judge(s, index, &evidence);
    ledger_set_text(&entry->trouble, entry->replayed ? NULL : evidence.text);
    if (bug && !bug->confirmed) {
        bug->confirmed = entry->replayed;
        ledger_set_text(&bug->evidence, evidence.text);
        ledger_touch_bug(s->ledger, entry->bug - 1);
    }
    strbuf_release(&evidence);
}

static void enter_test(Session *s, const TestRun *test)
{
    LedgerTest *entry = entry_of(s, test);
    Replay *r = s->replay;
    bool trusted = is_trusted(s, test);
    r->tests++;
    r->passed += test->passed;
    r->not_run += !was_run(test) && !(trusted && s->options->minimise);
    r->failed += was_run(test) && !test->passed;
    if (trusted) return;
    entry->replayed = test->passed;
    ledger_set_text(&entry->trouble, test->passed ? NULL : test->trouble);
}

/* Of an earlier replay, unless it is trusted. */
static void forget_verdicts(Session *s)
{
    bool *trusted = mem_alloc(s->ledger->bugs.len + 1);
    for (uint32_t i = 0; i < s->tests.len; i++)
        if (is_trusted(s, &s->tests.data[i])) trusted[entry_of(s, &s->tests.data[i])->bug] = true; /* index + 1 */
    for (uint32_t i = 0; i < s->ledger->bugs.len; i++) {
        if (trusted[i + 1]) continue;
        s->ledger->bugs.data[i].confirmed = false;
        ledger_set_text(&s->ledger->bugs.data[i].evidence, "there is no test that was run");
        ledger_touch_bug(s->ledger, i);
    }
    free(trusted);
}

static void enter_tests(Session *s)
{
    forget_verdicts(s);
    for (uint32_t i = 0; i < s->tests.len; i++)
        if (is_trusted(s, &s->tests.data[i])) trust(s, &s->tests.data[i]);
    for (uint32_t i = 0; i < s->tests.len; i++) {
        const TestRun *test = &s->tests.data[i];
        if (test->is_bug) enter_bug(s, i);
        else enter_test(s, test);
        ledger_touch_test(s->ledger, entry_of(s, test)->id);
    }
    s->replay->bugs = s->ledger->bugs.len;
    for (uint32_t i = 0; i < s->ledger->bugs.len; i++) s->replay->confirmed += s->ledger->bugs.data[i].confirmed;
}

/* ---- branches ---- */

static void add_witnesses(const Session *s, const bool *kept, bool bugs, const bool *believed, uint32_t *first)
{
    for (uint32_t i = 0; i < s->tests.len; i++) {
        const TestRun *test = &s->tests.data[i];
        if (!is_witness(s, test) || test->is_bug != bugs || (kept && !kept[i])) continue;
        for (uint32_t k = 0; k < s->numbers.count; k++)
            if (!first[k] && outcome_seen(&test->seen, k) && (!believed || believed[k])) first[k] = i + 1;
    }
}

/* For each number the index + 1 of the first test that was seen to take it; of those that are kept if `kept`.  A program that shows a bug may go
 * on after it, where what it does has no meaning: of such a one only what the machine has reached too is believed. */
static uint32_t *witnesses(const Session *s, const bool *kept)
{
    uint32_t *first = mem_alloc((s->numbers.count + 1) * sizeof *first);
    bool *reached = mem_alloc(s->numbers.count + 1);
    for (uint32_t i = 0; i < s->ledger->branches.len; i++)
        if (s->ledger->branches.data[i].reached) reached[s->numbers.of_branch.data[i]] = true;
    add_witnesses(s, kept, false, NULL, first);
    add_witnesses(s, kept, true, reached, first);
    free(reached);
    return first;
}

/* By branch the index + 1 of the first test that reached it in the machine. */
static uint32_t *machine_tests(const Session *s)
{
    uint32_t *first = mem_alloc((s->ledger->branches.len + 1) * sizeof *first);
    for (uint32_t i = 0; i < s->tests.len; i++) {
        const Record *record = &entry_of(s, &s->tests.data[i])->record;
        for (uint32_t k = 0; k < record->branches.len; k++) {
            uint32_t branch = record->branches.data[k];
            if (branch < s->ledger->branches.len && !first[branch]) first[branch] = i + 1;
        }
    }
    return first;
}

static void reason_for(const Session *s, uint32_t test, StrBuf *reason)
{
    if (!test) {
        strbuf_add(reason, s->tests.len ? "reached in the machine, but by no test that was run natively"
                                        : "reached in the machine; there is no C source from which a native test can be made");
        return;
    }
    const LedgerTest *entry = entry_of(s, &vec_at(&s->tests, test - 1));
    if (entry->trouble) strbuf_addf(reason, "reached in the machine, but the test does not show it natively: %s", entry->trouble);
    else strbuf_add(reason, "reached in the machine, but not when the test runs natively");
}

static void refute_proof(Session *s, const LedgerBranch *branch, uint32_t test)
{
    char *text = mem_format("the outcome %s is said to be infeasible, but test %u takes it", branch->outcome, test);
    vec_push(&s->replay->differences, ((ReplayDifference){mem_strdup(branch->file), branch->line, text}));
}

static void enter_branch(Session *s, LedgerBranch *branch, uint32_t witness, bool doubted, uint32_t machine_test)
{
    StrBuf reason = {0};
    bool was_covered = branch->status == LEDGER_COVERED;
    branch->test = 0;
    if (witness && !doubted) {
        uint32_t id = entry_of(s, &vec_at(&s->tests, witness - 1))->id;
        if (branch->status == LEDGER_INFEASIBLE) refute_proof(s, branch, id);
        branch->status = LEDGER_COVERED;
        branch->test = id;
        ledger_set_text(&branch->proof, NULL);
    } else if (witness) {
        branch->status = LEDGER_OPEN;
        strbuf_add(&reason, "gcov and the exact counters disagree about what the tests do on this line");
    } else if (was_covered || branch->reached) {
        branch->status = LEDGER_OPEN;
        reason_for(s, machine_test, &reason);
    } else {
        return; /* nothing new is known of it */
    }
    ledger_set_text(&branch->reason, reason.text);
    strbuf_release(&reason);
    ledger_touch_branch(s->ledger, branch->id);
}

static void enter_branches(Session *s, const OutcomeSet *doubted, const bool *kept)
{
    uint32_t *first = witnesses(s, kept), *machine = machine_tests(s);
    for (uint32_t i = 0; i < s->ledger->branches.len; i++) {
        LedgerBranch *branch = &s->ledger->branches.data[i];
        uint32_t number = s->numbers.of_branch.data[i];
        if (branch->counted) enter_branch(s, branch, first[number], outcome_seen(doubted, number), machine[i]);
    }
    free(first);
    free(machine);
}

/* ---- the suite ---- */

static bool has_branches(const Ledger *ledger, const char *function)
{
    for (uint32_t i = 0; i < ledger->branches.len; i++)
        if (ledger->branches.data[i].counted && strcmp(ledger->branches.data[i].function, function) == 0) return true;
    return false;
}

/* A function without branches has nothing to cover; its first test shows that it runs. */
static void keep_straight_ones(const Session *s, bool *keep)
{
    for (uint32_t i = 0; i < s->tests.len; i++) {
        const char *unit = entry_of(s, &s->tests.data[i])->unit;
        if (!is_witness(s, &s->tests.data[i]) || keep[i] || !unit || has_branches(s->ledger, unit)) continue;
        bool other = false;
        for (uint32_t k = 0; k < s->tests.len; k++) {
            const char *theirs = entry_of(s, &s->tests.data[k])->unit;
            other |= keep[k] && theirs && strcmp(theirs, unit) == 0;
        }
        keep[i] = !other;
    }
}

static bool *choose(const Session *s, const OutcomeSet *doubted)
{
    uint32_t n = s->tests.len;
    bool *keep = mem_alloc(n + 1), *must = mem_alloc(n + 1), *usable = mem_alloc(n + 1);
    OutcomeSet *sets = mem_alloc((n + 1) * sizeof *sets), wanted = {0};
    for (uint32_t i = 0; i < s->ledger->branches.len; i++) {
        uint32_t number = s->numbers.of_branch.data[i];
        if (s->ledger->branches.data[i].counted && !outcome_seen(doubted, number)) replay__see(&s->numbers, &wanted, number);
    }
    for (uint32_t i = 0; i < n; i++) {
        const TestRun *test = &s->tests.data[i];
        must[i] = test->is_bug;
        usable[i] = test->passed || (!test->is_bug && is_trusted(s, test));
        if (is_witness(s, test)) sets[i] = test->seen;
    }
    replay__choose(&s->numbers, &wanted, sets, must, usable, n, keep);
    keep_straight_ones(s, keep);
    free(must);
    free(usable);
    free(sets);
    free(wanted.bits);
    return keep;
}

static void enter_choice(Session *s, const bool *keep)
{
    for (uint32_t i = 0; i < s->tests.len; i++) {
        LedgerTest *entry = entry_of(s, &s->tests.data[i]);
        entry->kept = keep[i];
        ledger_touch_test(s->ledger, entry->id);
    }
}

void replay__enter(Session *s, const OutcomeSet *doubted)
{
    bool *keep = NULL;
    enter_tests(s);
    if (s->options->minimise) {
        keep = choose(s, doubted);
        enter_choice(s, keep);
    }
    enter_branches(s, doubted, keep);
    free(keep);
}
