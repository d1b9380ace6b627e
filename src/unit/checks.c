/* Assertions on what a run was seen to do: its result, and what it changed.
 *
 * Only what is defined is asserted, and of objects and globals only what differs from what the test gave them. */
#include "unit/unit_int.h"

#include "base/arith.h"

#include <stdlib.h>

enum { MOST_KEPT = 6 /* assertions that something has not changed, where there are no others */ };

static const RecordSeen *find_seen(const Run *run, const char *name)
{
    for (uint32_t i = 0; i < run->record->seen.len; i++) {
        const RecordSeen *seen = &run->record->seen.data[i];
        if (seen->type != 'o' && seen->type != 'k' && strcmp(seen->name, name) == 0) return seen;
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
static bool check_text(Checks *c, const Shape *shape)
{
    const Run *run = c->run;
    uint64_t count = unit__run_count(run, shape);
    if (!shape->text || count > UNIT_CAPACITY) return false;
    unsigned char *bytes = mem_alloc(count);
    bool whole = false, any = false;
    uint64_t n = 0, length;
    for (; n < count && !whole; n++) {
        const RecordSeen *seen = find_element(run, shape, n);
        if (!seen || !seen->defined) break;
        bytes[n] = (unsigned char)seen->bits;
        any |= is_changed(run, shape, n, seen);
        whole = bytes[n] == 0;
    }
    bool text = whole && unit__run_is_text(shape->type, bytes, count, &length);
    for (uint64_t i = n; text && i < count; i++)
        text = !is_changed(run, shape, i, find_element(run, shape, i)); /* several texts, one after the other */
    if (text && any) {
        StrBuf literal = {0};
        unit__string_literal(&literal, bytes, length);
        unit__check(c, "strcmp(%s, %s) == 0", shape->test, literal.text);
        strbuf_release(&literal);
    }
    free(bytes);
    return text;
}

/* Compares the elements with the memory that was recorded after the call, since that also holds elements which are no inputs.  Returns false if this memory was
 * not recorded. */
static bool check_remembered(Checks *c, const Shape *shape)
{
    const Run *run = c->run;
    const RecordSeen *first = find_element(run, shape, 0);
    const RecordMemory *memory = first && first->address ? record_memory(run->record, 0, first->address) : NULL;
    uint64_t count = unit__run_count(run, shape), last = 0;
    if (!memory) return false;
    for (uint64_t i = 0; i < count; i++) {
        unsigned char byte;
        U128 bits = 0;
        bool known = true;
        uint64_t at = first->address - memory->address + i * shape->type->size;
        for (uint64_t k = 0; k < shape->type->size && known; k++, bits |= known ? (U128)byte << (8 * (k - 1)) : 0)
            known = record_byte(memory, at + k, &byte);
        RecordSeen seen = {.defined = known, .bits = bits};
        if (is_changed(run, shape, i, &seen)) last = i + 1;
    }
    if (last == 0) return true;
    if (unit__check_numbers(c, shape->test, shape->type, first->address, count)) return true;
    return unit__check_numbers(c, shape->test, shape->type, first->address, last);
}

static void check_run(Checks *c, const Shape *shape)
{
    if (check_text(c, shape) || check_remembered(c, shape)) return;
    uint64_t count = unit__observed(shape);
    for (uint64_t i = 0; i < count; i++) {
        const RecordSeen *seen = find_element(c->run, shape, i);
        if (!seen) break;
        if (!is_changed(c->run, shape, i, seen)) continue;
        char *lvalue = mem_format("%s[%llu]", shape->test, (unsigned long long)i);
        unit__check_number(c, lvalue, shape->type, shape->bits, seen->bits);
        free(lvalue);
    }
}

static void check_changes(Checks *c, const Shape *shape)
{
    if (shape->kind == SHAPE_RUN) return check_run(c, shape);
    for (uint32_t i = 0; i < shape->parts.len; i++) check_changes(c, shape->parts.data[i]);
    if (shape->kind != SHAPE_NUMBER && shape->kind != SHAPE_POINTER) return;
    const RecordSeen *seen = find_seen(c->run, shape->name);
    if (!is_changed(c->run, shape, 0, seen)) return;
    if (shape->kind == SHAPE_NUMBER) unit__check_number(c, shape->test, shape->type, shape->bits, seen->bits);
    else unit__check_pointer(c, shape->test, shape->type, (uint64_t)seen->bits, 0);
}

/* A single number behind a parameter is mostly a second result, so it is compared even if it is what it was. */
static void check_object(Checks *c, const Object *object)
{
    const Shape *value = object->value;
    const RecordSeen *seen = value->kind == SHAPE_NUMBER && !object->pointer->in ? find_seen(c->run, value->name) : NULL;
    uint32_t before = c->count;
    check_changes(c, value);
    if (c->count == before && seen && seen->defined) unit__check_number(c, value->test, value->type, value->bits, seen->bits);
}

/* A global that is only written: the test gives it no value, so what it was before is not known here. */
static void check_watched(Checks *c, const Shape *shape)
{
    const RecordSeen *seen = shape->kind == SHAPE_NUMBER ? find_seen(c->run, shape->name) : NULL;
    if (!seen) return check_changes(c, shape);
    if (seen->defined) unit__check_number(c, shape->test, shape->type, shape->bits, seen->bits);
}

const char *unit__changed(const Run *run)
{
    StrBuf text = {0};
    const char *name = NULL;
    Checks c = {.run = run, .check = "", .out = &text};
    const Unit *unit = run->unit;
    for (uint32_t i = 0; i < run->objects.len && !name; i++) {
        const Object *object = run->objects.data[i];
        if (object->written) check_changes(&c, object->value);
        if (c.count) name = object->name;
    }
    for (uint32_t i = 0; i < unit->globals.len && !name; i++) {
        check_changes(&c, unit->globals.data[i]);
        if (c.count) name = unit->globals.data[i]->path;
    }
    for (uint32_t i = 0; i < unit->watched.len && !name; i++) {
        check_watched(&c, unit->watched.data[i]);
        if (c.count) name = unit->watched.data[i]->path;
    }
    unit__checks_release(&c);
    strbuf_release(&text);
    return name;
}

/* ---- the result ---- */

static void check_result(Checks *c, const Shape *shape)
{
    for (uint32_t i = 0; i < shape->parts.len; i++) check_result(c, shape->parts.data[i]);
    for (uint64_t i = 0; shape->kind == SHAPE_RUN && i < shape->inputs; i++) {
        const RecordSeen *seen = find_element(c->run, shape, i);
        char *lvalue = mem_format("%s[%llu]", shape->test, (unsigned long long)i);
        if (seen && seen->defined) unit__check_number(c, lvalue, shape->type, shape->bits, seen->bits);
        free(lvalue);
    }
    const RecordSeen *seen = find_seen(c->run, shape->name);
    if (!seen || !seen->defined) return;
    if (shape->kind == SHAPE_NUMBER) unit__check_number(c, shape->test, shape->type, shape->bits, seen->bits);
    if (shape->kind == SHAPE_POINTER) unit__check_pointer(c, shape->test, shape->type, (uint64_t)seen->bits, 0);
}

bool unit__result_is_checked(const Run *run)
{
    if (!run->unit->result || run->record->end != END_RETURN) return false;
    StrBuf text = {0};
    Checks c = {.run = run, .check = "", .out = &text};
    check_result(&c, run->unit->result);
    bool any = c.count != 0;
    unit__checks_release(&c);
    strbuf_release(&text);
    return any;
}

/* ---- where nothing is returned and nothing changes ---- */

static void check_kept_run(Checks *c, const Shape *shape, uint64_t address)
{
    uint64_t count = unit__run_count(c->run, shape), inputs = unit__run_inputs(c->run, shape);
    if (shape->text && unit__check_text(c, shape->test, address)) return;
    if (count) unit__check_numbers(c, shape->test, shape->type, address, count < inputs ? count : inputs);
}

static void check_kept_value(Checks *c, const Shape *shape)
{
    for (uint32_t i = 0; i < shape->parts.len; i++) check_kept_value(c, shape->parts.data[i]);
    const RecordSeen *seen = shape->kind == SHAPE_NUMBER || shape->kind == SHAPE_POINTER ? find_seen(c->run, shape->name) : NULL;
    if (shape->kind == SHAPE_RUN && (seen = find_element(c->run, shape, 0)) != NULL && seen->address)
        check_kept_run(c, shape, seen->address);
    if (!seen || !seen->defined || c->count >= MOST_KEPT || shape->kind == SHAPE_RUN) return;
    if (shape->kind == SHAPE_NUMBER) unit__check_number(c, shape->test, shape->type, shape->bits, seen->bits);
    else if (!seen->bits || unit__run_target(c->run, shape, 0)) unit__check_pointer(c, shape->test, shape->type, (uint64_t)seen->bits, 0);
}

static void check_that_all_is_kept(Checks *c)
{
    const Run *run = c->run;
    StrBuf checks = {0}, *out = c->out;
    c->out = &checks;
    for (uint32_t i = 0; i < run->objects.len; i++)
        if (run->objects.data[i]->written) check_kept_value(c, run->objects.data[i]->value);
    for (uint32_t i = 0; i < run->unit->globals.len; i++) check_kept_value(c, run->unit->globals.data[i]);
    c->out = out;
    if (c->count) strbuf_addf(out, "    /* Nothing has changed: */\n%s", checks.text);
    else strbuf_add(out, "    /* It returns. There is nothing to compare: no result, no change, no call of a stub. */\n");
    strbuf_release(&checks);
}

void unit__print_checks(Run *run, const char *check, StrBuf *out)
{
    const Unit *unit = run->unit;
    Checks c = {.run = run, .check = check, .out = out};
    if (run->record->end != END_RETURN) return;
    if (unit->result) check_result(&c, unit->result);
    for (uint32_t i = 0; i < run->objects.len; i++)
        if (run->objects.data[i]->written) check_object(&c, run->objects.data[i]);
    unit__check_made(&c);
    for (uint32_t i = 0; i < unit->globals.len; i++) check_changes(&c, unit->globals.data[i]);
    for (uint32_t i = 0; i < unit->watched.len; i++) check_watched(&c, unit->watched.data[i]);
    c.count += unit__print_calls_end(run, c.count != 0, out);
    if (c.count == 0) check_that_all_is_kept(&c);
    unit__checks_release(&c);
}
