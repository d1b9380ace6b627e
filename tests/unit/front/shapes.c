/* What the model says about functions, calls, branches and places. */
#include "load.h"

static void branches_are_listed_with_places(void **state)
{
    (void)state;
    Program *p = load("int f(int a, int b) {\n    if (a > 3)\n        return 1;\n    switch (b) {\n    case -2: return 5;\n    case "
                      "7: return 6;\n    }\n"
                      "    return a ? b : 4;\n}\n");
    assert_int_equal(p->branch_count, 2 + 3 + 2);
    const struct {
        OutcomeKind outcome;
        uint32_t line;
        const char *text;
    } expected[] = {{OUTCOME_TRUE, 2, "true"},       {OUTCOME_FALSE, 2, "false"}, {OUTCOME_CASE, 4, "case -2"}, {OUTCOME_CASE, 4, "case 7"},
                    {OUTCOME_DEFAULT, 4, "default"}, {OUTCOME_TRUE, 8, "true"},   {OUTCOME_FALSE, 8, "false"}};
    for (uint32_t i = 0; i < COUNT_OF(expected); i++) {
        char buffer[64];
        assert_int_equal(p->branches[i].outcome, expected[i].outcome);
        assert_int_equal(p->locs[p->branches[i].loc].line, expected[i].line);
        assert_string_equal(branch_outcome_text(&p->branches[i], buffer), expected[i].text);
        assert_false(p->branches[i].uncounted);
    }
    assert_int_equal(function_of(p, "f")->line, 1);
    program_free(p);
}

static uint32_t counted_branches(const char *text)
{
    Program *p = load(text);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->branch_count; i++) count += !p->branches[i].uncounted;
    program_check(p);
    program_free(p);
    return count;
}

/* Wherever they stand, each operand has two outcomes, and nothing else has any. */
static void operands_are_branches(void **state)
{
    (void)state;
    static const char *const three[] = {
        "int f(int a, int b, int c) { if (a && (b || c)) return 1; return 0; }",
        "int f(int a, int b, int c) { int n = 0; while (a > n && (b > n || c > n)) n++; return n; }",
        "int f(int a, int b, int c) { int n = 0; while (!(a < n && b < n) || c > n) n++; return n; }",
        "int f(int a, int b, int c) { int n = 0; do n++; while ((a || b) && c > n); return n; }",
        "int f(int a, int b, int c) { int n = 0; for (n = 0; (a && b) || c > n; n++) continue; return n; }",
        "int f(int a, int b, int c) { return a && b && c; }",
        "_Bool f(int a, int b, int c) { _Bool x = a || (b > 3 && c < 4); return x; }",
        "int g(int); int f(int a, int b, int c) { return g(a < b || b < c || a == c); }",
    };
    for (size_t i = 0; i < COUNT_OF(three); i++) assert_int_equal(counted_branches(three[i]), 6);
    assert_int_equal(counted_branches("int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); n = __builtin_va_arg(l, int);"
                                      "__builtin_va_end(l); int t[5] = {[1] = 4, [3] = n}; return t[n & 3]; }"),
                     0); /* what clang branches on by itself */
    assert_int_equal(counted_branches("int f(int a, int b) { int x = a && b; if (x) return 1; return 0; }"), 6);
}

static void known_conditions_stay_branches(void **state)
{
    (void)state;
    Program *p = load("int f(int a) { int on = 1; if (on) return a; return 0; }\nint g(int a) { if (a == a + 0 * a) a++; return a; }\n");
    assert_int_equal(function_of(p, "f")->branch_count, 1);
    assert_int_equal(function_of(p, "g")->branch_count, 1);
    program_free(p);
}

static void arguments_are_flattened(void **state)
{
    (void)state;
    Program *p = load("struct big { long a[5]; }; struct pair { long a; double b; }; struct ff { float x, y; };\n"
                      "struct pair take(struct big b, struct pair p, signed char c, struct ff f, long double l, __int128 w);\n"
                      "double call(struct big *b, struct pair p, struct ff f) { return take(*b, p, -1, f, 2.0L, 7).b; }\n"
                      "int printf(const char *, ...);\nint say(int a) { return printf(\"%d %f\", a, 1.5); }\n");
    const CallSite *site = &function_of(p, "call")->calls[0];
    assert_int_equal(site->callee, function_of(p, "take") - p->functions);
    assert_int_equal(site->argument_count, 9);
    assert_int_equal(site->arguments[0].byval_size, 40);
    assert_int_equal(site->arguments[0].byval_align, 8);
    assert_true(site->arguments[3].type.sign);
    assert_int_equal(site->arguments[3].type.width, 8);
    assert_int_equal(site->arguments[4].type.lanes, 2);
    assert_int_equal(site->arguments[4].type.kind, SCALAR_FLOAT);
    assert_int_equal(site->arguments[6].type.width, 80);
    assert_int_equal(site->arguments[7].type.width, 64);
    assert_int_equal(site->result_count, 2);
    assert_int_equal(site->results[1].kind, SCALAR_FLOAT);
    const CallSite *say = &function_of(p, "say")->calls[0];
    assert_true(say->variadic);
    assert_int_equal(say->fixed_count, 1);
    assert_int_equal(say->argument_count, 3);
    assert_int_equal(function_of(p, "take")->params[0].byval_size, 40);
    program_free(p);
}

static void setjmp_keeps_locals_in_memory(void **state)
{
    (void)state;
    Program *p = load("typedef long jmp_buf[32]; int _setjmp(jmp_buf) __attribute__((returns_twice)); jmp_buf b;\n"
                      "int f(int n) { int v = n; if (_setjmp(b)) return v; v++; return v; }\nint g(int n) { int v = n; v++; return v; }\n");
    assert_true(count_op(function_of(p, "f"), OP_ALLOCA) >= 1);
    assert_int_equal(count_op(function_of(p, "g"), OP_ALLOCA), 0);
    program_free(p);
}

static void library_functions_of_intrinsics(void **state)
{
    (void)state;
    Program *p = load("float f(float x) { return __builtin_floorf(x); } long double s(long double x) { return __builtin_sqrtl(x); }\n"
                      "double m(double a, double b, double c) { return a * b + c; } void t(void) { __builtin_trap(); }\n");
    assert_false(function_of(p, "floorf")->defined);
    assert_false(function_of(p, "sqrtl")->defined);
    assert_int_equal(count_op(function_of(p, "m"), OP_FMUL), 1);
    assert_int_equal(count_op(function_of(p, "m"), OP_FADD), 1);
    assert_int_equal(function_of(p, "t")->calls[0].callee, function_of(p, "clew__trap") - p->functions);
    program_free(p);
}

static void constructors_run_in_order(void **state)
{
    (void)state;
    Program *p = load("__attribute__((constructor)) void last(void) {} __attribute__((constructor(300))) void second(void) {}\n"
                      "__attribute__((constructor(200))) void first(void) {} __attribute__((destructor(200))) void end2(void) {}\n"
                      "__attribute__((destructor)) void end1(void) {}\n");
    assert_int_equal(p->constructor_count, 3);
    const char *order[] = {"first", "second", "last"};
    for (uint32_t i = 0; i < 3; i++) assert_string_equal(p->functions[p->constructors[i].function].name, order[i]);
    assert_int_equal(p->destructor_count, 2);
    assert_string_equal(p->functions[p->destructors[0].function].name, "end1");
    program_free(p);
}

static void unsupported_things_trap(void **state)
{
    (void)state;
    Program *p = load("__float128 f(__float128 a) { return a + 1; } __float128 moved(__float128 *a) { return *a; }\n"
                      "unsigned _BitInt(300) q(unsigned _BitInt(300) a, unsigned _BitInt(300) b) { return a / b; }\n");
    assert_int_equal(count_op(function_of(p, "f"), OP_TRAP), 1);
    assert_int_equal(count_op(function_of(p, "moved"), OP_TRAP), 0);
    const Instr *trap = find_op(function_of(p, "q"), OP_TRAP);
    assert_non_null(strstr(p->messages[trap->imm], "300 bits"));
    program_free(p);
}

static void printing_names_everything(void **state)
{
    (void)state;
    Program *p = load("int g = 3; int f(int a) { return a > 2 ? g + a : -1; }\n");
    StrBuf text = {0};
    program_print(p, &text);
    assert_non_null(strstr(text.text, "function f(r0:i32 a) -> i32"));
    assert_non_null(strstr(text.text, "icmp.sgt 32 r0 2"));
    assert_non_null(strstr(text.text, "load 32 @g"));
    strbuf_release(&text);
    program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_are_listed_with_places), cmocka_unit_test(operands_are_branches),
        cmocka_unit_test(known_conditions_stay_branches),  cmocka_unit_test(arguments_are_flattened),
        cmocka_unit_test(setjmp_keeps_locals_in_memory),   cmocka_unit_test(library_functions_of_intrinsics),
        cmocka_unit_test(constructors_run_in_order),       cmocka_unit_test(unsupported_things_trap),
        cmocka_unit_test(printing_names_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
