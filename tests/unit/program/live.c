/* program_live: which registers are read again after a call. */
#include "../front/load.h"

#include <stdlib.h>

static unsigned live_across(const Function *f, const uint64_t *live, uint32_t instr)
{
    uint64_t set[64] = {0};
    unsigned count = 0;
    assert_true(f->register_count < 64 * COUNT_OF(set));
    program_live_across(f, live, instr, set);
    for (size_t i = 0; i < COUNT_OF(set); i++) count += (unsigned)__builtin_popcountll(set[i]);
    return count;
}

/* The function `test`, and for each of its calls of `ask`, in the order of the code, how many registers are live across it. */
static void check(const char *text, const unsigned *expected, size_t count)
{
    Program *program = load(text);
    const Function *f = function_of(program, "test");
    uint64_t *live = program_live(f);
    size_t n = 0;
    for (uint32_t i = 0; i < f->code_count; i++) {
        if (f->code[i].op != OP_CALL || strcmp(program->functions[f->calls[f->code[i].imm].callee].name, "ask") != 0) continue;
        assert_true(n < count);
        assert_int_equal(live_across(f, live, i), expected[n++]);
    }
    assert_int_equal(n, count);
    free(live);
    program_free(program);
}
#define CHECK(text, ...) \
    check("int ask(int);\n" text, (const unsigned[]){__VA_ARGS__}, sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

/* Arguments are passed by then, and results are not there yet. */
static void straight_code(void **unused)
{
    (void)unused;
    CHECK("int test(int x) { int a = ask(x); int b = ask(2); ask(b); return a; }", 0, 1, 1);
    CHECK("int test(int x, int y) { ask(x); return x + y; }", 2);
}

/* What the next round writes before it reads is dead at the end of this one. */
static void loops(void **unused)
{
    (void)unused;
    CHECK("int test(int n) { int s = 0; for (int i = 0; i < n; i++) s += ask(i); return s; }", 3);
    CHECK("int test(int n) { int last; do { last = ask(1); } while (last != n); return last; }", 1);
    CHECK("int test(int n) { int level = 0; for (;;) { if (ask(1) > n) level++; else level = 0; if (level == 3) return 1; } }", 2);
}

static void branches(void **unused)
{
    (void)unused;
    CHECK("int test(int x, int y) { int a = ask(1); if (a) return x; return y; }", 2);
    CHECK("int test(int x, int y) { switch (ask(1)) { case 1: return x; case 2: return 5; default: return ask(y); } }", 2, 0);
}

/* Both registers of a wide value are read again. */
static void wide_values(void **unused)
{
    (void)unused;
    Program *program = load("int ask(int);\n__int128 test(__int128 x, __int128 y) { __int128 z = x * y; ask(1); return z; }");
    const Function *f = function_of(program, "test");
    uint64_t *live = program_live(f), set[64] = {0};
    uint32_t call = 0;
    while (f->code[call].op != OP_CALL) call++;
    Operand product = OPERAND_NONE;
    for (uint32_t i = 0; i < call; i++)
        if (f->code[i].op == OP_MUL) product = f->code[i].dst;
    assert_true(operand_is_reg(product));
    program_live_across(f, live, call, set);
    for (uint32_t reg = product; reg < product + 2; reg++) assert_true(set[reg / 64] >> reg % 64 & 1);
    free(live);
    program_free(program);
}

int main(void)
{
    const struct CMUnitTest unit_tests[] = {
        cmocka_unit_test(straight_code),
        cmocka_unit_test(loops),
        cmocka_unit_test(branches),
        cmocka_unit_test(wide_values),
    };
    return cmocka_run_group_tests(unit_tests, NULL, NULL);
}
