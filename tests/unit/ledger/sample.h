/* A ledger with something of everything, in a directory of its own. */
#ifndef CLEW_TEST_LEDGER_SAMPLE_H
#define CLEW_TEST_LEDGER_SAMPLE_H

#include "ledger/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline char *sample_directory(void)
{
    char pattern[] = "/tmp/clew-ledger-XXXXXX";
    assert_non_null(mkdtemp(pattern));
    return mem_strdup(pattern);
}

/* rm -r, of one level. */
static inline void sample_remove(char *directory)
{
    static const char *const names[] = {"ledger.db", "ledger.db-journal", "ledger.json", "ledger.json.new",
                                        "tests",     "notes.txt",         ".gitignore"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char *path = mem_format("%s/%s", directory, names[i]);
        if (unlink(path) != 0) rmdir(path);
        free(path);
    }
    assert_int_equal(rmdir(directory), 0);
    free(directory);
}

static inline void sample_touch_file(const char *directory, const char *name, const char *content)
{
    char *path = mem_format("%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    free(path);
}

static inline void sample_branch(Ledger *ledger, uint32_t id, const char *outcome, bool counted)
{
    LedgerBranch branch = {.id = id,
                           .function = "flow",
                           .file = "src/valves.c",
                           .line = 10 + id / 2,
                           .column = 9,
                           .ordinal = id / 2,
                           .which = id % 2,
                           .outcome = (char *)(uintptr_t)outcome,
                           .counted = counted};
    ledger_add_branch(ledger, &branch);
}

static inline void sample_fill(Ledger *ledger)
{
    Record record = {.unit = mem_strdup("flow"), .end = END_BUG, .bug = mem_strdup("division-by-zero"), .line = 31};
    vec_push(&record.inputs, ((RecordInput){mem_strdup("n"), 'i', 32, 7, 0}));
    vec_push(&record.branches, 0u);
    vec_push(&record.branches, 2u);
    vec_push(&record.branches, 99u);
    sample_branch(ledger, 0, "true", true);
    sample_branch(ledger, 1, "false", true);
    sample_branch(ledger, 2, "case -3", false);
    sample_branch(ledger, 3, "default", true);
    ledger_add_test(ledger, "flow", &record)->bug = 1;
    record.end = END_RETURN;
    LedgerTest *test = ledger_add_test(ledger, "flow", &record);
    ledger_set_text(&test->path, "tests/test_flow.c");
    ledger_set_text(&test->name, "test_flow_1");
    ledger_set_text(&test->outcome, "returns 3");
    test->replayed = true;
    ledger_add_test(ledger, "flow", &record)->kept = false;
    ledger_add_bug(ledger, &(LedgerBug){.kind = "division-by-zero",
                                        .function = "flow",
                                        .file = "src/valves.c",
                                        .line = 31,
                                        .column = 14,
                                        .message = "the divisor is 0",
                                        .test = 1,
                                        .confirmed = true,
                                        .evidence = "SIGFPE"});
    LedgerUnit *unit = ledger_add_unit(ledger, "flow", "src/valves.c", 8);
    unit->done = unit->complete = true;
    unit->runs = 1ull << 40;
    unit->seconds = 0.25;
    vec_push(&unit->assumptions, mem_strdup("a is NULL or points to n elements, n at most 4096"));
    vec_push(&unit->assumptions, mem_strdup(""));
    vec_push(&unit->assumptions, mem_strdup("p\nq"));
    ledger_set_text(&ledger_add_unit(ledger, "odd", NULL, 0)->problem, "parameter s: struct secret is declared but not defined here");
    ledger_add_loss(ledger, "flow", "src/valves.c", 44, "memcpy was called with concrete arguments");
    ledger_add_summary(ledger, &(LedgerSummary){.function = "skip",
                                                .hash = UINT64_MAX - 1,
                                                .paths = 7,
                                                .explored = 2,
                                                .reused = 41,
                                                .text = "x > 0: returns 1\n",
                                                .bytes = {.text = "a\0b", .len = 3}});
    ledger_add_summary(ledger, &(LedgerSummary){.function = "walk", .inlined = 3, .why = "it calls itself"});
    ledger_set_stat(ledger, "seconds", 1.5);
    ledger_set_stat(ledger, "runs", 12);
    ledger_set_stat(ledger, "peak_rss_kib", 1024);
    ledger_set_stat(ledger, "queries", 3);
    LedgerBranch *first = &vec_at(&ledger->branches, 0);
    first->status = LEDGER_COVERED;
    first->reached = true;
    first->test = 2;
    ledger_set_text(&vec_at(&ledger->branches, 3).reason, "no input was found");
    record_release(&record);
}

#endif
