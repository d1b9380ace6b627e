/* Translated code computes what the C text says: small functions run by the tests' own evaluator. */
#include "eval.h"

static void phis_keep_parallel_order(void **state)
{
    (void)state;
    Program *p = load("int swap(int n, int a, int b) { while (n-- > 0) { int t = a; a = b; b = t; } return a * 10 + b; }\n"
                      "int rotate(int n, int a, int b, int c) { while (n-- > 0) { int t = a; a = b; b = c; c = t; "
                      "} return a * 100 + b * 10 + c; }\n"
                      "int shift(int n, int a) { int x = 0, y = 0; while (n-- > 0) { y = x; x = a; a++; } return y * 10 + x; }\n");
    assert_int_equal(EVAL(p, "swap", 3, 1, 2), 21);
    assert_int_equal(EVAL(p, "swap", 4, 1, 2), 12);
    assert_int_equal(EVAL(p, "rotate", 1, 1, 2, 3), 231);
    assert_int_equal(EVAL(p, "rotate", 3, 1, 2, 3), 123);
    assert_int_equal(EVAL(p, "shift", 3, 5), 67);
    program_free(p);
}

static void critical_edges_are_split(void **state)
{
    (void)state;
    Program *p = load("int f(int a, int b) { int r = 1; if (a && b) r = 2; return r; }\n"
                      "int g(int a) { int r = 0; switch (a) { case 3: r = 7; case 4: case 9: r++; break; case -1: r = 5; } return r; }\n");
    assert_int_equal(EVAL(p, "f", 1, 1), 2);
    assert_int_equal(EVAL(p, "f", 1, 0), 1);
    assert_int_equal(EVAL(p, "f", 0, 1), 1);
    assert_int_equal(EVAL(p, "g", 3), 8);
    assert_int_equal(EVAL(p, "g", 4), 1);
    assert_int_equal(EVAL(p, "g", 9), 1);
    assert_int_equal(EVAL(p, "g", -1), 5);
    assert_int_equal(EVAL(p, "g", 0), 0);
    program_free(p);
}

static void computed_gotos_carry_values(void **state)
{
    (void)state;
    Program *p = load("int f(int x) { static void *const to[] = {&&a, &&b, &&end}; int n = 0, i = 0; goto *to[x & 1];\n"
                      "a: n = n * 2 + i; i++; goto *to[i & 1 ? 1 : n > 20 ? 2 : 0];\n"
                      "b: n += 3; i += 2; goto *to[i > 9 ? 2 : n & 1 ? 0 : 1];\n"
                      "end: return n * 100 + i; }\n"
                      "int g(int k) { static const int to[] = {&&a - &&a, &&b - &&a}; int n = 1; goto *(&&a + to[k]); a: n += 10; "
                      "b: n += 100; return n; }\n");
    int n = 0, i = 0, x = 0, where = x & 1;
    while (where != 2) {
        if (where == 0) {
            n = n * 2 + i;
            i++;
            where = i & 1 ? 1 : n > 20 ? 2 : 0;
        } else {
            n += 3;
            i += 2;
            where = i > 9 ? 2 : n & 1 ? 0 : 1;
        }
    }
    assert_int_equal(EVAL(p, "f", 0), n * 100 + i);
    assert_int_equal(EVAL(p, "g", 0), 111);
    assert_int_equal(EVAL(p, "g", 1), 101);
    program_free(p);
}

static void wide_integers(void **state)
{
    (void)state;
    Program *p = load("long f(long a, long b) { __int128 x = (__int128)a * b; return (long)(x >> 60) ^ (long)x; }\n"
                      "typedef unsigned _BitInt(200) U; typedef _BitInt(200) I;\n"
                      "long g(long a, int n) { U x = (U)a << 70; x = x * 3 + 5; x <<= n; return (long)(x >> (68 + n)) + (x > (U)a); }\n"
                      "int h(long a) { I x = a; x = x << 90; x >>= 80; return (x < 0) + 2 * (x == (I)a * 1024); }\n"
                      "#pragma pack(1)\n"
                      "struct { int a : 29, b : 30, c : 8; int d : 20, e : 19; unsigned f : 30; int g : 4; unsigned h : 9; } s;\n"
                      "int bits(int d, int e, unsigned f) { s.d = d; s.e = e; s.f = f; s.g = -3; "
                      "return s.d + s.e * 2 + (int)s.f * 3 + s.g; }\n");
    __int128 product = (__int128)-123456789012345 * 98765432109876;
    assert_int_equal(EVAL(p, "f", -123456789012345, 98765432109876), (long)(product >> 60) ^ (long)product);
    assert_int_equal(EVAL(p, "g", 1000, 3), 1000 * 4 * 3 + 1);
    assert_int_equal(EVAL(p, "g", 1000, 0), 1000 * 4 * 3 + 1);
    assert_int_equal(EVAL(p, "h", -5), 3);
    assert_int_equal(EVAL(p, "h", 5), 2);
    assert_int_equal(EVAL(p, "bits", -1000, 2000, 77), -1000 + 4000 + 231 - 3);
    program_free(p);
}

static void vectors(void **state)
{
    (void)state;
    Program *p = load("typedef int v4 __attribute__((vector_size(16))); typedef short v8 __attribute__((vector_size(16)));\n"
                      "typedef _Bool b8 __attribute__((ext_vector_type(8)));\n"
                      "int f(int a, int i) { v4 x = {a, a + 1, a + 2, a + 3}; x = x * x - (x > 3); x[i] += 100; "
                      "return x[0] + x[i] * 7 + x[3]; }\n"
                      "int g(int a) { v4 x = {a, 2, 3, a << 16}; v8 y = (v8)x; return y[0] + 10 * y[2] + 100 * y[7]; }\n"
                      "int h(int a) { b8 x = 0; x[a] = 1; x[6] = 1; b8 *p = &x; return *(unsigned char *)p + (*p)[a] * 1000; }\n"
                      "int s(int a) { v4 x = {1, 2, 3, a}, y = __builtin_shufflevector(x, x * 10, 3, 5, 0, 6); "
                      "return y[0] + y[1] + y[2] + y[3]; }\n"
                      "int r(int a) { v4 x = {a, -7, 3, 12}; return __builtin_reduce_add(x) * 100 + __builtin_reduce_max(x); }\n");
    assert_int_equal(EVAL(p, "f", 2, 1), 4 + 7 * (9 + 100) + 26);
    assert_int_equal(EVAL(p, "g", 5), 5 + 20 + 500);
    assert_int_equal(EVAL(p, "h", 3), 1000 + 8 + 64);
    assert_int_equal(EVAL(p, "s", 9), 9 + 20 + 1 + 30);
    assert_int_equal(EVAL(p, "r", 40), 4840);
    program_free(p);
}

static void constants_and_globals(void **state)
{
    (void)state;
    Program *p = load("struct T { char c; struct { short s; int *p; } in; } static t[2] = {{1, {2, 0}}, {3, {4, &(int){55}}}};\n"
                      "static int a[4] = {10, 20, 30, 40}; static int *end = a + 4, *const mid = &a[2];\n"
                      "static long distance = (char *)&a[3] - (char *)&a[1]; extern int other[4] __attribute__((alias(\"a\")));\n"
                      "unsigned __int128 huge = ((unsigned __int128)0x1234 << 64) + 7; long double ld = -1.5L; double d = 0.1;\n"
                      "int f(int i) { return *t[1].in.p + t[i].in.s + end[-1] + *mid + (int)distance + other[1]; }\n"
                      "int zero[1000]; const char text[] = \"hi\";\n");
    assert_int_equal(EVAL(p, "f", 1), 55 + 4 + 40 + 30 + 8 + 20);
    assert_null(program_global(p, "zero")->bytes);
    assert_int_equal(program_global(p, "zero")->size, 4000);
    assert_true(program_global(p, "text")->constant);
    assert_memory_equal(program_global(p, "text")->bytes, "hi", 3);
    assert_ptr_equal(program_global(p, "other"), program_global(p, "a"));
    const uint8_t huge[16] = {7, 0, 0, 0, 0, 0, 0, 0, 0x34, 0x12};
    assert_memory_equal(program_global(p, "huge")->bytes, huge, 16);
    long double ld = -1.5L;
    assert_memory_equal(program_global(p, "ld")->bytes, &ld, 10);
    double d = 0.1;
    assert_memory_equal(program_global(p, "d")->bytes, &d, 8);
    program_free(p);
}

static void intrinsics_spelled_out(void **state)
{
    (void)state;
    Program *p = load("int f(int a, int b) { return __builtin_elementwise_min(a, b) + __builtin_elementwise_max(a, b) * 3 + "
                      "__builtin_elementwise_abs(a); }\n"
                      "int sat(unsigned a, unsigned b) { return (__builtin_elementwise_sub_sat(a, b) == 0) + 2 * "
                      "(__builtin_elementwise_add_sat(a, b) == -1u); }\n"
                      "double cs(double a, double b) { return __builtin_copysign(a, b); }\n"
                      "int nan(double a) { return __builtin_isnan(a) + 2 * __builtin_isinf(a) + 4 * __builtin_isnormal(a) + 8 * "
                      "__builtin_isfpclass(a, 0x90); }\n");
    assert_int_equal(EVAL(p, "f", -5, 3), -5 + 9 + 5);
    assert_int_equal(EVAL(p, "sat", 3, 5), 1);
    assert_int_equal(EVAL(p, "sat", 4000000000, 3999999999), 2);
    assert_int_equal(EVAL(p, "cs", 0x3ff0000000000000, INT64_MIN), (int64_t)0xbff0000000000000);
    const int64_t values[] = {0x7ff8000000000000, 0x7ff0000000000000, 0x3ff0000000000000, 1, 0};
    const int expected[] = {1, 2, 4, 8, 0};
    for (size_t i = 0; i < COUNT_OF(values); i++) assert_int_equal(EVAL(p, "nan", values[i]), expected[i]);
    program_free(p);
}

static void atomics_and_assembly(void **state)
{
    (void)state;
    Program *p = load("int f(int a) { _Atomic int x = a; int o = __c11_atomic_fetch_add(&x, 5, 5), e = a + 5;\n"
                      " _Bool ok = __c11_atomic_compare_exchange_strong(&x, &e, 9, 5, 5); "
                      "return o + 100 * ok + 1000 * __c11_atomic_exchange(&x, 1, 5) + 10000 * x; }\n"
                      "int g(int a) { int b; __asm__(\"\" : \"+r\"(a)); "
                      "__asm__ volatile(\"\" : \"=r\"(b) : \"0\"(a * 2) : \"memory\"); return a + b; }\n"
                      "int h(int a) { __asm__(\"inc %0\" : \"+r\"(a)); return a; }\n");
    assert_int_equal(EVAL(p, "f", 3), 3 + 100 + 9000 + 10000);
    assert_int_equal(EVAL(p, "g", 4), 12);
    const Instr *trap = find_op(function_of(p, "h"), OP_TRAP);
    assert_string_equal(p->messages[trap->imm], "inline assembly is not supported");
    assert_int_equal(p->locs[trap->loc].line, 4);
    /* what follows is still reachable in the flow graph */
    assert_int_equal(function_of(p, "h")->blocks[0].successor_count, 1);
    program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phis_keep_parallel_order),
        cmocka_unit_test(critical_edges_are_split),
        cmocka_unit_test(computed_gotos_carry_values),
        cmocka_unit_test(wide_integers),
        cmocka_unit_test(vectors),
        cmocka_unit_test(constants_and_globals),
        cmocka_unit_test(intrinsics_spelled_out),
        cmocka_unit_test(atomics_and_assembly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
