/* What a pointer points to.
 *
 * C does not say whether a pointer is a string, an array or one object.  In this order decide: the user's options; a length that comes with
 * the pointer; how the function uses it (CUse); its type.  Each guess is listed as an assumption.  NULL is always possible unless the user
 * says otherwise: whether a function stands it is for the function to show. */
#include "unit/unit_int.h"

#include <stdlib.h>

const CType unit__byte = {.kind = C_CHAR, .size = 1, .align = 1, .spelling = "unsigned char", .plain = "unsigned char"};

/* Types of the C library whose insides are not for us to fill. */
bool unit__is_system_type(const CType *type)
{
    static const char *const names[] = {"FILE", "struct _IO_FILE", "DIR", "sem_t", "fpos_t", "mbstate_t", "sigset_t"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(type->plain, names[i]) == 0) return true;
    }
    return strncmp(type->plain, "pthread_", 8) == 0 && (type->kind == C_STRUCT || type->kind == C_UNION);
}

/* ---- the user's options ---- */

/* The number that `name` means beside `path`: a parameter, or a field of the same struct. */
static const Shape *find_number(const Plan *plan, const char *name, const char *path)
{
    size_t stem = strlen(path);
    while (stem > 0 && unit__is_word(path[stem - 1])) stem--;
    for (uint32_t i = 0; i < plan->shapes.len; i++) {
        const Shape *shape = plan->shapes.data[i];
        if (shape->kind != SHAPE_NUMBER || shape->type->kind == C_FLOAT || shape->bits) continue;
        if (strcmp(shape->path, name) == 0) return shape;
        if (strncmp(shape->path, path, stem) == 0 && strcmp(shape->path + stem, name) == 0) return shape;
    }
    return NULL;
}

static uint64_t element_inputs(const Plan *plan, const CType *element)
{
    return unit__is_number(element) ? plan->units->options.elements : UNIT_STRUCT_ELEMENTS;
}

static uint64_t capacity(const CType *element, bool field)
{
    uint64_t most = field ? UNIT_FIELD_CAPACITY : UNIT_CAPACITY, fits = element->size ? UNIT_CAPACITY_BYTES / element->size : most;
    if (fits < UNIT_ELEMENTS) fits = UNIT_ELEMENTS;
    return most < fits ? most : fits;
}

static void with_length(Plan *plan, Target *target, const Shape *length, bool field)
{
    target->kind = TARGET_ARRAY;
    target->length = length;
    target->count = capacity(target->element, field);
    target->inputs = element_inputs(plan, target->element);
}

static void fixed(Target *target, uint64_t count, uint64_t inputs)
{
    target->kind = TARGET_ARRAY;
    target->count = count;
    target->inputs = inputs < count ? inputs : count;
}

static bool as_wished(Plan *plan, const Where *where, Target *target)
{
    const char *string = unit__wish(plan, true, where->path), *array = unit__wish(plan, false, where->path);
    if (string) {
        target->kind = TARGET_STRING;
        target->inputs = strtoull(string, NULL, 0);
        target->count = target->inputs + 1;
        return true;
    }
    if (!array) return false;
    char *end;
    uint64_t count = strtoull(array, &end, 0);
    const Shape *length = *end ? find_number(plan, array, where->path) : NULL;
    if (length) with_length(plan, target, length, length->in != NULL);
    else if (!*end && count > 0) fixed(target, count, UNIT_DECLARED);
    else unit__problem(plan, "--array %s:%s: %s is neither a number of elements nor an integer parameter", where->path, array, array);
    return true;
}

/* ---- by usage and type ---- */

static bool is_string(const CType *pointee, const Where *where)
{
    const CUse *use = where->use;
    if (pointee->kind != C_CHAR || pointee->size != 1 || (use && use->has_end)) return false;
    bool plain = unit__is_text_char(pointee);
    if (!use) return plain;
    if (use->string) return true;
    if (!plain) return false;
    if (pointee->is_const) return true;
    return use->indexed || !use->dereferenced; /* a buffer for text, or handed on to who knows */
}

static void string_target(Plan *plan, const CType *pointee, const Where *where, Target *target)
{
    const CUse *use = where->use;
    target->kind = TARGET_STRING;
    target->inputs = plan->characters ? plan->characters : plan->units->options.characters;
    target->count = target->inputs + 1;
    bool buffer = !pointee->is_const && (!use || use->written || !use->string);
    if (buffer && target->count < UNIT_BLOCK) target->count = UNIT_BLOCK;
    if (use && use->reach > target->count) target->count = use->reach;
    if (where->declared) target->count = where->declared;
    if (target->inputs >= target->count) target->inputs = target->count - 1;
}

/* Rows of a matrix: all of them, as long as they are not too many numbers. */
static uint64_t row_inputs(const CType *row, uint64_t rows)
{
    uint64_t numbers = 1;
    for (; row->kind == C_ARRAY; row = row->of) numbers *= row->count;
    uint64_t most = UNIT_DECLARED / (numbers ? numbers : 1);
    if (most < UNIT_STRUCT_ELEMENTS) most = UNIT_STRUCT_ELEMENTS;
    return rows < most ? rows : most;
}

static void by_type(Plan *plan, const Where *where, Target *target)
{
    const CUse *use = where->use;
    const CType *element = target->element;
    uint64_t some = element->kind == C_POINTER ? UNIT_STRUCT_ELEMENTS + 1 : plan->units->options.elements;
    uint64_t inputs = element_inputs(plan, element), reach = use ? use->reach : 0;
    bool many = use ? use->indexed || use->has_end : element->kind != C_STRUCT && element->kind != C_UNION;
    if (unit__is_number(element) && reach > inputs) inputs = reach < UNIT_REACH ? reach : UNIT_REACH;
    if (where->declared) fixed(target, where->declared, inputs > UNIT_DECLARED ? inputs : UNIT_DECLARED);
    else if (element->kind == C_ARRAY && reach > 1) fixed(target, reach, row_inputs(element, reach));
    else if (many) {
        fixed(target, reach > some ? reach : some, inputs);
        target->guessed = reach <= some;
    } else if (reach > 1) fixed(target, reach, inputs);
    else target->kind = TARGET_ONE;
}

static bool is_opaque(const CType *type)
{
    return type->kind == C_INCOMPLETE || type->kind == C_OTHER || strstr(type->plain, "(unnamed") || strstr(type->plain, "(anonymous") ||
           unit__is_system_type(type);
}

static bool is_stream(const CType *type)
{
    return strcmp(type->plain, "FILE") == 0 || strcmp(type->plain, "struct _IO_FILE") == 0;
}

/* What nobody can look into is only passed around. */
static bool is_handle(const Plan *plan, const CType *type)
{
    return type->kind == C_INCOMPLETE && !unit__is_system_type(type) && !names_find(&plan->units->complete, type->plain);
}

/* What a `void *` is used as, by a name that the unit's source knows: the use may be in a function of another source.  NULL: there is none. */
static const CType *usable_cast(Plan *plan, const CType *type)
{
    if (!type || is_opaque(type) || type->size == 0) return NULL;
    if (!plan->function || names_find(&plan->units->decls->sources[plan->function->source].types, type->plain)) return type;
    if (!unit__is_number(type)) return type->kind == C_STRUCT || type->kind == C_UNION ? NULL : type;
    CType *other = arena_alloc(&plan->units->arena, sizeof *other);
    *other = *type;
    if (type->kind == C_ENUM) other->kind = C_INT, other->enumerators = NULL, other->enumerator_count = 0;
    other->plain = other->spelling = unit__is_text_char(type) ? "char" : unit__builtin_name(type);
    return other;
}

static Target choose(Plan *plan, const CType *type, const Where *where)
{
    const CType *pointee = type->of;
    const CUse *use = where->use;
    Target target = {.kind = TARGET_NULL, .element = pointee};
    if (pointee->kind == C_FUNCTION) {
        target.kind = TARGET_FUNCTION;
        return target;
    }
    if (pointee->kind == C_VOID) {
        const CType *cast = use ? usable_cast(plan, use->cast) : NULL;
        target.raw = !cast;
        target.element = cast ? cast : &unit__byte;
    }
    if (plan->streams && is_stream(target.element)) {
        target.kind = TARGET_STREAM;
        return target;
    }
    if (is_handle(plan, target.element)) {
        target.kind = TARGET_HANDLE;
        target.element = &unit__byte;
        return target;
    }
    if (is_opaque(target.element) || target.element->size == 0) return target;
    if (as_wished(plan, where, &target)) return target;
    if (where->length) with_length(plan, &target, where->length, where->length_is_field);
    else if (is_string(target.element, where)) string_target(plan, target.element, where, &target);
    else if (target.raw) fixed(&target, use && use->reach > UNIT_BLOCK ? use->reach : UNIT_BLOCK, UNIT_BLOCK);
    else by_type(plan, where, &target);
    return target;
}

/* ---- saying it ---- */

static void say_growth(Plan *plan, const Target *target, const Where *where)
{
    unsigned long long most = target->inputs * UNIT_GROWTH;
    if (target->length && most > target->count) most = target->count;
    if (!unit__grows(plan, target, where) || most == target->inputs) return;
    unit__assume(plan, "%s: up to %llu where %llu are not enough", where->path, most, (unsigned long long)target->inputs);
}

static void say_array(Plan *plan, const Target *target, const Where *where, const char *null)
{
    unsigned long long count = target->count, inputs = target->inputs;
    const char *what = target->raw ? "bytes" : "elements";
    if (target->length && target->length->member && null[0])
        null = unit__text(&plan->units->arena, "is NULL, if %s is 0, or ", target->length->path);
    if (target->length) {
        unit__assume(plan, "%s %spoints to %s %s, %s at most %llu; those after the first %llu are 0", where->path, null,
                     target->length->path, what, target->length->path, count, inputs);
    } else if (inputs < count) {
        unit__assume(plan, "%s %spoints to %llu %s; those after the first %llu are 0", where->path, null, count, what, inputs);
    } else {
        unit__assume(plan, "%s %spoints to %llu %s", where->path, null, count, what);
    }
}

static void say(Plan *plan, const Target *target, const Where *where, bool nullable)
{
    const char *null = nullable ? "is NULL or " : "", *is = nullable ? "is NULL or" : "is";
    if (where->keeps) null = "has its first value or ", is = "has its first value or is";
    unsigned long long count = target->count, characters = target->inputs;
    switch (target->kind) {
    case TARGET_ARRAY:
        say_array(plan, target, where, null);
        say_growth(plan, target, where);
        break;
    case TARGET_STRING:
        if (count > characters + 1)
            unit__assume(plan, "%s %s a string of up to %llu characters in %llu bytes", where->path, is, characters, count);
        else unit__assume(plan, "%s %s a string of up to %llu characters", where->path, is, characters);
        if (where->format) unit__assume(plan, "%s has no %% in it", where->path);
        say_growth(plan, target, where);
        break;
    case TARGET_FUNCTION: unit__assume(plan, "%s %s a function that may return anything", where->path, is); break;
    case TARGET_HANDLE: unit__assume(plan, "%s %s a handle: nothing here looks into it", where->path, is); break;
    case TARGET_STREAM: unit__assume(plan, "%s %s an empty file, open for reading and writing", where->path, is); break;
    case TARGET_ONE:
        if (where->in && unit__same_type(where->in->type, target->element)) {
            unit__assume(plan, "%s %spoints to another %s, down to a depth of %u", where->path, null, target->element->plain,
                         unit__depth(plan, target->element));
        } else {
            unit__assume(plan, "%s %spoints to one %s", where->path, null, target->element->plain);
        }
        break;
    default:
        if (where->keeps) break; /* a global with a value of its own */
        if (unit__is_system_type(target->element))
            unit__assume(plan, "%s is NULL: no %s is made here", where->path, target->element->plain);
        else unit__assume(plan, "%s is NULL: nothing is known here of what %s points to", where->path, where->path);
    }
}

static void say_library(Plan *plan, const Shape *shape, const Where *where)
{
    const char *other = where->keeps ? "has its first value or " : shape->nullable ? "is NULL or " : "";
    const char *fails = unit__failing(shape->library) ? ", or a function that always fails" : "";
    unit__assume(plan, "%s %sis %s%s", where->path, other, shape->library, fails);
}

/* ---- choices ---- */

/* A pointer that leads back: to the object from which this one was reached. */
static Object *leads_back(const CType *type, const Where *where)
{
    static const char *const names[] = {"prev", "previous", "parent", "back", "up", "owner"};
    Object *from = where->in && where->in->pointer ? where->in->pointer->in : NULL;
    if (!from || !where->member || from->array || !unit__same_type(from->type, type->of)) return NULL;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(where->member, names[i]) == 0) return from;
    }
    return NULL;
}

static Stub *callback(Plan *plan, const CType *type, const Where *where)
{
    Arena *arena = &plan->units->arena;
    bool shared = where->in || where->member; /* fields of one type share a stub, else their number would have no end */
    for (uint32_t i = 0; shared && i < plan->callbacks.len; i++) {
        if (strcmp(plan->callbacks.data[i]->type->plain, type->plain) == 0) return plan->callbacks.data[i];
    }
    const char *test = unit__unique(plan, unit__text(arena, "%s_stub", unit__stem(plan, where->path)));
    Stub *stub = unit__stub(plan, NULL, type, where->name, unit__text(arena, "clew__%s_%s", plan->owner, test), test);
    stub->path = where->path;
    return stub;
}

/* The fuzzers' function gets a pointer always. */
static bool is_fuzzed(const Plan *plan)
{
    return plan->function && strcmp(plan->function->name, "LLVMFuzzerTestOneInput") == 0;
}

Shape *unit__pointer_inside(Plan *plan, const CType *type, const Where *where, const Shape *begin)
{
    if (begin->kind != SHAPE_POINTER || begin->choices.len != 1 || unit__wish(plan, true, where->path) ||
        unit__wish(plan, false, where->path))
        return NULL;
    const Object *object = begin->choices.data[0];
    if (!object->array || object->length || object->heap || !unit__same_type(object->type, type->of)) return NULL;
    begin->choices.data[0]->most = 0; /* each of its elements is a choice */
    Shape *shape = unit__shape_new(plan, SHAPE_POINTER, type, where);
    vec_push(&plan->pointers, shape);
    shape->begin = begin;
    shape->nullable = begin->nullable;
    unit__assume(plan, "%s points into the array of %s, or to its end", where->path, begin->path);
    return shape;
}

/* "sdsempty, sdsnew or sdsnewlen" */
static const char *names_of(Plan *plan, const MadeCall *calls, uint32_t count)
{
    const char *text = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = calls[i].function->name, *comma = i + 1 < count ? "," : " or";
        text = text ? unit__text(&plan->units->arena, "%s%s %s", text, comma, name) : name;
    }
    return text;
}

/* Functions of the project that give what it points to; for a parameter of the unit, the harness also calls them. */
static void find_origins(Plan *plan, Shape *shape, const Where *where)
{
    bool wished = unit__wish(plan, true, where->path) || unit__wish(plan, false, where->path);
    if (where->is_arg || plan->in_stub || wished || !plan->function || shape->keeps) return;
    Makers makers = {0};
    unit__find_makers(plan, shape->type, false, &makers);
    shape->origins = names_of(plan, makers.origins.data, makers.origins.len);
    if (where->is_param && makers.makers.len) shape->made = unit__made(plan, shape->type, where, false);
    if (shape->made) unit__assume(plan, "%s may also come from %s", where->path, names_of(plan, makers.makers.data, makers.makers.len));
    unit__release_makers(&makers);
}

Shape *unit__pointer(Plan *plan, const CType *type, const Where *where)
{
    Shape *shape = unit__shape_new(plan, SHAPE_POINTER, type, where);
    if (plan->watching) return shape;
    vec_push(&plan->pointers, shape);
    shape->use = where->use;
    shape->nullable = !where->nonnull && !unit__wished_nonnull(plan, where->path) && !(is_fuzzed(plan) && !where->in);
    shape->keeps = where->keeps;
    find_origins(plan, shape, where); /* first: what it makes gets the plainer name */
    Target target = choose(plan, type, where);
    Object *object = leads_back(type, where);
    bool function = target.kind == TARGET_FUNCTION;
    if (function) shape->library = unit__allocator(plan, target.element, where);
    if (shape->library) say_library(plan, shape, where);
    else say(plan, &target, where, shape->nullable);
    if (function && !shape->library) shape->callback = callback(plan, target.element, where);
    else if (!function && !object && target.kind != TARGET_NULL) object = unit__object(plan, shape, &target, where);
    if (object) vec_push(&shape->choices, object);
    if (!object && !shape->callback && !shape->library && !shape->made) {
        bool deep = target.kind != TARGET_NULL;
        if (!shape->nullable && !deep)
            unit__problem(plan, "%s cannot be other than NULL: nothing is known here of what it points to", where->path);
        shape->nullable = true;
    }
    return shape;
}
