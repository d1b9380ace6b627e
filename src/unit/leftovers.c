/* What a test gives back at its end, so that a leak checker finds nothing of its own: the objects that it has allocated, and a result that was
 * allocated for it.
 *
 *     struct node *self = malloc(sizeof *self);
 *     struct node *result = copy(self);
 *     assert(result->value == 0);
 *     node_free(result);
 *     free(self);
 *
 * The harness does the same in the machine, after the objects that functions of the project have made were released (made.c): so what is gone by then,
 * or belongs to another object that was released, is left alone. */
#include "unit/unit_int.h"

#include <stdio.h>

/* May such a pointer lead to memory that is to be freed?  What is behind a `void *` may as well be a stream, which needs fclose. */
static bool may_be_freed(const CType *pointer)
{
    return pointer->of->kind != C_FUNCTION && pointer->of->kind != C_VOID && !unit__is_system_type(pointer->of);
}

/* A result of this unit may be memory that its caller has to release. */
static bool may_own_result(const Unit *unit)
{
    const Shape *result = unit->result;
    return result && result->kind == SHAPE_POINTER && !result->type->of->is_const && may_be_freed(result->type);
}

void unit__plan_result_release(Unit *unit)
{
    Makers makers = {0};
    if (!may_own_result(unit)) return;
    unit__find_makers(&unit->plan, unit->result->type, true, &makers);
    unit->release = makers.release;
    unit->release_through = makers.release_through;
    unit__release_makers(&makers);
}

/* ---- the harness ---- */

void unit__declare_result_release(const Unit *unit, StrBuf *out)
{
    if (!unit->release) return;
    strbuf_addf(out, "static void clew__release_%s_result(__typeof__(%s) clew__it)\n{\n", unit->entry, unit->result->type->plain);
    strbuf_add(out, "    if (!clew__allocated((const void *)clew__it)) return;\n");
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *object = unit->plan.objects.data[i];
        if (object->heap) strbuf_addf(out, "    if ((const void *)clew__it == (const void *)%s) return;\n", object->variable);
    }
    strbuf_addf(out, "    %s(%sclew__it);\n", unit->release->name, unit->release_through ? "&" : "");
    strbuf_add(out, "    clew__object((void *)0, \"result.released\");\n}\n");
}

static void note(const char *lvalue, const char *name, const char *what, StrBuf *out)
{
    strbuf_addf(out, "    if (clew__allocated((const void *)%s) == 2) clew__object((void *)0, \"%s.%s\");\n", lvalue, name, what);
}

static void note_all(const Unit *unit, const char *what, StrBuf *out)
{
    if (may_own_result(unit) && !unit->release) note("clew__result", "result", what, out);
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *object = unit->plan.objects.data[i];
        if (object->heap) note(object->variable, object->name, what, out);
    }
    for (uint32_t i = 0; i < unit->plan.made.len; i++) {
        const Made *made = unit->plan.made.data[i];
        note(made->object->variable, made->object->name, what, out);
    }
}

/* A function that releases may fail, since nobody knows what the unit has left behind: then none of what follows is executed, and the test releases
 * nothing, but frees what is there before. */
void unit__print_there(const Unit *unit, StrBuf *out)
{
    note_all(unit, "there", out);
}

void unit__print_left(const Unit *unit, StrBuf *out)
{
    if (unit->release) strbuf_addf(out, "    clew__release_%s_result(clew__result);\n", unit->entry);
    note_all(unit, "left", out);
    strbuf_add(out, "    clew__object((void *)0, \"::all.released\");\n");
}

/* ---- the test ---- */

bool unit__is_noted(const Run *run, const char *name, const char *what)
{
    char text[256];
    snprintf(text, sizeof text, "%s.%s", name, what);
    for (uint32_t i = 0; i < run->record->seen.len; i++) {
        const RecordSeen *seen = &run->record->seen.data[i];
        if (seen->type == 'o' && strcmp(seen->name, text) == 0) return true;
    }
    return false;
}

static bool released_any_object(const Run *run)
{
    for (uint32_t i = 0; i < run->record->seen.len; i++) {
        const RecordSeen *seen = &run->record->seen.data[i];
        const char *dot = strrchr(seen->name, '.');
        if (seen->type == 'o' && dot && strcmp(dot, ".released") == 0 && strcmp(seen->name, "::all.released") != 0) return true;
    }
    return false;
}

/* Where only some were released, what belonged to them is not known. */
static bool is_left(const Run *run, const char *name)
{
    if (unit__is_noted(run, "::all", "released")) return unit__is_noted(run, name, "left");
    return !released_any_object(run) && unit__is_noted(run, name, "there");
}

static bool is_of_the_test(const Run *run, const RecordSeen *result)
{
    for (uint32_t i = 0; i < run->known.len; i++)
        if (run->known.data[i].address == (uint64_t)result->bits) return true;
    return false;
}

static void free_result(const Run *run, StrBuf *out)
{
    const Unit *unit = run->unit;
    const RecordSeen *result = record_seen(run->record, "result");
    if (!result || !unit__result_is_checked(run) || is_of_the_test(run, result)) return;
    if (unit->release && unit__is_noted(run, "result", "released"))
        strbuf_addf(out, "    %s(%sresult);\n", unit->release->name, unit->release_through ? "&" : "");
    if (is_left(run, "result")) strbuf_add(out, "    free(result);\n");
}

/* What the call has allocated and stored in a field of the test's own objects.  Functions that release may have freed it, so it is left to them where any
 * was called. */
static void free_fields(const Run *run, const Shape *shape, Map *freed, StrBuf *out)
{
    for (uint32_t i = 0; i < shape->parts.len; i++) free_fields(run, shape->parts.data[i], freed, out);
    const RecordSeen *seen = shape->kind == SHAPE_POINTER ? record_seen(run->record, shape->name) : NULL;
    if (!seen || !seen->defined || !seen->bits || is_of_the_test(run, seen)) return;
    uint64_t address = (uint64_t)seen->bits;
    const RecordMemory *memory = record_memory(run->record, 0, address);
    if (!memory || memory->kind != MEMORY_HEAP || memory->address != address || !may_be_freed(shape->type)) return;
    if (map_find(freed, address)) return;
    map_put(freed, address, 1);
    strbuf_addf(out, "    free(%s%s);\n", shape->type->of->is_const ? "(void *)" : "", shape->test);
}

static void free_all_fields(const Run *run, StrBuf *out)
{
    Map freed = {0};
    const RecordSeen *result = record_seen(run->record, "result");
    if (released_any_object(run)) return;
    if (result && is_left(run, "result")) map_put(&freed, (uint64_t)result->bits, 1);
    for (uint32_t i = 0; i < run->objects.len; i++) {
        const Object *object = run->objects.data[i];
        bool there = !object->heap || is_left(run, object->name);
        if (object->written && there) free_fields(run, object->value, &freed, out);
    }
    map_release(&freed);
}

void unit__print_frees(const Run *run, StrBuf *out)
{
    if (run->record->end != END_RETURN) return;
    free_result(run, out);
    free_all_fields(run, out);
    for (uint32_t i = run->objects.len; i-- > 0;) {
        const Object *object = run->objects.data[i];
        if (object->heap && is_left(run, object->name)) strbuf_addf(out, "    %s(%s);\n", object->stream ? "fclose" : "free", object->name);
    }
    for (uint32_t i = 0; i < run->unit->plan.made.len; i++) {
        const Made *made = run->unit->plan.made.data[i];
        if (is_left(run, made->object->name)) strbuf_addf(out, "    free(%s);\n", made->object->name);
    }
}

static bool has_pointer(const Shape *shape)
{
    if (shape->kind == SHAPE_POINTER) return may_be_freed(shape->type);
    for (uint32_t i = 0; i < shape->parts.len; i++)
        if (has_pointer(shape->parts.data[i])) return true;
    return false;
}

bool unit__may_free(const Unit *unit)
{
    for (uint32_t i = 0; i < unit->plan.objects.len; i++)
        if (unit->plan.objects.data[i]->written && has_pointer(unit->plan.objects.data[i]->value)) return true;
    return unit->plan.made.len || may_own_result(unit);
}
