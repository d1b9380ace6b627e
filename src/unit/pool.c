/* The objects that pointers may point to.
 *
 * Every pointer gets an object of its own, made in advance with all its fields, so that in the machine a choice between NULL and the object is
 * made only where the program looks at the pointer.  Structures that go on through their pointers end at a depth, where pointers are NULL.  Other
 * objects of the plan become choices where the program could tell the difference: parameters of one type through which something is
 * written, and structures whose pointers are compared. */
#include "unit/unit_int.h"

static bool has_pointers(const CType *type)
{
    if (type->kind == C_POINTER) return true;
    if (type->kind == C_ARRAY) return has_pointers(type->of);
    if (type->kind != C_STRUCT && type->kind != C_UNION) return false;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (has_pointers(type->fields[i].type)) return true;
    }
    return false;
}

static const char *object_name(Plan *plan, const Target *target, const Where *where)
{
    Arena *arena = &plan->units->arena;
    const char *stem = unit__stem(plan, where->path);
    if (target->kind == TARGET_STREAM) return unit__unique(plan, unit__text(arena, "%s_stream", stem));
    bool single = target->kind == TARGET_ONE || target->kind == TARGET_HANDLE;
    if (single && !where->in) return unit__unique(plan, unit__text(arena, "%s_object", stem));
    bool taken = unit__is_taken(plan, stem) || unit__has_word(target->element->plain, stem);
    if (!taken) return unit__unique(plan, stem);
    return unit__unique(plan, unit__text(arena, "%s_%s", stem, target->kind == TARGET_STRING ? "text" : single ? "object" : "elements"));
}

/* Memory that the function may free must come from malloc. */
static bool is_heap(const Plan *plan, const Shape *pointer, const Target *target, const Where *where)
{
    const CType *pointee = pointer->type->of;
    if (!plan->frees || pointee->is_const) return false;
    if (where->use && where->use->freed) return true;
    return where->in != NULL || target->element->kind == C_STRUCT;
}

static Where value_where(const Plan *plan, const Object *object, const Where *where)
{
    Where at = {.name = object->name,
                .in = (Object *)object,
                .depth = object->depth,
                .path = where->path,
                .place = object->place,
                .test = object->name};
    at.arrow = !object->array && (object->type->kind == C_STRUCT || object->type->kind == C_UNION);
    if (!object->array && !at.arrow) at.path = unit__text(&plan->units->arena, "*%s", where->path);
    at.test_arrow = object->heap && !object->array;
    if (at.test_arrow && object->type->kind != C_STRUCT && object->type->kind != C_UNION) {
        at.test = unit__text(&plan->units->arena, "*%s", object->name);
        at.test_arrow = false;
    }
    return at;
}

static Shape *object_value(Plan *plan, Object *object, const Target *target, const Where *where)
{
    Where at = value_where(plan, object, where);
    if (object->handle) return unit__shape_new(plan, SHAPE_NOTHING, object->type, &at);
    if (!object->array) return unit__shape(plan, object->type, &at);
    Shape *value = unit__elements(plan, object->type, object->count, target->inputs, &at);
    value->text = target->kind == TARGET_STRING;
    return value;
}

uint32_t unit__depth(const Plan *plan, const CType *type)
{
    bool list = !plan->units->depth_given && !plan->in_stub && unit__is_list(type);
    return list ? UNIT_LIST_DEPTH : plan->units->options.depth;
}

/* A guess of how many elements are inputs may be too small; what an option or the declaration says is no guess. */
bool unit__grows(const Plan *plan, const Target *target, const Where *where)
{
    bool guessed = !unit__wish(plan, true, where->path) && !unit__wish(plan, false, where->path) && !where->declared && !where->format;
    bool sized = target->kind == TARGET_STRING || (target->kind == TARGET_ARRAY && (target->length || target->guessed));
    return guessed && sized && !plan->in_stub && target->inputs && unit__is_number(target->element) && target->element->kind != C_ENUM &&
           target->element->size <= 8;
}

uint64_t unit__capacity(const Object *object)
{
    return object->most && !object->length && object->count <= object->most ? object->most + object->value->text : object->count;
}

Object *unit__object(Plan *plan, const Shape *pointer, const Target *target, const Where *where)
{
    bool linked = has_pointers(target->element);
    if (linked && (plan->structs >= UNIT_STRUCTS || where->depth >= unit__depth(plan, target->element))) {
        if (pointer->nullable || plan->objects.len >= UNIT_OBJECTS) return NULL;
    }
    if (plan->objects.len >= UNIT_OBJECTS || where->depth > UNIT_STRUCTS) return NULL;
    plan->structs += linked;
    Object *object = arena_alloc(&plan->units->arena, sizeof *object);
    object->type = target->element;
    object->raw = target->raw;
    object->stream = target->kind == TARGET_STREAM;
    object->handle = target->kind == TARGET_HANDLE || object->stream;
    object->array = target->kind != TARGET_ONE && !object->handle;
    object->count = object->array ? target->count : 1;
    object->wished = unit__wish(plan, true, where->path) || unit__wish(plan, false, where->path);
    object->declared = where->declared;
    object->length = target->length;
    object->pointer = pointer;
    object->depth = where->depth + 1;
    object->format = where->format;
    object->written = !pointer->type->of->is_const && !object->handle;
    object->heap = object->stream || is_heap(plan, pointer, target, where);
    object->name = object_name(plan, target, where);
    object->variable = unit__text(&plan->units->arena, "clew__o_%s_%s", plan->owner, object->name);
    object->place = object->heap && !object->array ? unit__text(&plan->units->arena, "(*%s)", object->variable) : object->variable;
    vec_push(&plan->objects, object);
    if (object->length) {
        bool field = object->length->in || object->length->member;
        Bound bound = {.number = object->length, .has_least = field, .most = (int64_t)object->count};
        vec_push(&plan->bounds, bound);
    }
    uint32_t depth = plan->depth;
    plan->depth = object->depth;
    object->value = object_value(plan, object, target, where);
    if (unit__grows(plan, target, where)) object->most = object->value->inputs * UNIT_GROWTH;
    if (object->length && object->most > object->count) object->most = object->count;
    plan->depth = depth;
    return object;
}

/* ---- aliases ---- */

static Object *own_single(const Shape *pointer)
{
    if (pointer->kind != SHAPE_POINTER || pointer->choices.len == 0) return NULL;
    Object *object = pointer->choices.data[0];
    return object->array ? NULL : object;
}

static bool is_choice(const Shape *pointer, const Object *object)
{
    for (uint32_t i = 0; i < pointer->choices.len; i++) {
        if (pointer->choices.data[i] == object) return true;
    }
    return false;
}

static void alias_params(Unit *unit, uint32_t first, uint32_t second)
{
    Shape *a = unit->params[first], *b = unit->params[second];
    Object *object = own_single(a), *other = own_single(b);
    if (!object || !other || a->type->is_restrict || b->type->is_restrict) return;
    if (object->handle != other->handle || is_choice(b, object)) return;
    if (object->handle ? strcmp(a->type->of->plain, b->type->of->plain) != 0 : !unit__same_type(object->type, other->type)) return;
    const CUse *one = &unit->function->params[first].use, *two = &unit->function->params[second].use;
    if (!one->written && !two->written && !one->compared && !two->compared) return;
    vec_push(&b->choices, object);
    unit__assume(&unit->plan, "%s may point to the same %s as %s", b->path, a->type->of->plain, a->path);
}

/* Arrays and texts that the program compares by their address. */
static void alias_arrays(Unit *unit, uint32_t first, uint32_t second)
{
    Shape *a = unit->params[first], *b = unit->params[second];
    const CUse *one = &unit->function->params[first].use, *two = &unit->function->params[second].use;
    if (!one->compared || !two->compared || one->has_end || two->has_end || a->choices.len == 0 || b->choices.len == 0) return;
    Object *object = a->choices.data[0], *other = b->choices.data[0];
    if (!object->array || !other->array || object->length || other->length || object->heap != other->heap) return;
    bool writes_constant = a->type->of->is_const && !b->type->of->is_const;
    if (writes_constant || !unit__same_type(object->type, other->type) || is_choice(b, object)) return;
    vec_push(&b->choices, object);
    unit__assume(&unit->plan, "%s may point to the same %s as %s", b->path, object->type->plain, a->path);
}

/* A parameter that is compared with a pointer in a structure may be equal to it. */
static void alias_param_inside(Unit *unit, uint32_t param)
{
    Plan *plan = &unit->plan;
    Shape *pointer = unit->params[param];
    Object *own = own_single(pointer);
    uint32_t most = pointer->choices.len + UNIT_ALIASES / 2;
    if (!own || own->handle || own->type->kind != C_STRUCT) return;
    for (uint32_t i = 0; i < plan->objects.len && pointer->choices.len < most; i++) {
        Object *object = plan->objects.data[i];
        const Shape *from = object->pointer;
        bool mine = from && from->in && strncmp(from->path, pointer->path, strlen(pointer->path)) == 0;
        if (object->array || object->handle || !from || !from->in || mine || is_choice(pointer, object)) continue;
        if (!unit__same_type(object->type, own->type)) continue;
        vec_push(&pointer->choices, object);
        unit__assume(plan, "%s may be %s", pointer->path, from->path);
    }
}

/* Pointers inside a structure whose pointers are compared may lead to any of its objects, the nearest first. */
static bool alias_inside(Plan *plan, const char *root)
{
    size_t n = strlen(root);
    bool any = false;
    for (uint32_t i = 0; i < plan->pointers.len; i++) {
        Shape *pointer = plan->pointers.data[i];
        if (!pointer->in || strncmp(pointer->path, root, n) != 0 || unit__is_word(pointer->path[n])) continue;
        const CType *pointee = pointer->type->of;
        if (pointee->kind != C_STRUCT) continue;
        for (uint32_t k = 0; k < plan->objects.len && pointer->choices.len < 1 + UNIT_ALIASES; k++) {
            Object *object = plan->objects.data[k];
            if (object->array || !unit__same_type(object->type, pointee) || is_choice(pointer, object)) continue;
            vec_push(&pointer->choices, object);
            any = true;
        }
    }
    return any;
}

void unit__aliases(Unit *unit)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        for (uint32_t k = i + 1; k < unit->function->param_count; k++) {
            alias_params(unit, i, k);
            alias_arrays(unit, i, k);
        }
        if (!unit->function->params[i].use.compared || !own_single(unit->params[i])) continue;
        if (!alias_inside(&unit->plan, unit->params[i]->path)) continue;
        unit__assume(&unit->plan, "pointers inside %s may lead back into it", unit->params[i]->path);
    }
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        if (unit->function->params[i].use.meets_field) alias_param_inside(unit, i);
    }
}
