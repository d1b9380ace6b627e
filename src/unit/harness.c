/* The harness of each unit: a function without parameters that makes the inputs, calls the function under test and observes what it did.  It follows
 * the source in its translation unit, so every type, static function and variable of the source can be named.
 *
 * Names of inputs, as they are in a record: a parameter "n", a global "count" ("::count" beside a parameter of that name), the object that a pointer
 * was made for "list_object", the next "list_next", an array or string as its pointer; fields and elements as in C: "list_next.value", "a[3]".
 * Stubs: "sensor()", "sensor().*out"; a buffer that it fills "receive().buffer[0]", …, with "receive().buffer.count". */
#include "unit/unit_int.h"

static const char primitives[] = "#pragma clang diagnostic ignored \"-Weverything\"\n"
                                 "void clew__input(void *, __SIZE_TYPE__, int, const char *);\n"
                                 "void clew__inputs(void *, __SIZE_TYPE__, __SIZE_TYPE__, int, const char *);\n"
                                 "void *clew__pointer(const char *, unsigned, void *const *);\n"
                                 "void clew__object(void *, const char *);\n"
                                 "void clew__limit(void *, __SIZE_TYPE__);\n"
                                 "void clew__assume(int);\n"
                                 "void clew__observe(const void *, __SIZE_TYPE__, __SIZE_TYPE__, int, const char *);\n"
                                 "__SIZE_TYPE__ clew__bound(void *, __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, int);\n"
                                 "int clew__called(const char *);\n"
                                 "void clew__returned(void);\n"
                                 "int clew__may_release(const void *);\n"
                                 "int clew__allocated(const void *);\n"
                                 "void clew__any_memory(void);\n"
                                 "void *clew__calloc(__SIZE_TYPE__, __SIZE_TYPE__) __asm__(\"calloc\");\n"
                                 "void *clew__library_malloc(__SIZE_TYPE__) __asm__(\"malloc\");\n"
                                 "void *clew__library_calloc(__SIZE_TYPE__, __SIZE_TYPE__) __asm__(\"calloc\");\n"
                                 "void *clew__library_realloc(void *, __SIZE_TYPE__) __asm__(\"realloc\");\n"
                                 "void clew__library_free(void *) __asm__(\"free\");\n"
                                 "void *clew__tmpfile(void) __asm__(\"tmpfile\");\n"
                                 "void clew__exit(int) __asm__(\"exit\") __attribute__((__noreturn__));\n";

/* For pointers to functions that manage memory (allocators.c). */
static const char failing[] =
    "__attribute__((__unused__)) static void *clew__failing_malloc(__SIZE_TYPE__ a) { return (void *)0; }\n"
    "__attribute__((__unused__)) static void *clew__failing_calloc(__SIZE_TYPE__ a, __SIZE_TYPE__ b) { return (void *)0; }\n"
    "__attribute__((__unused__)) static void *clew__failing_realloc(void *a, __SIZE_TYPE__ b) { return (void *)0; }\n";

/* Tests of whole programs have the harness's stubs, where no machine is: what it filled then stands in the record. */
static const char filling[] = "#ifndef clew__filled\n"
                              "#define clew__filled clew__filled\n"
                              "void clew__fill(void *, __SIZE_TYPE__, __SIZE_TYPE__, int, const char *, int) __attribute__((__weak__));\n"
                              "__attribute__((__unused__)) static void clew__filled(void *clew__to, __SIZE_TYPE__ clew__size, "
                              "__SIZE_TYPE__ clew__most, int clew__type,\n"
                              "    const char *clew__name, const char *clew__counter, int clew__how)\n"
                              "{\n"
                              "    unsigned long long clew__count = 0;\n"
                              "    char clew__values[8 * 16];\n"
                              "    if (clew__fill) {\n"
                              "        clew__fill(clew__to, clew__size, clew__most, clew__type, clew__name, clew__how);\n"
                              "    } else {\n"
                              "        clew__input(&clew__count, sizeof clew__count, 'u', clew__counter);\n"
                              "        clew__inputs(clew__values, clew__size, 8, clew__type, clew__name);\n"
                              "        if ((clew__how & 1) && clew__count > (clew__how == 1)) clew__values[clew__count - 1] = 0;\n"
                              "        if (clew__count) __builtin_memcpy(clew__to, clew__values, clew__count * clew__size);\n"
                              "    }\n"
                              "}\n"
                              "#endif\n";

static void print_params(const Unit *unit, StrBuf *out)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Shape *shape = unit->params[i];
        strbuf_addf(out, "    static __typeof__(%s) %s;\n", shape->type->plain, shape->place);
    }
    for (uint32_t i = 0; i < unit->function->param_count; i++) unit__print_input(unit->params[i], out);
    for (uint32_t i = 0; i < unit->globals.len; i++) unit__print_input(unit->globals.data[i], out);
    unit__print_made_inputs(&unit->plan, out);
}

/* The user's expressions name parameters as the function does. */
static void print_assumes(const Unit *unit, StrBuf *out)
{
    if (unit->assumes.len == 0) return;
    strbuf_add(out, "    {\n");
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Shape *shape = unit->params[i];
        strbuf_addf(out, "        __typeof__(%s) %s = %s;\n", shape->place, shape->name, shape->place);
    }
    for (uint32_t i = 0; i < unit->assumes.len; i++) strbuf_addf(out, "        clew__assume((%s) != 0);\n", unit->assumes.data[i]);
    strbuf_add(out, "    }\n");
}

static void print_call(const Unit *unit, StrBuf *out)
{
    strbuf_add(out, "    ");
    if (unit->result) strbuf_addf(out, "__typeof__(%s) clew__result = ", unit->result->type->plain);
    strbuf_addf(out, "(%s)(", unit->function->name);
    for (uint32_t i = 0; i < unit->function->param_count; i++) strbuf_addf(out, "%s%s", i ? ", " : "", unit->params[i]->place);
    strbuf_add(out, ");\n    clew__returned();\n");
}

static void print_observations(const Unit *unit, StrBuf *out)
{
    if (unit->result) unit__print_observation(unit->result, out);
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *object = unit->plan.objects.data[i];
        if (object->written) unit__print_observation(object->value, out);
    }
    for (uint32_t i = 0; i < unit->globals.len; i++) unit__print_observation(unit->globals.data[i], out);
    for (uint32_t i = 0; i < unit->watched.len; i++) unit__print_observation(unit->watched.data[i], out);
}

static void print_unit(const Unit *unit, StrBuf *out)
{
    unit__declare_objects(&unit->plan, out);
    unit__print_stubs(&unit->plan, out);
    unit__declare_made(&unit->plan, out);
    unit__declare_releases(unit, out);
    unit__declare_result_release(unit, out);
    if (unit->function->is_inline && !unit->function->is_static)
        strbuf_addf(out, "extern __typeof__(%s) %s;\n", unit->function->name, unit->function->name);
    strbuf_addf(out, "void %s(void);\nvoid %s(void)\n{\n", unit->entry, unit->entry);
    unit__make_objects(&unit->plan, out);
    print_params(unit, out);
    unit__print_bounds(&unit->plan, out);
    unit__print_made_params(unit, out);
    print_assumes(unit, out);
    print_call(unit, out);
    print_observations(unit, out);
    unit__print_there(unit, out);
    unit__print_made_end(unit, out);
    unit__print_left(unit, out);
    strbuf_add(out, "}\n");
}

/* An inline function that is not static is compiled only where it is also declared extern, and a call of it that is not inlined finds nothing otherwise.
 * The source itself defines it, so nobody else does. */
void unit__print_inlines(const Units *units, uint32_t source, StrBuf *out)
{
    for (uint32_t i = 0; i < units->decls->function_count; i++) {
        const CFunction *f = &units->decls->functions[i];
        bool own = f->defined && f->source == source && f->file && strcmp(f->file, units->decls->sources[source].path) == 0;
        if (own && f->is_inline && !f->is_static) strbuf_addf(out, "extern __typeof__(%s) %s;\n", f->name, f->name);
    }
}

static uint32_t count_lines(const StrBuf *text, size_t from)
{
    uint32_t lines = 0;
    for (size_t i = from; i < text->len; i++) lines += text->text[i] == '\n';
    return lines;
}

static void print_units(const Units *units, uint32_t source, StrBuf *out)
{
    uint32_t lines = count_lines(out, 0);
    for (uint32_t i = 0; i < units->units.len; i++) {
        Unit *unit = units->units.data[i];
        if (unit->function->source != source) continue;
        unit->first_line = unit->last_line = 0; /* those of an earlier harness say nothing */
        if (unit->plan.problem) continue;
        size_t before = out->len;
        unit->first_line = lines + 1;
        print_unit(unit, out);
        lines += count_lines(out, before);
        unit->last_line = lines;
    }
}

void units_harness(const Units *units, uint32_t source, StrBuf *out)
{
    StrBuf body = {0};
    if (map_find(&units->mute, source)) return;
    unit__define_externs(units, source, &body);
    unit__print_inlines(units, source, &body);
    unit__print_start(units, source, &body);
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        if (units->stubs.data[i]->source == source) unit__print_stub(units->stubs.data[i], &body);
    }
    print_units(units, source, &body);
    if (body.len) {
        decls_forget_macros(units->decls, source, out);
        strbuf_add(out, primitives);
        if (strstr(body.text, "clew__filled(")) strbuf_add(out, filling);
        if (strstr(body.text, "clew__failing_")) strbuf_add(out, failing);
        if (source == units->main_source && units->foreign_text.len) strbuf_add(out, units->foreign_text.text);
        uint32_t before = count_lines(out, 0);
        for (uint32_t i = 0; i < units->units.len; i++) {
            Unit *unit = units->units.data[i];
            if (unit->function->source == source && unit->first_line) unit->first_line += before, unit->last_line += before;
        }
        strbuf_add(out, body.text);
    }
    strbuf_release(&body);
}

/* Leaves the unit out; false if it was left out already. */
static bool leave_out(Unit *unit, const char *what, const char *message)
{
    if (unit->plan.problem) return false;
    unit__problem(&unit->plan, "%s does not compile: %s", what, message);
    return true;
}

void units_blame(Units *units, uint32_t source, uint32_t line, const char *message)
{
    bool found = false;
    for (uint32_t i = 0; i < units->units.len; i++) {
        Unit *unit = units->units.data[i];
        if (unit->function->source != source || !unit->first_line || line < unit->first_line || line > unit->last_line) continue;
        leave_out(unit, "the code that calls it", message);
        found = true;
    }
    if (found) return;
    map_put(&units->mute, source, 1);
    for (uint32_t i = 0; i < units->units.len; i++)
        if (units->units.data[i]->function->source == source)
            leave_out(units->units.data[i], "the code that stands for what its file lacks", message);
}
