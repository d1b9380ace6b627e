/* C code of a harness that makes the shapes of a plan and observes them.
 *
 * It must not branch on inputs: bounds are said with & between comparisons, the limit of an array with a mask.  All its own names start with clew__,
 * and it uses no macro or typedef, since those may be the program's. */
#include "unit/unit_int.h"

static void print_inputs(const char *lvalue, const Shape *shape, StrBuf *out)
{
    bool is_byte = shape->type->kind == C_CHAR && !shape->type->is_signed; /* alone, an unsigned char is a number, not a character */
    char letter = is_byte ? 'u' : unit__letter(shape->type);
    strbuf_addf(out, "    clew__input((void *)&%s, sizeof %s, '%c', \"%s\");\n", lvalue, lvalue, letter, shape->name);
}

/* Bit-fields have no address and long double is given by a double: both through a variable. */
static void print_number(const Shape *shape, StrBuf *out)
{
    bool wide = shape->type->kind == C_FLOAT && shape->type->size > 8;
    if (!shape->bits && !wide) return print_inputs(shape->place, shape, out);
    strbuf_add(out, "    {\n");
    strbuf_addf(out, "        __typeof__(%s) clew__value;\n    ", wide ? "double" : shape->type->plain);
    print_inputs("clew__value", shape, out);
    strbuf_addf(out, "        %s = clew__value;\n    }\n", shape->place);
}

static void print_run(const Shape *shape, StrBuf *out)
{
    if (shape->inputs == 0) return;
    const Object *object = shape->in && shape->in->value == shape && shape->in->most ? shape->in : NULL;
    if (object) {
        unsigned long long usual = shape->inputs, most = object->most, least = object->length ? 0 : object->count * object->type->size;
        strbuf_addf(out,
                    "    clew__inputs((void *)&%s[0], sizeof %s[0], clew__bound((void *)%s, %llu, %llu, sizeof %s[0], %llu, %d), '%c', "
                    "\"%s\");\n",
                    shape->place, shape->place, object->place, usual, most, shape->place, least, shape->text, unit__letter(shape->type),
                    shape->name);
        return;
    }
    strbuf_addf(out, "    clew__inputs((void *)&%s[0], sizeof %s[0], %llu, '%c', \"%s\");\n", shape->place, shape->place,
                (unsigned long long)shape->inputs, unit__letter(shape->type), shape->name);
}

static void print_pointer(const Shape *shape, StrBuf *out)
{
    uint32_t inside = shape->begin ? (uint32_t)shape->begin->choices.data[0]->value->inputs + 1 : 0;
    bool may_fail = shape->library && unit__failing(shape->library);
    uint32_t known = shape->choices.len + (shape->callback || shape->library) + may_fail + inside,
             count = shape->nullable + shape->keeps + known;
    if (known == 0) return;
    const char *comma = "";
    strbuf_add(out, "    {\n");
    if (shape->keeps) strbuf_addf(out, "        void *clew__kept = (void *)%s;\n", shape->place);
    strbuf_add(out, "        void *clew__choices[] = {");
    if (shape->keeps) strbuf_add(out, "clew__kept"), comma = ", ";
    if (shape->nullable) strbuf_addf(out, "%s(void *)0", comma), comma = ", ";
    for (uint32_t i = 0; i < shape->choices.len; i++, comma = ", ") {
        const Object *object = shape->choices.data[i];
        strbuf_addf(out, "%s(void *)%s%s", comma, object->array ? "" : "&", object->place);
    }
    if (shape->callback) strbuf_addf(out, "%s(void *)%s", comma, shape->callback->place), comma = ", ";
    if (shape->library) strbuf_addf(out, "%s(void *)clew__library_%s", comma, shape->library), comma = ", ";
    if (may_fail) strbuf_addf(out, "%s(void *)clew__%s", comma, unit__failing(shape->library));
    for (uint64_t i = 0; i < inside; i++, comma = ", ")
        strbuf_addf(out, "%s(void *)&%s[%llu]", comma, shape->begin->choices.data[0]->place, (unsigned long long)i);
    strbuf_addf(out, "};\n        %s = (__typeof__(%s))clew__pointer(\"%s\", %u, clew__choices);\n", shape->place, shape->place,
                shape->name, count);
    if (shape->keeps && shape->nullable)
        strbuf_addf(out, "        clew__assume((%s != (void *)0) | (clew__kept == (void *)0));\n", shape->place);
    strbuf_add(out, "    }\n");
    if (shape->keeps && !shape->nullable) strbuf_addf(out, "    clew__assume(%s != (void *)0);\n", shape->place);
}

void unit__print_input(const Shape *shape, StrBuf *out)
{
    switch (shape->kind) {
    case SHAPE_NOTHING: break;
    case SHAPE_NUMBER: print_number(shape, out); break;
    case SHAPE_RUN: print_run(shape, out); break;
    case SHAPE_ARRAY:
    case SHAPE_FIELDS:
        for (uint32_t i = 0; i < shape->parts.len; i++) unit__print_input(shape->parts.data[i], out);
        break;
    case SHAPE_POINTER: print_pointer(shape, out); break;
    }
}

/* ---- objects ---- */

/* At file scope, since callbacks use them too. */
void unit__declare_objects(const Plan *plan, StrBuf *out)
{
    for (uint32_t i = 0; i < plan->objects.len; i++) {
        const Object *object = plan->objects.data[i];
        const char *type = object->type->plain, *variable = object->variable;
        if (object->heap) strbuf_addf(out, "static __typeof__(%s) *%s;\n", type, variable);
        else if (!object->array) strbuf_addf(out, "static __typeof__(%s) %s;\n", type, variable);
        else
            strbuf_addf(out, "static %s__typeof__(%s) %s[%llu];\n", object->raw ? "_Alignas(16) " : "", type, variable,
                        (unsigned long long)unit__capacity(object));
    }
}

void unit__make_objects(const Plan *plan, StrBuf *out)
{
    for (uint32_t i = 0; i < plan->objects.len; i++) {
        const Object *object = plan->objects.data[i];
        unsigned long long count = object->array ? unit__capacity(object) : 1;
        if (object->stream) strbuf_addf(out, "    %s = clew__tmpfile();\n", object->variable);
        else if (object->heap) strbuf_addf(out, "    %s = clew__calloc(%llu, sizeof(%s));\n", object->variable, count, object->type->plain);
        strbuf_addf(out, "    clew__object((void *)%s%s, \"%s\");\n", object->array ? "" : "&", object->place, object->name);
    }
    for (uint32_t i = 0; i < plan->callbacks.len; i++) {
        const Stub *stub = plan->callbacks.data[i];
        if (!stub->function) strbuf_addf(out, "    clew__object((void *)%s, \"%s\");\n", stub->place, stub->test);
    }
    for (uint32_t i = 0; i < plan->library.len; i++) {
        const char *name = plan->library.data[i], *failing = unit__failing(name);
        strbuf_addf(out, "    clew__object((void *)clew__library_%s, \"%s\");\n", name, name);
        if (failing) strbuf_addf(out, "    clew__object((void *)clew__%s, \"%s\");\n", failing, failing);
    }
    for (uint32_t i = 0; i < plan->objects.len; i++) unit__print_input(plan->objects.data[i]->value, out);
}

/* ---- what is assumed ---- */

void unit__print_bound(const Bound *bound, StrBuf *out)
{
    const Shape *number = bound->number;
    const char *wide = number->type->is_signed ? "long long" : "unsigned long long";
    long long least = bound->least, most = bound->most;
    strbuf_add(out, "    clew__assume(");
    if (bound->has_least && number->type->is_signed) strbuf_addf(out, "((long long)%s >= %lldLL) & ", number->place, least);
    if (bound->has_least && !number->type->is_signed && least > 0)
        strbuf_addf(out, "((unsigned long long)%s >= %lluULL) & ", number->place, (unsigned long long)least);
    if (bound->at_most) strbuf_addf(out, "((unsigned long long)%s <= (unsigned long long)%s));\n", number->place, bound->at_most->place);
    else strbuf_addf(out, "((%s)%s <= %lldLL));\n", wide, number->place, most);
}

/* As many bytes as the length says; a negative one says none. */
static void print_limit(const Object *object, StrBuf *out)
{
    const char *length = object->length->place;
    strbuf_addf(out, "    clew__limit((void *)%s, sizeof(%s) * (__SIZE_TYPE__)((long long)%s & ~((long long)%s >> 63)));\n", object->place,
                object->type->plain, length, length);
}

/* In a struct, NULL goes with a length of 0 only. */
static void print_presence(const Object *object, StrBuf *out)
{
    const Shape *length = object->length, *pointer = object->pointer;
    if (length->member && pointer->nullable)
        strbuf_addf(out, "    clew__assume((%s != (void *)0) | (%s <= 0));\n", pointer->place, length->place);
}

void unit__print_bounds(const Plan *plan, StrBuf *out)
{
    for (uint32_t i = 0; i < plan->bounds.len; i++) unit__print_bound(&plan->bounds.data[i], out);
    for (uint32_t i = 0; i < plan->pointers.len; i++) {
        const Shape *end = plan->pointers.data[i];
        if (end->begin) strbuf_addf(out, "    clew__assume((%s == (void *)0) == (%s == (void *)0));\n", end->place, end->begin->place);
    }
    for (uint32_t i = 0; i < plan->objects.len; i++) {
        const Object *object = plan->objects.data[i];
        if (object->length) print_presence(object, out);
        if (!object->format) continue;
        strbuf_addf(out, "    for (int clew__i = 0; clew__i < %llu; clew__i++) clew__assume(%s[clew__i] != '%%');\n",
                    (unsigned long long)object->value->inputs, object->place);
    }
    /* Objects behind the pointers of an array come after it, and their lengths stand in it: it is the last of them that is cut off. */
    for (uint32_t i = plan->objects.len; i-- > 0;)
        if (plan->objects.data[i]->length) print_limit(plan->objects.data[i], out);
}

/* ---- observation ---- */

static void observe(const char *lvalue, const Shape *shape, StrBuf *out)
{
    strbuf_addf(out, "    clew__observe((const void *)&%s, sizeof %s, 1, '%c', \"%s\");\n", lvalue, lvalue, unit__letter(shape->type),
                shape->name);
}

static void observe_bits(const Shape *shape, StrBuf *out)
{
    if (shape->in && shape->in->heap) return; /* it may be gone, and must not be read then */
    strbuf_addf(out, "    {\n        __typeof__(%s) clew__value = %s;\n    ", shape->type->plain, shape->place);
    observe("clew__value", shape, out);
    strbuf_add(out, "    }\n");
}

uint64_t unit__observed(const Shape *run)
{
    uint64_t inputs = run->in && run->in->value == run && run->in->most ? run->in->most : run->inputs;
    uint64_t count = run->in && run->in->value == run ? unit__capacity(run->in) : run->count;
    return run->text && count <= UNIT_CAPACITY ? count : inputs;
}

static void observe_run(const Shape *shape, StrBuf *out)
{
    uint64_t count = unit__observed(shape);
    if (count == 0) return;
    if (count == 1) {
        strbuf_addf(out, "    clew__observe((const void *)&%s[0], sizeof %s[0], 1, '%c', \"%s[0]\");\n", shape->place, shape->place,
                    unit__letter(shape->type), shape->name);
    } else {
        strbuf_addf(out, "    clew__observe((const void *)&%s[0], sizeof %s[0], %llu, '%c', \"%s\");\n", shape->place, shape->place,
                    (unsigned long long)count, unit__letter(shape->type), shape->name);
    }
}

void unit__print_observation(const Shape *shape, StrBuf *out)
{
    if (shape->type->is_const && shape->member) return;
    switch (shape->kind) {
    case SHAPE_NOTHING: break;
    case SHAPE_NUMBER:
        if (shape->bits) observe_bits(shape, out);
        else observe(shape->place, shape, out);
        break;
    case SHAPE_POINTER: observe(shape->place, shape, out); break;
    case SHAPE_RUN: observe_run(shape, out); break;
    case SHAPE_ARRAY:
    case SHAPE_FIELDS:
        for (uint32_t i = 0; i < shape->parts.len; i++) unit__print_observation(shape->parts.data[i], out);
        break;
    }
}
