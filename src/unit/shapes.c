/* From a type to the shape of its values.
 *
 * Everything that holds numbers becomes inputs, down to the fields of structs inside arrays inside structs; what a pointer points to is
 * decided in pointers.c.  Numbers of a struct are planned before its pointers, whose lengths they may be. */
#include "unit/unit_int.h"

#include <stdio.h>

static const char *format_in(Plan *plan, const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    return arena_strdup(&plan->units->arena, text);
}

void unit__assume(Plan *plan, const char *format, ...)
{
    if (plan->watching || plan->in_stub || plan->depth > 1) return;
    va_list args;
    va_start(args, format);
    const char *text = format_in(plan, format, args);
    va_end(args);
    for (uint32_t i = 0; i < plan->assumptions.len; i++) {
        if (strcmp(plan->assumptions.data[i], text) == 0) return;
    }
    vec_push(&plan->assumptions, text);
}

void unit__problem(Plan *plan, const char *format, ...)
{
    if (plan->watching || plan->problem) return;
    va_list args;
    va_start(args, format);
    plan->problem = format_in(plan, format, args);
    va_end(args);
}

void unit__plan_release(Plan *plan)
{
    for (uint32_t i = 0; i < plan->shapes.len; i++) {
        vec_release(&plan->shapes.data[i]->parts);
        vec_release(&plan->shapes.data[i]->choices);
    }
    names_release(&plan->names);
    vec_release(&plan->objects);
    vec_release(&plan->shapes);
    vec_release(&plan->pointers);
    vec_release(&plan->callbacks);
    vec_release(&plan->library);
    for (uint32_t i = 0; i < plan->made.len; i++) unit__made_release(plan->made.data[i]);
    vec_release(&plan->made);
    vec_release(&plan->bounds);
    vec_release(&plan->counts);
    vec_release(&plan->assumptions);
    vec_release(&plan->checked);
}

Shape *unit__shape_new(Plan *plan, ShapeKind kind, const CType *type, const Where *where)
{
    Shape *shape = arena_alloc(&plan->units->arena, sizeof *shape);
    *shape = (Shape){.kind = kind, .type = type, .name = where->name, .place = where->place, .test = where->test, .path = where->path};
    shape->member = where->member;
    shape->offset = where->offset;
    shape->in = where->in;
    vec_push(&plan->shapes, shape);
    return shape;
}

/* ---- numbers ---- */

/* Are the enumerators bits to be combined? */
static bool are_flags(const CType *type)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < type->enumerator_count; i++) {
        int64_t value = type->enumerators[i].value;
        if (value < 0 || (value & (value - 1)) != 0) return false;
        bits += value > 2;
    }
    return bits > 0;
}

static void bound_enum(Plan *plan, const Shape *shape)
{
    const CType *type = shape->type;
    if (type->enumerator_count == 0) return;
    int64_t least = INT64_MAX, most = INT64_MIN, limit = type->is_signed ? INT32_MAX : UINT32_MAX;
    for (uint32_t i = 0; i < type->enumerator_count; i++) {
        int64_t value = type->enumerators[i].value;
        if (value < least) least = value;
        if (value > most) most = value;
    }
    bool flags = are_flags(type);
    if (flags) {
        least = 0;
        most = most > INT64_MAX / 2 ? INT64_MAX : 2 * most - 1;
    } else if (most < limit) {
        most++;
    }
    Bound bound = {.number = shape, .has_least = true, .least = least, .most = most};
    vec_push(&plan->bounds, bound);
    if (flags) unit__assume(plan, "%s is any combination of the bits of %s", shape->path, type->plain);
    else unit__assume(plan, "%s is from the least of the enumerators of %s to one more than the largest", shape->path, type->plain);
}

static Shape *number(Plan *plan, const CType *type, const Where *where)
{
    Shape *shape = unit__shape_new(plan, SHAPE_NUMBER, type, where);
    if (type->kind == C_ENUM && !plan->watching) bound_enum(plan, shape);
    return shape;
}

/* ---- arrays ---- */

/* Do elements of this type need nothing but to be inputs, one like the other? */
static bool is_simple(const CType *type)
{
    return unit__is_number(type) && type->kind != C_ENUM && !(type->kind == C_FLOAT && type->size > 8);
}

Shape *unit__elements(Plan *plan, const CType *element, uint64_t count, uint64_t inputs, const Where *where)
{
    Arena *arena = &plan->units->arena;
    Shape *shape = unit__shape_new(plan, is_simple(element) ? SHAPE_RUN : SHAPE_ARRAY, element, where);
    shape->count = count;
    shape->inputs = inputs < count ? inputs : count;
    for (uint64_t i = 0; shape->kind == SHAPE_ARRAY && i < shape->inputs; i++) {
        unsigned long long n = i;
        Where at = {.in = where->in, .depth = where->depth, .keeps = where->keeps, .offset = where->offset + i * element->size};
        at.name = unit__text(arena, "%s[%llu]", where->name, n);
        at.place = unit__text(arena, "%s[%llu]", where->place, n);
        at.test = unit__text(arena, "%s[%llu]", where->test, n);
        at.path = unit__text(arena, "%s[%llu]", where->path, n);
        uint32_t depth = plan->depth;
        if (i > 0) plan->depth = UNIT_STRUCTS; /* what is assumed of one element holds for the others */
        vec_push(&shape->parts, unit__shape(plan, element, &at));
        plan->depth = depth;
    }
    return shape;
}

/* An array whose size is declared, in a struct or as a global. */
static Shape *declared_array(Plan *plan, const CType *type, const Where *where)
{
    const CType *element = type->of;
    const UnitOptions *options = &plan->units->options;
    uint64_t inputs = type->count <= UNIT_DECLARED ? type->count : options->elements;
    if (!is_simple(element) && inputs > UNIT_STRUCT_ELEMENTS && !unit__is_number(element)) inputs = UNIT_STRUCT_ELEMENTS;
    if (element->kind == C_ARRAY && type->count <= UNIT_ELEMENTS) inputs = type->count;
    bool text = unit__is_text_char(element) && type->count > 1 && (!where->member || (where->use && where->use->string));
    if (text && inputs == type->count) inputs--;
    Shape *shape = unit__elements(plan, element, type->count, inputs, where);
    shape->text = text;
    if (text) unit__assume(plan, "%s holds a string", where->path);
    else if (inputs < type->count) unit__assume(plan, "only the first %llu elements of %s vary", (unsigned long long)inputs, where->path);
    return shape;
}

/* ---- structs and unions ---- */

static Where field_where(Plan *plan, const CType *type, const CField *field, const Where *where)
{
    Arena *arena = &plan->units->arena;
    Where at = {.in = where->in, .depth = where->depth, .keeps = where->keeps, .member = field->name};
    at.offset = where->offset + field->offset / 8;
    at.siblings = (Siblings){.known = true, .parent = type, .number = (uint32_t)(field - type->fields)};
    at.name = unit__text(arena, "%s.%s", where->name, field->name);
    at.place = unit__text(arena, "%s.%s", where->place, field->name);
    at.test = unit__text(arena, "%s%s%s", where->test, where->test_arrow ? "->" : ".", field->name);
    at.path = unit__text(arena, "%s%s%s", where->path, where->arrow ? "->" : ".", field->name);
    return at;
}

static uint32_t largest_member(const CType *type)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < type->field_count; i++) {
        if (type->fields[i].type->size > type->fields[best].type->size) best = i;
    }
    return best;
}

static void add_fields(Plan *plan, const CType *type, const Where *where, Shape *parent);

static void add_field(Plan *plan, const CType *type, uint32_t i, const Where *where, Shape *parent, Shape **made)
{
    const CField *field = &type->fields[i];
    bool anonymous = !field->name[0];
    if (anonymous && field->type->kind != C_STRUCT && field->type->kind != C_UNION) return; /* unnamed bits */
    if (anonymous) {
        Where inside = *where;
        inside.offset += field->offset / 8;
        return add_fields(plan, field->type, &inside, parent);
    }
    Where at = field_where(plan, type, field, where);
    at.use = field->use;
    uint32_t length = field->type->kind == C_POINTER ? unit__length_field(type, i) : UINT32_MAX;
    if (length != UINT32_MAX && made[length] && !(plan->in_stub && !where->in)) {
        at.length = made[length];
        at.length_is_field = true;
    }
    Shape *shape = unit__shape(plan, field->type, &at);
    shape->bits = field->bits;
    made[i] = shape;
    vec_push(&parent->parts, shape);
}

static bool is_checked(const Plan *plan, const char *field)
{
    for (uint32_t i = 0; i < plan->checked.len; i++) {
        if (strcmp(plan->checked.data[i], field) == 0) return true;
    }
    return false;
}

static bool is_shown_to_count(const CField *pointer, uint32_t field)
{
    return pointer->use && field < 64 && pointer->use->counts >> field & 1;
}

/* Counts beside a pointer with a capacity do not exceed it, unless the program sees to that itself. */
static void bound_counts(Plan *plan, const CType *type, Shape **made)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].type->kind != C_POINTER) continue;
        uint32_t length = unit__length_field(type, i);
        if (length == UINT32_MAX || !made[length] || !made[i] || made[i]->choices.len == 0) continue;
        if (made[i]->choices.data[0]->length != made[length]) continue;
        for (uint32_t k = 0; k < type->field_count; k++) {
            bool named = unit__is_count_field(&type->fields[k]);
            if (k == length || !made[k] || made[k]->kind != SHAPE_NUMBER || !(named || is_shown_to_count(&type->fields[i], k))) continue;
            bool checked = is_checked(plan, type->fields[k].name) && is_checked(plan, type->fields[length].name);
            Bound bound = {.number = made[k], .has_least = true, .most = INT64_MAX, .at_most = made[length]};
            if (checked) vec_push(&plan->counts, bound);
            if (checked) continue;
            vec_push(&plan->bounds, bound);
            unit__assume(plan, "%s is at least 0 and at most %s", made[k]->path, made[length]->path);
        }
    }
}

static void add_fields(Plan *plan, const CType *type, const Where *where, Shape *parent)
{
    if (type->field_count == 0) return;
    Shape **made = arena_alloc(&plan->units->arena, type->field_count * sizeof *made);
    if (type->kind == C_UNION) {
        uint32_t member = largest_member(type);
        add_field(plan, type, member, where, parent, made);
        if (type->field_count > 1 && type->fields[member].name[0]) {
            unit__assume(plan, "the union %s is given by its member %s", where->path, type->fields[member].name);
        }
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < type->field_count; i++) {
            if ((type->fields[i].type->kind == C_POINTER) == (pass == 1)) add_field(plan, type, i, where, parent, made);
        }
    }
    if (!plan->watching) bound_counts(plan, type, made);
}

static void sort_by_offset(Shape *shape)
{
    for (uint32_t i = 1; i < shape->parts.len; i++) {
        Shape *part = shape->parts.data[i];
        uint32_t k = i;
        for (; k > 0 && shape->parts.data[k - 1]->offset > part->offset; k--) shape->parts.data[k] = shape->parts.data[k - 1];
        shape->parts.data[k] = part;
    }
}

static Shape *fields(Plan *plan, const CType *type, const Where *where)
{
    Shape *shape = unit__shape_new(plan, SHAPE_FIELDS, type, where);
    add_fields(plan, type, where, shape);
    sort_by_offset(shape);
    return shape;
}

Shape *unit__shape(Plan *plan, const CType *type, const Where *where)
{
    if (unit__is_number(type)) return number(plan, type, where);
    if (unit__is_system_type(type)) {
        unit__assume(plan, "%s is left zero", where->path);
        return unit__shape_new(plan, SHAPE_NOTHING, type, where);
    }
    switch (type->kind) {
    case C_POINTER: return unit__pointer(plan, type, where);
    case C_STRUCT:
    case C_UNION: return fields(plan, type, where);
    case C_ARRAY: return declared_array(plan, type, where);
    default: break;
    }
    if (where->in || where->member) unit__assume(plan, "%s, of type %s, is left zero", where->path, type->plain);
    else unit__problem(plan, "%s: a value of type %s cannot be made", where->path, type->plain);
    return unit__shape_new(plan, SHAPE_NOTHING, type, where);
}
