/* Assertions on what a run was seen to do: its result, and what it changed.
 *
 * Only what is defined is asserted, and of objects and globals only what differs from what the test gave them. */
#include "unit/unit_int.h"

#include "base/arith.h"

#include <math.h>
#include <stdlib.h>

static const RecordSeen *find_seen(const Run *run, const char *name)
{
    for (uint32_t i = 0; i < run->record->seen.len; i++) {
        const RecordSeen *seen = &run->record->seen.data[i];
        if (seen->type != 'o' && strcmp(seen->name, name) == 0) return seen;
    }
    return NULL;
}

static const RecordSeen *find_element(const Run *run, const Shape *shape, uint64_t i)
{
    char *name = mem_format("%s[%llu]", shape->name, (unsigned long long)i);
    const RecordSeen *seen = find_seen(run, name);
    free(name);
    return seen;
}

static bool is_nan(const CType *type, U128 bits)
{
    if (type->kind != C_FLOAT) return false;
    return type->size == 4 ? isnan(arith_f32((uint64_t)bits)) : type->size == 8 ? isnan(arith_f64((uint64_t)bits)) : isnan(arith_f80(bits));
}

static void check_number(const char *check, const char *lvalue, const Shape *shape, U128 bits, StrBuf *out)
{
    U128 value = unit__normal(shape->type, shape->bits, bits);
    strbuf_addf(out, "    %s(", check);
    if (is_nan(shape->type, value)) {
        strbuf_addf(out, "%s != %s);\n", lvalue, lvalue); /* only a NaN is */
    } else if (shape->type->kind == C_BOOL) {
        strbuf_addf(out, "%s%s);\n", value ? "" : "!", lvalue);
    } else {
        strbuf_addf(out, "%s == ", lvalue);
        unit__literal(out, shape->type, value);
        strbuf_add(out, ");\n");
    }
}

static void check_pointer(const Run *run, const char *check, const char *lvalue, const CType *type, U128 bits, StrBuf *out)
{
    StrBuf target = {0};
    if (unit__run_address(run, (uint64_t)bits, type, &target)) strbuf_addf(out, "    %s(%s == %s);\n", check, lvalue, target.text);
    else strbuf_addf(out, "    %s(%s != NULL);\n", check, lvalue);
    strbuf_release(&target);
}

/* ---- what changed ---- */

/* A long double was given as a double. */
static U128 given_bits(const Run *run, const Shape *shape, uint64_t element)
{
    U128 bits = unit__run_bits(run, shape, element, 0);
    bool wide = shape->type->kind == C_FLOAT && shape->type->size > 8;
    return wide ? arith_bits80(arith_f64((uint64_t)bits)) : bits;
}

static bool is_changed(const Run *run, const Shape *shape, uint64_t element, const RecordSeen *seen)
{
    if (!seen || !seen->defined) return false;
    U128 now = shape->kind == SHAPE_POINTER ? seen->bits : unit__normal(shape->type, shape->bits, seen->bits);
    return now != given_bits(run, shape, element);
}

/* All of a text as it is after the call; false: it is none, or not all of it was seen. */
static bool check_text(const Run *run, const char *check, const Shape *shape, StrBuf *out)
{
    if (!shape->text || shape->count > UNIT_CAPACITY) return false;
    unsigned char *bytes = mem_alloc(shape->count);
    bool whole = false, any = false;
    uint64_t n = 0, length;
    for (; n < shape->count && !whole; n++) {
        const RecordSeen *seen = find_element(run, shape, n);
        if (!seen || !seen->defined) break;
        bytes[n] = (unsigned char)seen->bits;
        any |= is_changed(run, shape, n, seen);
        whole = bytes[n] == 0;
    }
    bool text = whole && unit__run_is_text(shape->type, bytes, shape->count, &length);
    if (text && any) {
        strbuf_addf(out, "    %s(strcmp(%s, ", check, shape->test);
        unit__string_literal(out, bytes, length);
        strbuf_add(out, ") == 0);\n");
    }
    free(bytes);
    return text;
}

static void check_run(Run *run, const char *check, const Shape *shape, StrBuf *out)
{
    if (check_text(run, check, shape, out)) return;
    uint64_t count = unit__observed(shape);
    for (uint64_t i = 0; i < count; i++) {
        const RecordSeen *seen = find_element(run, shape, i);
        if (!seen) break;
        if (!is_changed(run, shape, i, seen)) continue;
        char *lvalue = mem_format("%s[%llu]", shape->test, (unsigned long long)i);
        check_number(check, lvalue, shape, seen->bits, out);
        free(lvalue);
    }
}

static void check_changes(Run *run, const char *check, const Shape *shape, StrBuf *out)
{
    if (shape->kind == SHAPE_RUN) return check_run(run, check, shape, out);
    for (uint32_t i = 0; i < shape->parts.len; i++) check_changes(run, check, shape->parts.data[i], out);
    if (shape->kind != SHAPE_NUMBER && shape->kind != SHAPE_POINTER) return;
    const RecordSeen *seen = find_seen(run, shape->name);
    if (!is_changed(run, shape, 0, seen)) return;
    if (shape->kind == SHAPE_NUMBER) check_number(check, shape->test, shape, seen->bits, out);
    else check_pointer(run, check, shape->test, shape->type, seen->bits, out);
}

/* ---- the result ---- */

static void check_result(Run *run, const char *check, const Shape *shape, StrBuf *out)
{
    for (uint32_t i = 0; i < shape->parts.len; i++) check_result(run, check, shape->parts.data[i], out);
    for (uint64_t i = 0; shape->kind == SHAPE_RUN && i < shape->inputs; i++) {
        const RecordSeen *seen = find_element(run, shape, i);
        char *lvalue = mem_format("%s[%llu]", shape->test, (unsigned long long)i);
        if (seen && seen->defined) check_number(check, lvalue, shape, seen->bits, out);
        free(lvalue);
    }
    const RecordSeen *seen = find_seen(run, shape->name);
    if (!seen || !seen->defined) return;
    if (shape->kind == SHAPE_NUMBER) check_number(check, shape->test, shape, seen->bits, out);
    if (shape->kind == SHAPE_POINTER) check_pointer(run, check, shape->test, shape->type, seen->bits, out);
}

bool unit__result_is_checked(const Run *run)
{
    if (!run->unit->result || run->record->end != END_RETURN) return false;
    StrBuf text = {0};
    check_result((Run *)run, "", run->unit->result, &text);
    bool any = text.len != 0;
    strbuf_release(&text);
    return any;
}

void unit__print_checks(Run *run, const char *check, StrBuf *out)
{
    const Unit *unit = run->unit;
    if (run->record->end != END_RETURN) return;
    if (unit->result) check_result(run, check, unit->result, out);
    for (uint32_t i = 0; i < run->objects.len; i++) {
        if (run->objects.data[i]->written) check_changes(run, check, run->objects.data[i]->value, out);
    }
    for (uint32_t i = 0; i < unit->globals.len; i++) check_changes(run, check, unit->globals.data[i], out);
    for (uint32_t i = 0; i < unit->watched.len; i++) check_changes(run, check, unit->watched.data[i], out);
}
