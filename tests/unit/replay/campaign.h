/* For the tests of replay/: a small campaign made by hand.  The source is loaded for its branches as a real campaign does; the tests are
 * written here, in the form in which emit/ writes them: a file that includes the source, one function for each test, and a main that runs those
 * that are named. */
#ifndef CLEW_TEST_CAMPAIGN_H
#define CLEW_TEST_CAMPAIGN_H

#include "front/front.h"
#include "replay/replay_int.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_SOURCES = 4 };

typedef struct Campaign {
    char *root; /* sources are here, the ledger in root/out */
    Ledger *ledger;
    CSource sources[MOST_SOURCES];
    Decls decls;
    CFunction main; /* said to be in subject.c: what is tested is always "main", so that its test files include that source */
    EmitOptions emit;
    ReplayOptions options;
    Replay replay;
    double seconds;
} Campaign;

/* What every test file ends with. */
#define TEST_MAIN \
    "typedef struct { const char *name; void (*run)(void); } Entry;\n" \
    "static int run_tests(int argc, char **argv, const Entry *all, int count)\n" \
    "{\n" \
    "    int done = 0;\n" \
    "    for (int i = 0; i < count; i++)\n" \
    "        for (int k = 1; k < argc; k++)\n" \
    "            if (__builtin_strcmp(all[i].name, argv[k]) == 0) all[i].run(), done++;\n" \
    "    return done ? 0 : 99;\n" \
    "}\n" \
    "int test_entry(int argc, char **argv) __asm__(\"run_one\");\n" \
    "int test_entry(int argc, char **argv) { return run_tests(argc, argv, entries, sizeof entries / sizeof *entries); }\n"

/* In place of clew_test.c: runs one test, or each of many in a child process of its own. */
#define RUNNER \
    "#include <stdio.h>\n" \
    "#include <stdlib.h>\n" \
    "#include <sys/wait.h>\n" \
    "#include <unistd.h>\n" \
    "int run_one(int argc, char **argv);\n" \
    "extern void clew_count_test(unsigned long index) __attribute__((weak));\n" \
    "int main(int argc, char **argv)\n" \
    "{\n" \
    "    const char *path = getenv(\"CLEW_RESULTS\");\n" \
    "    if (!path) return run_one(argc, argv);\n" \
    "    for (int i = 1; i < argc; i++) {\n" \
    "        int status;\n" \
    "        pid_t child = fork();\n" \
    "        if (child == 0 && clew_count_test) clew_count_test(i - 1);\n" \
    "        if (child == 0) exit(run_one(2, (char *[]){argv[0], argv[i], NULL}));\n" \
    "        waitpid(child, &status, 0);\n" \
    "        FILE *results = fopen(path, \"a\");\n" \
    "        fprintf(results, \"%s %s exit status %d\\n\", argv[i], status ? \"failed\" : \"ok\", WEXITSTATUS(status));\n" \
    "        fclose(results);\n" \
    "    }\n" \
    "    return 0;\n" \
    "}\n"

static inline void write_at(const char *root, const char *name, const char *text)
{
    char *path = mem_format("%s/%s", root, name);
    Error error;
    if (replay__write_text(path, text, &error) != OK) fail_msg("%s", error.text);
    free(path);
}

static inline void add_source(Campaign *c, const char *name, const char *text)
{
    static const char *const flags[] = {"-std=gnu17"};
    write_at(c->root, name, text);
    CSource *source = &c->sources[c->decls.source_count++];
    *source = (CSource){.path = mem_format("%s/%s", c->root, name), .flags = flags, .flag_count = 1};
}

static inline void load_branches(Campaign *c)
{
    const char *files[MOST_SOURCES], *flags[] = {"-std=gnu17"};
    for (uint32_t i = 0; i < c->decls.source_count; i++) files[i] = c->sources[i].path;
    FrontOptions options = {.files = files, .file_count = c->decls.source_count, .flags = flags, .flag_count = 1};
    Program *program;
    Error error;
    if (front_load(&options, &program, NULL, &error) != OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < program->branch_count; i++) {
        const Branch *b = &program->branches[i];
        char outcome[64];
        LedgerBranch branch = {.id = i,
                               .function = (char *)program->functions[b->function].name,
                               .file = (char *)program->locs[b->loc].file,
                               .line = program->locs[b->loc].line,
                               .column = program->locs[b->loc].column,
                               .ordinal = b->ordinal,
                               .which = b->which,
                               .outcome = (char *)branch_outcome_text(b, outcome),
                               .counted = !b->uncounted};
        ledger_add_branch(c->ledger, &branch);
    }
    program_free(program);
}

/* `source` is subject.c; more may be added before open_campaign. */
static inline void begin_campaign(Campaign *c, const char *source)
{
    *c = (Campaign){.root = mem_strdup("/tmp/clew-replay-XXXXXX")};
    assert_non_null(mkdtemp(c->root));
    c->decls.sources = c->sources;
    c->main = (CFunction){.name = "main", .defined = true};
    c->decls.functions = &c->main;
    c->decls.function_count = 1;
    add_source(c, "subject.c", source);
}

static inline void open_campaign(Campaign *c)
{
    char *out = mem_format("%s/out", c->root), *tests = mem_format("%s/tests", out), *bugs = mem_format("%s/bugs", tests);
    Error error;
    if (ledger_open(&c->ledger, out, "subject.c", &(LedgerIdentity){.sources = 1}, false, &error) != OK) fail_msg("%s", error.text);
    mkdir(tests, 0700);
    mkdir(bugs, 0700);
    write_at(tests, "clew_test.c", RUNNER);
    load_branches(c);
    free(out);
    free(tests);
    free(bugs);
}

static inline void write_tests(Campaign *c, const char *path, const char *text, const char *entries)
{
    char *below = mem_format("out/%s", path), *all = mem_format("%s\n%s\n", text, entries);
    write_at(c->root, below, all);
    free(below);
    free(all);
}

static inline LedgerTest *add_test(Campaign *c, const char *path, const char *name, RecordEnd end)
{
    Record record = {.unit = "main", .end = end};
    LedgerTest *test = ledger_add_test(c->ledger, "main", &record);
    ledger_set_text(&test->path, path);
    ledger_set_text(&test->name, name);
    test->kept = true;
    return test;
}

static inline void replay(Campaign *c)
{
    Error error;
    double started = clock_seconds();
    if (!c->options.jobs) c->options.jobs = 2;
    if (replay_run(c->ledger, &c->decls, NULL, &c->emit, &c->options, &c->replay, &error) != OK) fail_msg("%s", error.text);
    c->seconds = clock_seconds() - started;
    for (uint32_t i = 0; i < c->replay.differences.len; i++) {
        const ReplayDifference *d = &c->replay.differences.data[i];
        print_message("difference: %s:%u: %s\n", d->file, d->line, d->text);
    }
}

static inline LedgerTest *test_at(Campaign *c, uint32_t id)
{
    assert_in_range(id, 1, c->ledger->tests.len);
    return &c->ledger->tests.data[id - 1];
}

/* The branch on a line: the `nth` with that outcome. */
static inline LedgerBranch *branch_at(Campaign *c, uint32_t line, const char *outcome, uint32_t nth)
{
    for (uint32_t i = 0; i < c->ledger->branches.len; i++) {
        LedgerBranch *branch = &c->ledger->branches.data[i];
        if (branch->line == line && strcmp(branch->outcome, outcome) == 0 && !nth--) return branch;
    }
    fail_msg("no outcome %s on line %u", outcome, line);
    return NULL;
}

static inline uint32_t count_covered(Campaign *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->ledger->branches.len; i++) n += c->ledger->branches.data[i].status == LEDGER_COVERED;
    return n;
}

static inline void end_campaign(Campaign *c)
{
    replay_release(&c->replay);
    ledger_free(c->ledger);
    replay__remove_tree(c->root);
    for (uint32_t i = 0; i < c->decls.source_count; i++) free((char *)c->sources[i].path);
    free(c->root);
}

#endif
