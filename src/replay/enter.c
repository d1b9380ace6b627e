/* What the runs showed, entered in the ledger, and what follows from all that stands there: the state of each branch, and a small suite.
 *
 * A branch is covered if a test that passes, or a program that shows a bug, was seen to take it by the exact counters, unless gcov contradicts
 * on that line.  Everything else stays open, with the reason.  What each test was seen to take is kept in the ledger (LedgerTest.covers), so what was
 * confirmed once is known for good. */
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

bool replay__is_settled(const Session *s, uint32_t index)
{
    const TestRun *test = &vec_at(&s->tests, index);
    StrBuf ignored = {0};
    bool settled = test->is_bug ? replay__judge(s, index, &ignored) : test->passed;
    strbuf_release(&ignored);
    return settled;
}

/* One test is enough to confirm a bug that several show. */
static void enter_bug(Session *s, uint32_t index)
{
    LedgerTest *entry = entry_of(s, &vec_at(&s->tests, index));
    LedgerBug *bug = entry->bug ? &vec_at(&s->ledger->bugs, entry->bug - 1) : NULL;
    StrBuf evidence = {0};
    entry->replayed = replay__judge(s, index, &evidence);
    ledger_set_text(&entry->trouble, entry->replayed ? NULL : evidence.text);
    if (bug && !bug->confirmed) {
        bug->confirmed = entry->replayed;
        ledger_set_text(&bug->evidence, evidence.text);
        ledger_touch_bug(s->ledger, entry->bug - 1);
    }
    strbuf_release(&evidence);
}

/* A program that shows a bug may go on after it, where what it does has no meaning: of such a one only what the machine has reached too is believed. */
static void enter_covers(Session *s, const TestRun *test)
{
    LedgerTest *entry = entry_of(s, test);
    vec_clear(&entry->covers);
    if (!test->passed && !(test->is_bug && was_run(test))) return;
    for (uint32_t i = 0; i < s->ledger->branches.len; i++) {
        const LedgerBranch *branch = &s->ledger->branches.data[i];
        if (!branch->counted || (test->is_bug && !branch->reached)) continue;
        if (outcome_seen(&test->seen, s->numbers.of_branch.data[i])) vec_push(&entry->covers, i);
    }
}

void replay__enter_test(Session *s, uint32_t index)
{
    const TestRun *test = &vec_at(&s->tests, index);
    LedgerTest *entry = entry_of(s, test);
    if (test->is_bug) {
        enter_bug(s, index);
    } else {
        entry->replayed = test->passed;
        ledger_set_text(&entry->trouble, test->passed ? NULL : test->trouble);
    }
    enter_covers(s, test);
    ledger_touch_test(s->ledger, entry->id);
}

void replay__enter_doubts(Session *s, const OutcomeSet *doubted)
{
    for (uint32_t i = 0; i < s->ledger->tests.len && doubted->bits; i++) {
        LedgerTest *test = &s->ledger->tests.data[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < test->covers.len; k++)
            if (!outcome_seen(doubted, s->numbers.of_branch.data[test->covers.data[k]])) test->covers.data[kept++] = test->covers.data[k];
        if (kept != test->covers.len) ledger_touch_test(s->ledger, test->id);
        test->covers.len = kept;
    }
    for (uint32_t i = 0; i < s->ledger->branches.len && doubted->bits; i++) {
        LedgerBranch *branch = &s->ledger->branches.data[i];
        if (!branch->counted || !outcome_seen(doubted, s->numbers.of_branch.data[i])) continue;
        ledger_set_text(&branch->reason, "gcov and the exact counters disagree about what the tests do on this line");
        ledger_touch_branch(s->ledger, i);
    }
}

/* ---- what follows from the ledger ---- */

static bool shows_bug(const LedgerTest *test)
{
    return test->bug || test->record.end == END_BUG;
}

/* Is it in the suite, or does it show a bug? */
static bool is_witness(const LedgerTest *test)
{
    return test->kept && test->covers.len > 0;
}

/* By branch the id of the first test that covers it; ordinary tests before those that show a bug. */
static uint32_t *find_witnesses(const Ledger *ledger)
{
    uint32_t *first = mem_alloc((ledger->branches.len + 1) * sizeof *first);
    for (int bugs = 0; bugs < 2; bugs++)
        for (uint32_t i = 0; i < ledger->tests.len; i++) {
            const LedgerTest *test = &ledger->tests.data[i];
            if (!is_witness(test) || shows_bug(test) != bugs) continue;
            for (uint32_t k = 0; k < test->covers.len; k++)
                if (!first[test->covers.data[k]]) first[test->covers.data[k]] = test->id;
        }
    return first;
}

/* By branch the id of the first test that takes it in the machine. */
static uint32_t *find_machine_tests(const Ledger *ledger)
{
    uint32_t *first = mem_alloc((ledger->branches.len + 1) * sizeof *first);
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        const Record *record = &ledger->tests.data[i].record;
        for (uint32_t k = 0; k < record->branches.len; k++)
            if (record->branches.data[k] < ledger->branches.len && !first[record->branches.data[k]])
                first[record->branches.data[k]] = ledger->tests.data[i].id;
    }
    return first;
}

#define REACHED "reached in the machine" /* how a reason begins that replay has given, and may replace */

static bool is_replaceable(const char *reason)
{
    return !reason || strncmp(reason, REACHED, strlen(REACHED)) == 0;
}

static void explain_reached(const Ledger *ledger, LedgerBranch *branch, uint32_t machine_test)
{
    const LedgerTest *test = machine_test ? &ledger->tests.data[machine_test - 1] : NULL;
    StrBuf reason = {0};
    if (!test) strbuf_add(&reason, REACHED ", but by no test that was run natively");
    else if (test->trouble) strbuf_addf(&reason, REACHED ", but the test does not show it natively: %s", test->trouble);
    else if (test->replayed) strbuf_add(&reason, REACHED ", but not when the test runs natively");
    else strbuf_add(&reason, REACHED "; no native run was made of the test that reaches it");
    ledger_set_text(&branch->reason, reason.text);
    strbuf_release(&reason);
}

static void refute_proof(Replay *replay, const LedgerBranch *branch, uint32_t test)
{
    char *text = mem_format("the outcome %s is said to be infeasible, but test %u takes it", branch->outcome, test);
    vec_push(&replay->differences, ((ReplayDifference){mem_strdup(branch->file), branch->line, text}));
}

void replay_enter_branches(Ledger *ledger, Replay *replay)
{
    uint32_t *witness = find_witnesses(ledger), *machine = find_machine_tests(ledger);
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        LedgerBranch *branch = &ledger->branches.data[i];
        bool was_covered = branch->status == LEDGER_COVERED;
        if (!branch->counted || (witness[i] == branch->test && was_covered)) continue;
        if (witness[i]) {
            if (branch->status == LEDGER_INFEASIBLE && replay) refute_proof(replay, branch, witness[i]);
            branch->status = LEDGER_COVERED;
            ledger_set_text(&branch->proof, NULL);
            ledger_set_text(&branch->reason, NULL);
        } else if (was_covered || (branch->reached && is_replaceable(branch->reason))) {
            branch->status = LEDGER_OPEN;
            explain_reached(ledger, branch, machine[i]);
        } else {
            continue; /* nothing new is known of it */
        }
        branch->test = witness[i];
        ledger_touch_branch(ledger, i);
    }
    free(witness);
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
static void keep_straight_ones(const Ledger *ledger, bool *keep)
{
    NameMap shown = {0};
    for (uint32_t i = 0; i < ledger->tests.len; i++)
        if (keep[i] && ledger->tests.data[i].unit) names_put(&shown, ledger->tests.data[i].unit, 1);
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        const LedgerTest *test = &ledger->tests.data[i];
        if (!test->replayed || keep[i] || !test->unit || names_find(&shown, test->unit) || has_branches(ledger, test->unit)) continue;
        keep[i] = true;
        names_put(&shown, test->unit, 1);
    }
    names_release(&shown);
}

/* What the search looked for besides branches that count (Branch.objective): native code has no counter for it, so the machine's word is taken. */
static void see_objectives(const Ledger *ledger, const Record *record, const Numbers *numbers, OutcomeSet *set, OutcomeSet *wanted)
{
    for (uint32_t i = 0; i < record->taken.len; i++) {
        uint32_t branch = record->taken.data[i];
        if (branch >= ledger->branches.len || ledger->branches.data[branch].counted) continue;
        replay__see(numbers, set, branch);
        replay__see(numbers, wanted, branch);
    }
}

void replay_choose_suite(Ledger *ledger)
{
    uint32_t n = ledger->tests.len;
    bool *keep = mem_alloc(n + 1), *must = mem_alloc(n + 1), *usable = mem_alloc(n + 1);
    OutcomeSet *sets = mem_alloc((n + 1) * sizeof *sets), wanted = {0};
    Numbers numbers = {.count = ledger->branches.len};
    for (uint32_t i = 0; i < ledger->branches.len; i++)
        if (ledger->branches.data[i].counted) replay__see(&numbers, &wanted, i);
    for (uint32_t i = 0; i < n; i++) {
        const LedgerTest *test = &ledger->tests.data[i];
        must[i] = shows_bug(test) && (test->replayed || test->kept);
        usable[i] = test->replayed && !shows_bug(test);
        for (uint32_t k = 0; k < test->covers.len; k++) replay__see(&numbers, &sets[i], test->covers.data[k]);
        see_objectives(ledger, &test->record, &numbers, &sets[i], &wanted);
    }
    replay__choose(&numbers, &wanted, sets, must, usable, n, keep);
    keep_straight_ones(ledger, keep);
    for (uint32_t i = 0; i < n; i++) {
        if (ledger->tests.data[i].kept != keep[i]) ledger_touch_test(ledger, i + 1);
        ledger->tests.data[i].kept = keep[i];
        free(sets[i].bits);
    }
    free(keep);
    free(must);
    free(usable);
    free(sets);
    free(wanted.bits);
    replay_enter_branches(ledger, NULL);
}
