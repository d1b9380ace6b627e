/* summary: the hash of a function changes with what it does, and with nothing else. */
#include "../front/load.h"
#include "summary/summary.h"

static uint64_t hash_of(const char *text, const char *function)
{
    Program *program = load(text);
    uint64_t hash = summary_hash(program, (uint32_t)(function_of(program, function) - program->functions));
    program_free(program);
    return hash;
}

/* Of f, in both texts. */
static void expect(const char *text, const char *other, bool same)
{
    uint64_t a = hash_of(text, "f"), b = hash_of(other, "f");
    if (!a || !b) fail_msg("no hash:\n%s\n%s", text, other);
    if ((a == b) != same) fail_msg("%s:\n%s\n%s", same ? "not the same" : "the same", text, other);
}

#define HELPER "static int g(int x) { return x > 3 ? x : -x; }\n"
#define BODY "int f(int a) { switch (a) { case 1: return g(a); case 9: return 2; } return a * 7 < 100 ? g(a + 1) : 0; }\n"

static void edits_elsewhere_do_not_count(void **state)
{
    (void)state;
    expect(HELPER BODY, HELPER BODY, true);
    expect(HELPER BODY, "/* moved */\n\n  " HELPER "\n\n" BODY, true);
    expect("int other(int x) { return x; }\n" HELPER BODY,
           "extern int far(int);\nint table[4] = {1, 2, 3};\n"
           "int other(int x) { if (x > 12345) return far(77 + table[x & 3]); switch (x) { case 5: return 1; } return x ? 3 : 4; }\n"
           "int more(int x) { return other(x) > 8; }\n" HELPER BODY,
           true);
    expect("int n; int f(int a) { return a + n; }\n", "int before; int n = 5; int f(int a) { return a + n; }\n", true);
}

static void its_own_edits_count(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "int f(int a) { return a + 1; }\n",
        "int f(int a) { return a + 2; }\n",
        "int f(int a) { return a - 1; }\n",
        "int f(unsigned a) { return a + 1; }\n",
        "int f(int b) { return b + 1; }\n",
        "int f(int a) { return a > 3 ? a + 1 : 1; }\n",
        "int f(int a) { if (a > 1) return a + 1; return 1; }\n",
        "int f(int a) { if (a > 2) return a + 1; return 1; }\n",
        "int f(int a) { switch (a) { case 2: return 1; case 3: return 2; } return 3; }\n",
        "int f(int a) { switch (a) { case 2: return 1; case 4: return 2; } return 3; }\n",
        "int f(int a) { switch (a) { case 2: return 2; case 3: return 1; } return 3; }\n",
        "long f(int a) { return a + 1; }\n",
        "int f(int a, int b) { return a + 1; }\n",
        "int n, m; int f(int a) { return a + n; }\n",
        "int n, m; int f(int a) { return a + m; }\n",
        "long n; int f(int a) { return a + (int)n; }\n",
        "int g(int), h(int); int f(int a) { return g(a); }\n",
        "int g(int), h(int); int f(int a) { return h(a); }\n",
    };
    uint64_t hashes[COUNT_OF(bodies)];
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        hashes[i] = hash_of(bodies[i], "f");
        assert_int_not_equal(hashes[i], 0);
        for (size_t k = 0; k < i; k++)
            if (hashes[k] == hashes[i]) fail_msg("the same:\n%s\n%s", bodies[k], bodies[i]);
    }
}

static void callees_count(void **state)
{
    (void)state;
    expect(HELPER BODY, "static int g(int x) { return x > 4 ? x : -x; }\n" BODY, false);
    expect("int h(int x) { return x; }\nint g(int x) { return h(x); }\nint f(int a) { return g(a); }\n",
           "int h(int x) { return x + 1; }\nint g(int x) { return h(x); }\nint f(int a) { return g(a); }\n", false);
    /* In a circle, met from either end. */
    static const char circle[] = "int g(int); int f(int a) { return a > 0 ? g(a - 1) : 1; }\nint g(int x) { return x > 1 ? f(x) : 2; }\n";
    expect(circle, circle, true);
    expect(circle, "int g(int); int f(int a) { return a > 0 ? g(a - 1) : 1; }\nint g(int x) { return x > 1 ? f(x) : 3; }\n", false);
}

static void constant_data_counts(void **state)
{
    (void)state;
#define LOOKUP "int f(int a) { return t[a & 3]; }\n"
    expect("const int t[] = {1, 2, 3, 4};\n" LOOKUP, "const int t[] = {1, 2, 3, 4};\n" LOOKUP, true);
    expect("const int t[] = {1, 2, 3, 4};\n" LOOKUP, "const int t[] = {1, 2, 3, 5};\n" LOOKUP, false);
    expect("const int t[] = {1, 2, 3, 4};\n" LOOKUP, "int t[] = {1, 2, 3, 4};\n" LOOKUP, false);
    expect("int t[] = {1, 2, 3, 4};\n" LOOKUP, "int t[] = {1, 2, 3, 5};\n" LOOKUP, true);
    expect("int t[4];\n" LOOKUP, "int t[5];\n" LOOKUP, false);
    expect("int f(int a) { return \"abcd\"[a & 3]; }\n", "int f(int a) { return \"abce\"[a & 3]; }\n", false);
    /* Through an address in a table. */
    expect("static const char s[] = \"two\";\nconst char *const n[] = {\"one\", s};\nint f(int a) { return n[a & 1][0]; }\n",
           "static const char s[] = \"six\";\nconst char *const n[] = {\"one\", s};\nint f(int a) { return n[a & 1][0]; }\n", false);
    expect("int x, y; int *const n[] = {&x, &y};\nint f(int a) { return *n[a & 1]; }\n",
           "int x, y; int *const n[] = {&y, &x};\nint f(int a) { return *n[a & 1]; }\n", false);
}

static void a_computed_call_has_no_hash(void **state)
{
    (void)state;
    static const char text[] =
        "int g(int (*p)(int), int x) { return p(x); }\nint one(int x) { return x; }\n"
        "int f(int a) { return g(one, a); }\nint h(int a) { return a + 1; }\nint k(int a) { return one == 0 ? a : 1; }\n";
    assert_int_equal(hash_of(text, "g"), 0);
    assert_int_equal(hash_of(text, "f"), 0);
    assert_int_not_equal(hash_of(text, "h"), 0);
    assert_int_not_equal(hash_of(text, "k"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_elsewhere_do_not_count), cmocka_unit_test(its_own_edits_count),         cmocka_unit_test(callees_count),
        cmocka_unit_test(constant_data_counts),         cmocka_unit_test(a_computed_call_has_no_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
