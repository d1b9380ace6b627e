/* What is known of numbers, against all numbers: of 1 to 6 bits each operation is done on every pair that two values allow. */
#include "analyse/value.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 6000 };

static Random numbers;

static uint64_t mask(uint32_t width)
{
    return ((uint64_t)1 << width) - 1;
}

static int64_t as_signed(uint64_t x, uint32_t width)
{
    return (int64_t)(x << (64 - width)) >> (64 - width);
}

static bool allows(const Value *v, uint64_t x)
{
    int64_t s = as_signed(x, v->width);
    bool listed = v->count == 0;
    for (uint32_t i = 0; i < v->count; i++) listed |= v->set[i] == x;
    return listed && x >= v->ulo && x <= v->uhi && s >= v->slo && s <= v->shi && !(x & v->zeros) && (x & v->ones) == v->ones;
}

/* A value that allows `x` at least. */
static Value around(uint32_t width, uint64_t x)
{
    Value v = value_constant(width, x);
    for (uint64_t n = random_below(&numbers, 4); n; n--) {
        uint64_t a = random_below(&numbers, mask(width) + 1), b = a + random_below(&numbers, mask(width) + 1 - a);
        int64_t s = as_signed(a, width), t = as_signed(b, width);
        Value more = random_below(&numbers, 3) == 0 ? value_constant(width, a)
                     : random_below(&numbers, 2)    ? value_unsigned(width, a, b)
                                                    : value_signed(width, s < t ? s : t, s < t ? t : s);
        v = value_join(&v, &more);
    }
    assert_true(allows(&v, x));
    return v;
}

/* The result of an instruction; false: it is undefined. */
static bool compute(Opcode op, uint32_t width, uint64_t a, uint64_t b, uint64_t *r)
{
    int64_t sa = as_signed(a, width), sb = as_signed(b, width);
    switch (op) {
    case OP_ADD: *r = a + b; break;
    case OP_SUB: *r = a - b; break;
    case OP_MUL: *r = a * b; break;
    case OP_AND: *r = a & b; break;
    case OP_OR: *r = a | b; break;
    case OP_XOR: *r = a ^ b; break;
    case OP_UDIV:
        if (!b) return false;
        *r = a / b;
        break;
    case OP_UREM:
        if (!b) return false;
        *r = a % b;
        break;
    case OP_SDIV:
        if (!b) return false;
        *r = (uint64_t)(sa / sb);
        return as_signed(*r &= mask(width), width) == sa / sb;
    case OP_SREM:
        if (!b) return false;
        *r = (uint64_t)(sa % sb);
        break;
    case OP_SHL: *r = a << b; break;
    case OP_LSHR: *r = a >> b; break;
    default: *r = (uint64_t)(sa >> b); break;
    }
    *r &= mask(width);
    return b < width || (op != OP_SHL && op != OP_LSHR && op != OP_ASHR);
}

static bool overflows(Opcode op, uint32_t width, uint64_t a, uint64_t b)
{
    int64_t x = as_signed(a, width), y = as_signed(b, width), r = op == OP_ADD ? x + y : op == OP_SUB ? x - y : x * y;
    return (op == OP_ADD || op == OP_SUB || op == OP_MUL) && as_signed((uint64_t)r & mask(width), width) != r;
}

static void results_of_operations_are_allowed(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t width = 1 + (uint32_t)random_below(&numbers, 6);
        Opcode op = (Opcode)(OP_ADD + random_below(&numbers, OP_XOR - OP_ADD + 1));
        bool exclude = random_below(&numbers, 2);
        Value a = around(width, random_below(&numbers, mask(width) + 1)), b = around(width, random_below(&numbers, mask(width) + 1));
        Value v = value_binary(op, FLAG_NSW, exclude, &a, &b);
        for (uint64_t x = 0; x <= mask(width); x++)
            for (uint64_t y = 0; y <= mask(width); y++) {
                uint64_t r;
                if (!allows(&a, x) || !allows(&b, y) || !compute(op, width, x, y, &r) || (exclude && overflows(op, width, x, y))) continue;
                assert_true(allows(&v, r));
            }
    }
}

static void conversions_keep_numbers(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t narrow = 1 + (uint32_t)random_below(&numbers, 5), wide = narrow + 1 + (uint32_t)random_below(&numbers, 4);
        Value a = around(narrow, random_below(&numbers, mask(narrow) + 1)), b = around(wide, random_below(&numbers, mask(wide) + 1));
        Value zero = value_convert(OP_ZEXT, wide, &a), sign = value_convert(OP_SEXT, wide, &a), cut = value_convert(OP_TRUNC, narrow, &b);
        for (uint64_t x = 0; x <= mask(narrow); x++)
            if (allows(&a, x)) assert_true(allows(&zero, x) && allows(&sign, (uint64_t)as_signed(x, narrow) & mask(wide)));
        for (uint64_t x = 0; x <= mask(wide); x++)
            if (allows(&b, x)) assert_true(allows(&cut, x & mask(narrow)));
    }
}

static bool holds(Predicate p, uint32_t width, uint64_t a, uint64_t b)
{
    int64_t x = as_signed(a, width), y = as_signed(b, width);
    const bool answers[] = {[PRED_EQ] = a == b,
                            [PRED_NE] = a != b,
                            [PRED_UGT] = a > b,
                            [PRED_UGE] = a >= b,
                            [PRED_ULT] = a<b, [PRED_ULE] = a <= b, [PRED_SGT] = x> y,
                            [PRED_SGE] = x >= y,
                            [PRED_SLT] = x < y,
                            [PRED_SLE] = x <= y};
    return answers[p];
}

static void comparisons_decide_and_sharpen(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t width = 1 + (uint32_t)random_below(&numbers, 5);
        Predicate p = (Predicate)random_below(&numbers, PRED_SLE + 1);
        Value a = around(width, random_below(&numbers, mask(width) + 1)), b = around(width, random_below(&numbers, mask(width) + 1)), c = a,
              d = b;
        int known = value_compare(p, &a, &b);
        bool possible = value_assume(p, &c, &d);
        for (uint64_t x = 0; x <= mask(width); x++)
            for (uint64_t y = 0; y <= mask(width); y++) {
                if (!allows(&a, x) || !allows(&b, y)) continue;
                bool now = holds(p, width, x, y);
                assert_true(known < 0 || known == now);
                assert_true(!now || (possible && allows(&c, x) && allows(&d, y)));
            }
    }
}

static void joins_meets_and_widenings_lose_nothing(void **state)
{
    (void)state;
    Values values;
    Const constants[] = {{.width = 6, .value = 3}, {.width = 6, .value = 17}, {.width = 6, .value = 60}};
    Program program = {.consts = constants, .const_count = COUNT_OF(constants)};
    values_init(&values, &program);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t width = 1 + (uint32_t)random_below(&numbers, 6);
        Value a = around(width, random_below(&numbers, mask(width) + 1)), b = around(width, random_below(&numbers, mask(width) + 1)),
              both = a;
        Value joined = value_join(&a, &b), widened = value_widen(&values, &a, &b);
        bool meets = value_meet(&both, &b);
        for (uint64_t x = 0; x <= mask(width); x++) {
            bool in_a = allows(&a, x), in_b = allows(&b, x);
            assert_true(!(in_a || in_b) || (allows(&joined, x) && allows(&widened, x)));
            assert_true(!(in_a && in_b) || (meets && allows(&both, x)));
        }
        Value kept = values_get(&values, values_keep(&values, &joined), width);
        assert_memory_equal(&kept, &joined, sizeof kept);
    }
    values_release(&values);
}

/* However often a value grows, widening comes to an end. */
static void widening_ends(void **state)
{
    (void)state;
    Values values;
    Program program = {0};
    values_init(&values, &program);
    for (int round = 0; round < 200; round++) {
        uint32_t width = 1 + (uint32_t)random_below(&numbers, 64), steps = 0;
        Value v = value_constant(width, random_next(&numbers));
        for (int i = 0; i < 2000; i++) {
            Value more = value_constant(width, random_next(&numbers) >> random_below(&numbers, 64)), next = value_widen(&values, &v, &more);
            steps += memcmp(&next, &v, sizeof v) != 0;
            v = next;
        }
        assert_true(steps < 60);
    }
    values_release(&values);
}

static void intervals_of_few_numbers_are_listed(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t width = 1 + (uint32_t)random_below(&numbers, 6);
        Value v = around(width, random_below(&numbers, mask(width) + 1)), listed = v;
        value_list(&listed);
        for (uint64_t x = 0; x <= mask(width); x++) assert_true(allows(&v, x) == allows(&listed, x));
        assert_true(listed.count > 0 || width == 6);
    }
}

static Value address_of(uint32_t index, int64_t offset)
{
    uint64_t constant;
    assert_true(address_encode((AddressParts){.index = index, .level = 3, .offset = offset}, &constant));
    return value_constant(64, constant);
}

/* Addresses move by numbers, are compared as a whole, and give no bounds: what is no set of them says nothing. */
static void addresses_are_no_numbers(void **state)
{
    (void)state;
    Value first = address_of(5, 8), second = address_of(6, 0), four = value_constant(64, 4), zero = value_constant(64, 0), many = first;
    Value moved = value_binary(OP_ADD, 0, false, &first, &four), back = value_binary(OP_SUB, 0, false, &moved, &four);
    Value sum = value_binary(OP_ADD, 0, false, &first, &second), low = value_convert(OP_TRUNC, 32, &first), top = value_top(64);
    AddressParts parts;
    uint64_t constant;
    assert_true(value_is_constant(&moved, &constant) && address_decode(constant, &parts));
    assert_true(!parts.function && parts.level == 3 && parts.index == 5 && parts.offset == 12);
    assert_memory_equal(&back, &first, sizeof first);
    assert_false(value_is_constant(&sum, &constant) || value_is_constant(&low, &constant));
    assert_int_equal(value_compare(PRED_EQ, &first, &second), 0);
    assert_int_equal(value_compare(PRED_EQ, &first, &first), 1);
    assert_int_equal(value_compare(PRED_NE, &first, &zero), 1);
    assert_int_equal(value_compare(PRED_ULT, &first, &second), -1);
    for (int64_t i = 0; i < 2 * MOST_CONSTANTS; i++) {
        Value next = address_of(5, i);
        many = value_join(&many, &next);
    }
    assert_memory_equal(&many, &top, sizeof top);
    assert_false(address_encode((AddressParts){.index = 1u << 20}, &constant));
    assert_false(address_decode(12, &parts));
}

int main(void)
{
    random_seed(&numbers, 19);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_of_operations_are_allowed),
        cmocka_unit_test(conversions_keep_numbers),
        cmocka_unit_test(comparisons_decide_and_sharpen),
        cmocka_unit_test(joins_meets_and_widenings_lose_nothing),
        cmocka_unit_test(widening_ends),
        cmocka_unit_test(intervals_of_few_numbers_are_listed),
        cmocka_unit_test(addresses_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
