/* Answers about what the harness of a unit makes, for judging what a run shows. */
#include "unit/unit_int.h"

bool unit_is_parameter(const Unit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        if (strcmp(unit->function->params[i].name, name) == 0) return true;
    }
    return false;
}

static int64_t value_of(const RecordInput *input)
{
    uint64_t bits = (uint64_t)input->bits;
    return input->type == 'i' && input->width < 64 ? (int64_t)(bits << (64 - input->width)) >> (64 - input->width) : (int64_t)bits;
}

static bool is_in_blame(const Record *record, const char *input)
{
    size_t length = strlen(input);
    for (const char *name = record->blame; name && *name;) {
        size_t n = strcspn(name, " ");
        if (n == length && strncmp(name, input, n) == 0) return true;
        name += n + (name[n] != 0);
    }
    return false;
}

bool unit_broken_count(const Unit *unit, const Record *record, bool blamed, const char **count, const char **room)
{
    for (uint32_t i = 0; i < unit->plan.counts.len; i++) {
        const Shape *number = unit->plan.counts.data[i].number, *most = unit->plan.counts.data[i].at_most;
        const RecordInput *its = record_input(record, number->name, 0), *limit = record_input(record, most->name, 0);
        int64_t value = its && its->width <= 64 ? value_of(its) : 0, limits = limit && limit->width <= 64 ? value_of(limit) : 0;
        bool negative = its && its->type == 'i' && value < 0;
        bool broken = its && (negative || (uint64_t)value > (uint64_t)(limits < 0 && limit->type == 'i' ? 0 : limits));
        if (!broken || (blamed && !is_in_blame(record, number->name) && !is_in_blame(record, most->name))) continue;
        *count = number->path;
        *room = most->path;
        return true;
    }
    return false;
}

const char *unit_number(const Unit *unit, const char *input)
{
    for (uint32_t i = 0; i < unit->plan.shapes.len; i++) {
        const Shape *shape = unit->plan.shapes.data[i];
        bool number = shape->kind == SHAPE_NUMBER && strcmp(shape->name, input) == 0;
        if (number && shape->path) return shape->path;
    }
    return input;
}

bool unit_knows(const Unit *unit, const char *name)
{
    const Decls *decls = unit->plan.units->decls;
    if (names_find(&decls->sources[unit->function->source].types, name) || strcmp(name, "sizeof") == 0) return true;
    for (uint32_t i = 0; i < decls->global_count; i++) {
        if (!decls->globals[i].is_local && strcmp(decls->globals[i].name, name) == 0) return true;
    }
    for (uint32_t i = 0; i < decls->function_count; i++) {
        if (strcmp(decls->functions[i].name, name) == 0) return true;
    }
    return false;
}

bool unit_is_length(const Unit *unit, const char *name, const char *object)
{
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *its = unit->plan.objects.data[i];
        bool named = !object || strcmp(its->name, object) == 0 || strcmp(its->variable, object) == 0;
        if (named && its->length && !its->length->in && !its->length->member && strcmp(its->length->name, name) == 0) return true;
    }
    return false;
}

bool unit_is_pointer_parameter(const Unit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const CParam *param = &unit->function->params[i];
        if (strcmp(param->name, name) == 0) return param->type->kind == C_POINTER || param->type->kind == C_ARRAY;
    }
    return false;
}

/* Does some call in the project give NULL for this parameter? */
static bool is_given_null(const Unit *unit, const Shape *shape)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        if (unit->params[i] == shape) return unit->function->params[i].given_null;
    }
    return false;
}

bool unit_pointer(const Unit *unit, const char *input, UnitPointer *pointer)
{
    for (uint32_t i = 0; i < unit->plan.pointers.len; i++) {
        const Shape *shape = unit->plan.pointers.data[i];
        if (strcmp(shape->name, input) != 0) continue;
        /* A field may be tested by any function: that says what it may hold. */
        bool tested = shape->use && (shape->member ? shape->use->null_tested : shape->use->tested_here);
        *pointer = (UnitPointer){shape->path, tested || is_given_null(unit, shape)};
        return true;
    }
    return false;
}

bool unit_object(const Unit *unit, const char *name, UnitObject *answer)
{
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *object = unit->plan.objects.data[i];
        bool named = strcmp(object->name, name) == 0 || strcmp(object->variable, name) == 0;
        if (!named || !object->pointer) continue;
        const CUse *use = object->pointer->use;
        bool text = object->value && object->value->text && use && use->string;
        bool known = object->length || object->wished || object->declared;
        *answer = (UnitObject){object->pointer->path, object->count, !known, text};
        return true;
    }
    return false;
}

/* ---- where objects should come from ---- */

static bool is_made(const Made *made, const Record *record)
{
    const RecordInput *way = made ? record_input(record, made->way, 0) : NULL;
    return way && way->bits < made->makers.len;
}

/* The object that an input belongs to: "list_next" of "list_next.value". */
static const Object *object_of(const Unit *unit, const char *name, size_t n)
{
    const Object *found = NULL;
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *object = unit->plan.objects.data[i];
        size_t length = strlen(object->name);
        bool begins = length <= n && strncmp(object->name, name, length) == 0 && (length == n || !unit__is_word(name[length]));
        bool variable = strlen(object->variable) == n && strncmp(object->variable, name, n) == 0;
        if ((begins && (!found || strlen(found->name) < length)) || variable) found = object;
    }
    return found;
}

/* The outermost pointer on the way to the object that should come from a function of the project.  What the harness declares never does, whichever
 * pointer leads there. */
static const Shape *origin_above(const Object *object)
{
    const Shape *found = NULL;
    while (object && object->pointer) {
        const Shape *pointer = object->pointer;
        if (pointer->origins) found = pointer;
        object = pointer->in;
    }
    return found;
}

/* Of a pointer that has its own input. */
static const Object *holder_of(const Unit *unit, const char *name, size_t n)
{
    for (uint32_t i = 0; i < unit->plan.pointers.len; i++) {
        const Shape *pointer = unit->plan.pointers.data[i];
        if (strlen(pointer->name) == n && strncmp(pointer->name, name, n) == 0) return pointer->in;
    }
    return object_of(unit, name, n);
}

bool unit_broken_origin(const Unit *unit, const Record *record, const char **path, const char **origins)
{
    const Shape *found = NULL;
    for (const char *name = record->blame; name && *name && !found;) {
        size_t n = strcspn(name, " ");
        found = origin_above(holder_of(unit, name, n));
        name += n + (name[n] != 0);
    }
    const char *colon = record->object ? strrchr(record->object, ':') : NULL;
    if (!found && colon) found = origin_above(object_of(unit, record->object, (size_t)(colon - record->object)));
    bool nothing_known = !record->blame && !colon;
    for (uint32_t i = 0; !found && i < unit->function->param_count; i++) {
        const Shape *param = unit->params[i];
        const RecordInput *input = param->origins ? record_input(record, param->name, 0) : NULL;
        bool any_memory = input && input->bits && !is_made(param->made, record);
        if (any_memory && (param->made || nothing_known)) found = param; /* where objects are made, a fault of theirs is looked for, too */
    }
    if (!found) return false;
    *path = found->path;
    *origins = found->origins;
    return true;
}

static bool fills_buffer(const Stub *stub)
{
    for (uint32_t i = 0; i < stub->outs.len; i++)
        if (stub->outs.data[i].buffer && stub->outs.data[i].length != UINT32_MAX) return true;
    return false;
}

const char *unit_callback_result(const Unit *unit, const char *input)
{
    for (uint32_t i = 0; i < unit->plan.callbacks.len; i++) {
        const Stub *stub = unit->plan.callbacks.data[i];
        size_t n = strlen(stub->name);
        bool is_result = strncmp(input, stub->name, n) == 0 && strcmp(input + n, "()") == 0;
        if (is_result && !stub->function && !fills_buffer(stub) && !strcasestr(stub->name, "hash")) return stub->path;
    }
    return NULL;
}

static bool begins_with(const char *text, const char *start)
{
    return start && strncmp(text, start, strlen(start)) == 0;
}

bool unit_is_of_making(const Unit *unit, const char *input)
{
    for (uint32_t i = 0; i < unit->plan.made.len; i++) {
        const Made *made = unit->plan.made.data[i];
        bool found = begins_with(input, made->way);
        for (uint32_t step = 0; step < UNIT_STEPS; step++) found |= begins_with(input, made->step[step]);
        if (found) return true;
    }
    return false;
}

const char *unit_null_parameter(const Unit *unit, const Record *record)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Shape *param = unit->params[i];
        const CParam *declared = &unit->function->params[i];
        bool expected = declared->use.tested_here || declared->given_null;
        if (param->made && !is_made(param->made, record) && !record_input(record, param->name, 0) && !expected) return param->path;
    }
    return NULL;
}
