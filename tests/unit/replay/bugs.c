/* replay: bugs are confirmed by what native runs show, and by nothing else. */
#include "campaign.h"

#include <signal.h>

/* ---- programs that show what they should, or something else ---- */

static const char faults[] =
    "#include <assert.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "struct s { int a, b[4]; };\n"
    "static volatile int zero;\n"
    "static int deep(int n) { volatile char room[512]; room[n & 511] = 1; return n < 0 ? 0 : deep(n + 1) + room[3]; }\n"
    "static int ends(int n) { if (n > 3) return 1; __builtin_unreachable(); }\n"
    "int fault(int kind)\n"
    "{\n"
    "    char *p = malloc(4);\n"
    "    int a[4] = {0}, unset, big = 2147483647;\n"
    "    struct s *none = zero ? (struct s *)p : 0;\n"
    "    switch (kind) {\n" /* 13 */
    "    case 0: return p[4 + zero];\n"
    "    case 1: return none->b[2];\n"
    "    case 2: free(p); return p[zero];\n"
    "    case 3: free(p); free(p + zero); return 1;\n"
    "    case 4: free(p + 1 + zero); return 1;\n"
    "    case 5: return 7 / zero;\n"
    "    case 6: return big + 1 + zero;\n"
    "    case 7: return 1 << (40 + zero);\n"
    "    case 8: assert(zero); return 1;\n"
    "    case 9: abort();\n"
    "    case 10: if (unset) return 1; return 2;\n"
    "    case 11: return deep(zero);\n"
    "    case 12: return ends(zero);\n"
    "    case 13: for (;;) zero = 0;\n"
    "    case 14: return a[4 + zero];\n"
    "    case 15: memcpy(a, p, 32); return a[1];\n"
    "    case 16: return *(int *)(zero + 8l);\n"
    "    case 17: return (-big - 1) / (zero - 1);\n"
    "    }\n"
    "    free(p);\n"
    "    return 0;\n"
    "}\n";

static const struct {
    const char *kind;
    int fault;
    bool confirmed;
    const char *evidence; /* part of it */
} claims[] = {
    {"out-of-bounds", 0, true, "AddressSanitizer: heap-buffer-overflow"},
    {"null-dereference", 1, true, "null pointer of type 'struct s'"},
    {"use-after-free", 2, true, "AddressSanitizer: heap-use-after-free"},
    {"double-free", 3, true, "attempting double-free"},
    {"invalid-free", 4, true, "attempting free"},
    {"division-by-zero", 5, true, "division by zero"},
    {"signed-overflow", 6, true, "signed integer overflow: 2147483647 + 1"},
    {"shift", 7, true, "shift exponent 40 is too large"},
    {"assertion", 8, true, "Assertion `zero' failed"},
    {"abort", 9, true, "SIGABRT"},
    {"uninitialized", 10, true, "MemorySanitizer: use-of-uninitialized-value"},
    {"stack-overflow", 11, true, "AddressSanitizer: stack-overflow"},
    {"unreachable", 12, true, "UndefinedBehaviorSanitizer: execution reached"},
    {"no-progress", 13, true, "ran longer than 2 s"},
    {"out-of-bounds", 14, true, "AddressSanitizer: stack-buffer-overflow"},
    {"out-of-bounds", 15, true, "buffer-overflow"},
    {"null-dereference", 16, true, "SEGV"},
    {"signed-overflow", 17, true, "cannot be represented in type"},
    /* lies */
    {"signed-overflow", 5, false, "the program ended with SIGFPE; another report: UndefinedBehaviorSanitizer: division by zero"},
    {"null-dereference", 20, false, "the program ended with exit status 0, and sanitizers report nothing"},
    {"no-progress", 20, false, "the program ended with exit status 0"},
    {"uninitialized", 20, false, "sanitizers report nothing"},
    {"abort", 1, false, "the program ended with SIGSEGV"},
    {"use-after-free", 0, false, "another report: AddressSanitizer: heap-buffer-overflow"},
};

static void add_claim(Campaign *c, uint32_t number, const char *kind, int fault)
{
    char *path = mem_format("tests/bugs/bug_%u_fault.c", number), *name = mem_format("bug_%u_fault", number);
    char *text = mem_format("#include \"../../../subject.c\"\n"
                            "int test_entry(void) __asm__(\"run_one\");\n"
                            "int test_entry(void) { fault(%d); return 0; }\n",
                            fault);
    write_tests(c, path, text, "");
    LedgerTest *test = add_test(c, path, name, END_BUG);
    test->bug = c->ledger->bugs.len + 1;
    LedgerBug bug = {.kind = (char *)kind, .function = "fault", .file = "subject.c", .line = 14, .message = "", .test = test->id};
    ledger_add_bug(c->ledger, &bug);
    free(path);
    free(name);
    free(text);
}

static void bugs_are_confirmed_by_native_runs(void **state)
{
    (void)state;
    Campaign c;
    begin_campaign(&c, faults);
    open_campaign(&c);
    for (uint32_t i = 0; i < COUNT_OF(claims); i++) add_claim(&c, i + 1, claims[i].kind, claims[i].fault);
    branch_at(&c, 7, "false", 0)->reached = true; /* in the machine */
    branch_at(&c, 13, "case 0", 0)->reached = true;
    branch_at(&c, 13, "case 13", 0)->reached = true;
    replay(&c);
    replay_choose_suite(c.ledger);
    uint32_t confirmed = 0;
    for (uint32_t i = 0; i < COUNT_OF(claims); i++) {
        const LedgerBug *bug = &c.ledger->bugs.data[i];
        if (bug->confirmed != claims[i].confirmed || !strstr(bug->evidence, claims[i].evidence))
            fail_msg("%s by fault %d: %s", claims[i].kind, claims[i].fault, bug->evidence);
        assert_int_equal(test_at(&c, i + 1)->replayed, claims[i].confirmed);
        assert_true(test_at(&c, i + 1)->kept);
        confirmed += claims[i].confirmed;
    }
    assert_int_equal(c.replay.bugs, COUNT_OF(claims));
    assert_int_equal(c.replay.confirmed, confirmed);
    assert_int_equal(c.replay.tests, 0);
    /* What they reach before the fault is covered by them; what the machine has not seen may come after it. */
    assert_int_equal(branch_at(&c, 13, "case 0", 0)->test, 1);
    assert_int_equal(branch_at(&c, 13, "case 13", 0)->test, 14);
    assert_int_equal(branch_at(&c, 7, "false", 0)->status, LEDGER_COVERED);
    assert_int_equal(branch_at(&c, 7, "true", 0)->status, LEDGER_OPEN);
    assert_int_equal(branch_at(&c, 13, "case 12", 0)->status, LEDGER_OPEN);
    end_campaign(&c);
}

/* ---- the judgement alone ---- */

static bool judge(const char *kind, RunResult native, const char *report, const char *problem)
{
    BugRuns runs = {
        .kind = kind, .native = native, .sanitized = {RUN_EXITED, 77, 10}, .native_text = "", .sanitized_text = report, .problem = problem};
    StrBuf evidence = {0};
    bool confirmed = replay__judge_bug(&runs, &evidence);
    assert_true(evidence.len > 0);
    assert_null(strstr(evidence.text, "0x6"));
    assert_null(strstr(evidence.text, "==12"));
    strbuf_release(&evidence);
    return confirmed;
}

static void kinds_are_not_mixed_up(void **state)
{
    (void)state;
    static const RunResult fine = {RUN_EXITED, 0, 10}, segv = {RUN_SIGNALLED, SIGSEGV, 10}, late = {RUN_TIMED_OUT, 0, 2};
    static const char overflow[] =
        "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x6\nREAD of size 1\n";
    assert_true(judge("out-of-bounds", fine, overflow, NULL));
    assert_false(judge("use-after-free", fine, overflow, NULL));
    assert_false(judge("double-free", segv, overflow, NULL));
    assert_true(judge("null-dereference", segv, "", "gcc cannot build it: sanitizers are not installed"));
    assert_false(judge("out-of-bounds", fine, "", "gcc cannot build it: sanitizers are not installed"));
    assert_true(judge("no-progress", late, "", NULL));
    assert_false(judge("assertion", late, "", NULL));
    assert_false(judge("a kind that nobody knows", segv, overflow, NULL));
    assert_true(judge("shift", fine, "x.c:1:2: runtime error: left shift of negative value -1\n", NULL));
    assert_false(judge("signed-overflow", fine, "x.c:1:2: runtime error: load of misaligned address 0x602000000014\n", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bugs_are_confirmed_by_native_runs),
        cmocka_unit_test(kinds_are_not_mixed_up),
    };
    return cmocka_run_group_tests_name("replay: bugs", tests, NULL, NULL);
}
