/* summary: what is printed is what the function does. */
#include "explore.h"

#include <regex.h>

static void expect(const char *text, const char *function, const char *lines)
{
    Program *program = load(text);
    Search *search = explore(program, "top", NULL, 0, 300);
    search_run(search);
    char *printed = text_of(program, search, function);
    if (strcmp(printed, lines) != 0) fail_msg("of\n%sthis is printed:\n%sand not:\n%s", text, printed, lines);
    free(printed);
    search_free(search);
    program_free(program);
}

/* Each line, with extended regular expressions. */
static void expect_match(const char *text, const char *function, const char *pattern)
{
    Program *program = load(text);
    Search *search = explore(program, "top", NULL, 0, 300);
    search_run(search);
    char *printed = text_of(program, search, function);
    regex_t regex;
    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    if (regexec(&regex, printed, 0, NULL, 0) != 0) fail_msg("of\n%sthis is printed:\n%swithout:\n%s", text, printed, pattern);
    regfree(&regex);
    free(printed);
    search_free(search);
    program_free(program);
}

static void conditions_and_results(void **state)
{
    (void)state;
    expect("int is_positive(int x) { if (x > 0) return 1; return 0; }\n"
           "int top(int y, int z) { int a = is_positive(y), b = is_positive(z); if (a && b) return 3; return 0; }\n",
           "is_positive",
           "x <= 0 and ret = 0\n"
           "or x > 0 and ret = 1\n");
    expect("int f(unsigned x) { if (x > 4000000000u) return -1; if (x == 3000000000u) return -100000; return 1; }\n"
           "int top(unsigned y) { if (f(y) > 0) return 1; return 0; }\n",
           "f",
           "x >u 4000000000 and ret = -1\n"
           "or x <=u 4000000000 and x != 3000000000 and ret = 1\n"
           "or x <=u 4000000000 and x = 3000000000 and ret = -100000\n");
    expect("double f(int x) { if (x > 5) return 2.5; return -1; }\n"
           "int top(int y) { if (f(y) > 0) return 1; return 0; }\n",
           "f",
           "x < 6 and ret = -1\n"
           "or x > 5 and ret = 2.5\n");
    expect("struct pair { long a, b; };\n"
           "struct pair f(int x) { struct pair p = {x, 7}; if (x > 5) p.b = x; return p; }\n"
           "int top(int y) { if (f(y).b == 9) return 1; return 0; }\n",
           "f",
           "x < 6 and ret.0 = x and ret.1 = 7\n"
           "or x > 5 and ret.0 = x and ret.1 = x\n");
}

static void places(void **state)
{
    (void)state;
    expect("void swap(int *p, int *q) { if (*p > *q) { int t = *p; *p = *q; *q = t; } }\n"
           "int top(int a, int b) { int x = a, y = b; swap(&x, &y); if (x == 5) return 1; return 0; }\n",
           "swap",
           "*p <= *q and true\n"
           "or *q < *p and *p := *q and *q := *p\n");
    expect("int mode, table[4];\n"
           "int f(int x) { if (x > mode) { table[2] = x; mode = x; return 1; } return 0; }\n"
           "int top(int a) { mode = 3; if (f(a)) return 1; return table[2] == 8; }\n",
           "f",
           "mode = 3 and x < 4 and ret = 0\n"
           "or mode = 3 and x >= 4 and ret = 1 and mode := x and table[2] := x\n");
    expect("struct list { struct list *next; int value; };\n"
           "int f(struct list *l) { if (l->next->value > 3) return l->next->next == 0; return 2; }\n"
           "int top(int a) { struct list y = {0, a}, x = {&y, 1}; if (f(&x) == 1) return 1; return 0; }\n",
           "f",
           "(*l)[2] < 4 and ret = 2\n"
           "or (*l)[2] >= 4 and **l = 0 and ret = 1\n");
    expect("int f(int *p, int *q, int x) { *p = 1; *q = 2; return x > 0 ? *p : 0; }\n"
           "int top(int a, int b) { int x = 0, y, i = f(&x, &x, a), k = f(&x, &y, b); if (i == 2 && k == 1) return 1; return 0; }\n",
           "f",
           "x <= 0 and ret = 0 and *p := 1 and *q := 2\n"
           "or x > 0 and ret = 1 and *p := 1 and *q := 2\n"
           "or q = p and x <= 0 and ret = 0 and *p := 2\n"
           "or q = p and x > 0 and ret = 2 and *p := 2\n");
}

static void ends(void **state)
{
    (void)state;
    static const char program[] = "_Noreturn void clew__exit(int);\n"
                                  "int f(int x, int y)\n"
                                  "{\n"
                                  "    if (x == 1) clew__exit(3);\n"
                                  "    if (x == 2) return 10 / y;\n"
                                  "    return 0;\n"
                                  "}\n"
                                  "int top(int a, int b) { if (f(a, b) == 5) return 1; return 0; }\n";
    expect_match(program, "f", "(^|\n)(or )?x = 1 and false \\(exit at [^ ]*\\.c:4\\)\n");
    expect_match(program, "f", "\nor x != 1 and x = 2 and y = 0 and false \\(bug: division-by-zero at [^ ]*\\.c:5\\)\n");
    expect_match(program, "f", "\nor x != 1 and x = 2 and y != 0 and ret = 10 / y\n");
    expect_match("int f(int *p, int i) { if (i > 3) return p[4]; return p[i & 1]; }\n"
                 "int top(int a) { int x[4] = {1, 2, 3, a}; if (f(x, a) == 2) return 1; return 0; }\n",
                 "f", "i >= 4 and p \\+ 16 bytes is outside of its object and false \\(bug: out-of-bounds at [^ ]*:1\\)\n");
    expect_match("int f(int *p, int i) { if (i > 3) return p[1] > 0; return 4; }\n"
                 "int top(int a) { int x[2]; x[0] = 1; if (f(x, a) == 1) return 1; return 0; }\n",
                 "f", "i >= 4 and p\\[1\\] is uninitialised and ");
}

static void long_ones_are_cut(void **state)
{
    (void)state;
    StrBuf text = {0};
    strbuf_add(&text, "int f(int x) { switch (x) {\n");
    for (int i = 0; i < 230; i++) strbuf_addf(&text, "case %d: return %d;\n", i * 3, i * 7 + 1);
    strbuf_add(&text, "} return 0; }\nint top(int a) { if (f(a) == 50) return 1; return 0; }\n");
    expect_match(text.text, "f", "\n… and 31 more\n$");
    strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_and_results),
        cmocka_unit_test(places),
        cmocka_unit_test(ends),
        cmocka_unit_test(long_ones_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
