/* The values of one run, by the plan: what each input was, where each pointer pointed, and how that is written in C.
 *
 * A pointer's value in the record is an address of the run; the harness has told where each of its objects stood, so the object (and the
 * place in it) is found from the address. */
#include "unit/unit_int.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- inputs ---- */

U128 unit__run_bits(const Run *run, const Shape *shape, uint64_t element, uint32_t nth)
{
    const RecordInput *input;
    if (shape->kind == SHAPE_RUN) {
        char *name = mem_format("%s[%llu]", shape->name, (unsigned long long)element);
        input = record_input(run->record, name, nth);
        free(name);
    } else {
        input = record_input(run->record, shape->name, nth);
    }
    if (!input) return 0;
    return shape->kind == SHAPE_POINTER ? input->bits : unit__normal(shape->type, shape->bits, input->bits);
}

static uint32_t times_of_name(const Run *run, const char *name)
{
    uint32_t n = 0;
    while (record_input(run->record, name, n)) n++;
    return n;
}

uint32_t unit__run_times(const Run *run, const Shape *shape)
{
    if (shape->kind == SHAPE_NUMBER || shape->kind == SHAPE_POINTER) return times_of_name(run, shape->name);
    if (shape->kind == SHAPE_RUN) {
        char *name = mem_format("%s[0]", shape->name);
        uint32_t n = times_of_name(run, name);
        free(name);
        return n;
    }
    for (uint32_t i = 0; i < shape->parts.len; i++) {
        uint32_t n = unit__run_times(run, shape->parts.data[i]);
        if (n) return n;
    }
    return 0;
}

uint64_t unit__run_filled(const Run *run, const Shape *buffer, uint32_t nth)
{
    char *name = mem_format("%s.count", buffer->name);
    const RecordInput *input = record_input(run->record, name, nth);
    free(name);
    return input ? (uint64_t)input->bits : 0;
}

/* As in clew__bound. */
static uint64_t bound_of(const Run *run, const Object *object)
{
    uint64_t usual = object->value->inputs, most = object->most ? object->most : usual, n = run->record->doublings;
    return most >> n >= usual ? usual << n : most;
}

uint64_t unit__run_inputs(const Run *run, const Shape *shape)
{
    return shape->in && shape->in->value == shape && shape->in->most ? bound_of(run, shape->in) : shape->inputs;
}

uint64_t unit__run_count(const Run *run, const Shape *shape)
{
    return shape->in && shape->in->value == shape ? unit__run_elements(run, shape->in) : shape->count;
}

uint64_t unit__run_elements(const Run *run, const Object *object)
{
    if (!object->length && object->most && bound_of(run, object) >= object->count) return bound_of(run, object) + object->value->text;
    if (!object->length) return object->count;
    I128 n = (I128)unit__run_bits(run, object->length, 0, 0);
    if (n < 0) return 0;
    return n < (I128)object->count ? (uint64_t)n : object->count;
}

/* ---- addresses ---- */

static void add_known(Run *run, const char *name, RunObject known)
{
    for (uint32_t i = 0; i < run->record->seen.len; i++) {
        const RecordSeen *seen = &run->record->seen.data[i];
        if (seen->type != 'o' || strcmp(seen->name, name) != 0) continue;
        known.address = seen->address;
        vec_push(&run->known, known);
        return;
    }
}

static void add_plan(Run *run, const Plan *plan)
{
    for (uint32_t i = 0; i < plan->objects.len; i++)
        add_known(run, plan->objects.data[i]->name, (RunObject){.object = plan->objects.data[i]});
    for (uint32_t i = 0; i < plan->callbacks.len; i++) {
        if (!plan->callbacks.data[i]->function) add_known(run, plan->callbacks.data[i]->test, (RunObject){.stub = plan->callbacks.data[i]});
    }
    for (uint32_t i = 0; i < plan->made.len; i++) {
        const Object *object = plan->made.data[i]->object;
        add_known(run, object->name, (RunObject){.object = object});
    }
    for (uint32_t i = 0; i < plan->library.len; i++) {
        const char *name = plan->library.data[i], *failing = unit__failing(name);
        add_known(run, name, (RunObject){.library = name});
        if (failing) add_known(run, failing, (RunObject){.library = failing});
    }
}

static uint64_t room_of(const Run *run, const Object *object)
{
    return object->length ? object->count : unit__run_elements(run, object);
}

/* Texts that are written where they are used have no address in a test. */
static const RunObject *find_known(const Run *run, uint64_t address, bool literals)
{
    const RunObject *end = NULL;
    for (uint32_t i = 0; i < run->known.len; i++) {
        const RunObject *known = &run->known.data[i];
        if (known->literal && !literals) continue;
        uint64_t size = known->object ? room_of(run, known->object) * known->object->type->size : 1;
        if (address == known->address + size) end = known;
        if (address >= known->address && address < known->address + size) return known;
    }
    return end;
}

const Object *unit__run_target(const Run *run, const Shape *pointer, uint32_t nth)
{
    uint64_t address = (uint64_t)unit__run_bits(run, pointer, 0, nth);
    const RunObject *known = address ? find_known(run, address, true) : NULL;
    return known ? known->object : NULL;
}

/* The field of that type at an offset; NULL: there is none. */
static const Shape *part_at(const Shape *shape, uint64_t offset, const CType *type)
{
    if (shape->member && shape->offset == offset && !shape->bits && unit__same_type(shape->type, type)) return shape;
    for (uint32_t i = 0; i < shape->parts.len; i++) {
        const Shape *found = part_at(shape->parts.data[i], offset, type);
        if (found) return found;
    }
    return NULL;
}

static void add_place(const Run *run, const Object *object, uint64_t offset, const CType *type, StrBuf *out)
{
    const char *name = object->name;
    const CType *to = type->kind == C_POINTER ? type->of : NULL;
    bool same = !to || to->kind == C_VOID || unit__same_type(to, object->type);
    bool none = object->array && !object->heap && unit__run_elements(run, object) == 0;
    const Shape *part = to && !object->array ? part_at(object->value, offset, to) : NULL;
    if (part && (offset || !same)) return strbuf_addf(out, "&%s", part->test);
    if (!same) strbuf_addf(out, "(%s)", type->plain);
    if (offset % object->type->size != 0)
        return strbuf_addf(out, "(void *)((char *)%s%s + %llu)", object->array || object->heap ? "" : "&", name,
                           (unsigned long long)offset);
    uint64_t index = offset / object->type->size;
    if (none) strbuf_addf(out, same ? "%s + 1" : "(%s + 1)", name);
    else if (index == 0) strbuf_addf(out, "%s%s", object->array || object->heap ? "" : "&", name);
    else if (object->array && unit__is_text_char(object->type))
        strbuf_addf(out, same ? "%s + %llu" : "(%s + %llu)", name, (unsigned long long)index);
    else if (object->array) strbuf_addf(out, "&%s[%llu]", name, (unsigned long long)index);
    else strbuf_addf(out, "%s%s + 1", object->heap ? "" : "&", name);
}

bool unit__run_address(const Run *run, uint64_t address, const CType *type, StrBuf *out)
{
    if (address == 0) return strbuf_add(out, "NULL"), true;
    const RunObject *known = find_known(run, address, false);
    if (!known) return false;
    if (known->stub) strbuf_add(out, known->stub->test);
    else if (known->library) strbuf_add(out, known->library);
    else add_place(run, known->object, address - known->address, type, out);
    return true;
}

/* ---- what is reached ---- */

static bool is_listed(const Run *run, const Object *object, uint32_t *index)
{
    for (uint32_t i = 0; i < run->objects.len; i++) {
        if (run->objects.data[i] != object) continue;
        if (index) *index = i;
        return true;
    }
    return false;
}

static void reach(Run *run, const Shape *shape, Map *visited);

bool unit__run_is_literal(const Run *run, const Object *object)
{
    for (uint32_t i = 0; i < run->known.len; i++)
        if (object && run->known.data[i].object == object) return run->known.data[i].literal;
    return false;
}

static void reach_object(Run *run, const Object *object, Map *visited)
{
    if (!object || unit__run_is_literal(run, object) || map_find(visited, (uint64_t)(uintptr_t)object)) return;
    map_put(visited, (uint64_t)(uintptr_t)object, 1);
    reach(run, object->value, visited);
    vec_push(&run->objects, object);
}

const MadeCall *unit__run_maker(const Run *run, const Made *made)
{
    const RecordInput *way = record_input(run->record, made->way, 0);
    return way && way->bits < made->makers.len ? &made->makers.data[(uint32_t)way->bits] : NULL;
}

const MadeCall *unit__run_changer(const Run *run, const Made *made, uint32_t step)
{
    const RecordInput *input = made->step[step] ? record_input(run->record, made->step[step], 0) : NULL;
    return input && input->bits && input->bits <= made->changers[step].len ? &made->changers[step].data[(uint32_t)input->bits - 1] : NULL;
}

/* A text that a function only reads can stand in the call. */
static void mark_literal(Run *run, const Shape *arg)
{
    const Object *target = arg->kind == SHAPE_POINTER && arg->type->of->is_const ? unit__run_target(run, arg, 0) : NULL;
    if (!target || !target->array || target->value->kind != SHAPE_RUN || !target->value->text) return;
    StrBuf text = {0};
    bool literal = !unit__run_initialiser(run, target->value, 0, &text) || text.text[0] == '"';
    for (uint32_t i = 0; literal && i < run->known.len; i++)
        if (run->known.data[i].object == target) run->known.data[i].literal = true;
    strbuf_release(&text);
}

static void reach_call(Run *run, const MadeCall *call, Map *visited)
{
    for (uint32_t i = 0; call && i < call->function->param_count; i++) {
        if (!call->args[i]) continue;
        mark_literal(run, call->args[i]);
        reach(run, call->args[i], visited);
    }
}

static bool reach_made(Run *run, const Made *made, Map *visited)
{
    const MadeCall *maker = made ? unit__run_maker(run, made) : NULL;
    reach_call(run, maker, visited);
    for (uint32_t step = 0; maker && step < UNIT_STEPS; step++) reach_call(run, unit__run_changer(run, made, step), visited);
    return maker != NULL;
}

static void reach(Run *run, const Shape *shape, Map *visited)
{
    if (reach_made(run, shape->made, visited)) return;
    bool whole = shape->in && shape->in->value == shape && shape->in->array;
    uint64_t parts = whole ? unit__run_elements(run, shape->in) : shape->parts.len;
    for (uint32_t i = 0; i < shape->parts.len && i < parts; i++) reach(run, shape->parts.data[i], visited);
    if (shape->kind != SHAPE_POINTER) return;
    uint32_t times = unit__run_times(run, shape);
    for (uint32_t i = 0; i < times; i++) reach_object(run, unit__run_target(run, shape, i), visited);
}

static void reach_stub(Run *run, const Stub *stub, Map *visited)
{
    if (stub->result) reach(run, stub->result, visited);
    for (uint32_t i = 0; i < stub->outs.len; i++) reach(run, stub->outs.data[i].value, visited);
}

void unit__run_init(Run *run, const Unit *unit, const Record *record)
{
    *run = (Run){.unit = unit, .record = record};
    const Units *units = unit->plan.units;
    add_plan(run, &unit->plan);
    for (uint32_t i = 0; i < units->stubs.len; i++) add_plan(run, units->stubs.data[i]->plan);
    Map visited = {0};
    for (uint32_t i = 0; i < unit->function->param_count; i++) reach(run, unit->params[i], &visited);
    for (uint32_t i = 0; i < unit->globals.len; i++) reach(run, unit->globals.data[i], &visited);
    for (uint32_t i = 0; i < unit->plan.callbacks.len; i++) reach_stub(run, unit->plan.callbacks.data[i], &visited);
    for (uint32_t i = 0; i < units->stubs.len; i++) reach_stub(run, units->stubs.data[i], &visited);
    map_release(&visited);
}

void unit__run_release(Run *run)
{
    vec_release(&run->known);
    vec_release(&run->objects);
    vec_release(&run->later);
}

/* ---- initialisers ---- */

bool unit__run_is_text(const CType *type, const unsigned char *bytes, uint64_t count, uint64_t *n)
{
    if (!unit__is_text_char(type)) return false;
    *n = 0;
    while (*n < count && bytes[*n]) (*n)++;
    for (uint64_t i = 0; i < *n; i++) {
        if (!isprint(bytes[i]) && !strchr("\t\n\r", bytes[i])) return false;
    }
    for (uint64_t i = *n; i < count; i++) {
        if (bytes[i]) return false;
    }
    return *n < count;
}

static bool add_text(Run *run, const Shape *shape, uint64_t count, uint32_t nth, StrBuf *out)
{
    if (shape->type->kind != C_CHAR || count == 0) return false;
    unsigned char *bytes = mem_alloc(count);
    for (uint64_t i = 0; i < count && i < unit__run_inputs(run, shape); i++) bytes[i] = (unsigned char)unit__run_bits(run, shape, i, nth);
    uint64_t n;
    bool text = unit__run_is_text(shape->type, bytes, count, &n);
    if (text) unit__string_literal(out, bytes, n);
    free(bytes);
    return text;
}

static bool add_run(Run *run, const Shape *shape, uint32_t nth, StrBuf *out)
{
    uint64_t count = unit__run_count(run, shape), given = unit__run_inputs(run, shape);
    if (given > count) given = count;
    while (given > 0 && unit__run_bits(run, shape, given - 1, nth) == 0) given--;
    if (given == 0) return false;
    if (add_text(run, shape, count, nth, out)) return true;
    strbuf_add(out, "{");
    for (uint64_t i = 0; i < given; i++) {
        if (i) strbuf_add(out, ", ");
        unit__literal(out, shape->type, unit__run_bits(run, shape, i, nth));
    }
    strbuf_add(out, "}");
    return true;
}

static bool add_pointer(Run *run, const Shape *shape, uint32_t nth, StrBuf *out)
{
    uint64_t address = (uint64_t)unit__run_bits(run, shape, 0, nth);
    const Object *target = unit__run_target(run, shape, nth);
    uint32_t mine = 0, its = 0;
    if (shape->made && unit__run_maker(run, shape->made)) return strbuf_add(out, shape->made->object->name), true;
    if (address == 0) return false;
    if (target && shape->in && is_listed(run, shape->in, &mine) && is_listed(run, target, &its) && its > mine) {
        vec_push(&run->later, shape);
        return false;
    }
    return unit__run_address(run, address, shape->type, out);
}

static void add_number(const Run *run, const Shape *shape, U128 bits, StrBuf *out)
{
    CType nameless = *shape->type;
    nameless.enumerator_count = 0;
    if (shape->type->kind == C_FLOAT && shape->type->size > 8) unit__float_literal(out, 64, bits); /* it was given as a double */
    else unit__literal(out, run->no_enumerators ? &nameless : shape->type, bits);
}

static void add_zero(const Run *run, const Shape *shape, StrBuf *out)
{
    if (shape->kind == SHAPE_NUMBER) add_number(run, shape, 0, out);
    else if (shape->kind == SHAPE_NOTHING && unit__is_number(shape->type)) strbuf_add(out, "0");
    else strbuf_add(out, shape->kind == SHAPE_POINTER ? "NULL" : "{0}");
}

static bool add_elements(Run *run, const Shape *shape, uint32_t nth, StrBuf *out)
{
    StrBuf list = {0};
    size_t end = 0;
    bool whole = shape->in && shape->in->value == shape;
    uint64_t count = whole ? unit__run_elements(run, shape->in) : shape->count;
    for (uint32_t i = 0; i < shape->parts.len && i < count; i++) {
        if (i) strbuf_add(&list, ", ");
        if (unit__run_initialiser(run, shape->parts.data[i], nth, &list)) end = list.len;
        else add_zero(run, shape->parts.data[i], &list);
    }
    if (end) {
        strbuf_add(out, "{");
        strbuf_add_bytes(out, list.text, end);
        strbuf_add(out, "}");
    }
    strbuf_release(&list);
    return end != 0;
}

static bool add_fields(Run *run, const Shape *shape, uint32_t nth, StrBuf *out)
{
    StrBuf list = {0}, value = {0};
    for (uint32_t i = 0; i < shape->parts.len; i++) {
        const Shape *part = shape->parts.data[i];
        strbuf_clear(&value);
        if (unit__run_initialiser(run, part, nth, &value)) strbuf_addf(&list, "%s.%s = %s", list.len ? ", " : "", part->member, value.text);
    }
    bool any = list.len != 0;
    if (any) strbuf_addf(out, "{%s}", list.text);
    strbuf_release(&list);
    strbuf_release(&value);
    return any;
}

bool unit__run_initialiser(Run *run, const Shape *shape, uint32_t nth, StrBuf *out)
{
    U128 bits;
    switch (shape->kind) {
    case SHAPE_NUMBER:
        bits = unit__run_bits(run, shape, 0, nth);
        if (bits) add_number(run, shape, bits, out);
        return bits != 0;
    case SHAPE_RUN: return add_run(run, shape, nth, out);
    case SHAPE_ARRAY: return add_elements(run, shape, nth, out);
    case SHAPE_FIELDS: return add_fields(run, shape, nth, out);
    case SHAPE_POINTER: return add_pointer(run, shape, nth, out);
    default: return false;
    }
}

void unit__run_value(Run *run, const Shape *shape, uint32_t nth, StrBuf *out)
{
    if (unit__run_initialiser(run, shape, nth, out)) return;
    add_zero(run, shape, out);
}
