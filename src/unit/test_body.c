/* The body of a test: objects as initialisers, the call, assertions, as a person would write them.
 *
 *     struct node list_next = {.value = 3};
 *     struct node list_object = {.value = 1, .next = &list_next};
 *     int result = sum(&list_object, 2);
 *     assert(result == 4);
 *
 * Only objects that something points to are declared.  Arrays have exactly the elements that their length says, so that a sanitizer sees an
 * overrun where the machine saw it. */
#include "unit/unit_int.h"

#include <stdlib.h>

enum { COLUMNS = 110 };

void unit__add_statement(StrBuf *out, const char *text)
{
    size_t column = 4;
    char quote = 0;
    strbuf_add(out, "    ");
    for (const char *c = text; *c; c++) {
        strbuf_add_bytes(out, c, 1);
        column++;
        if (quote && *c == '\\' && c[1]) strbuf_add_bytes(out, ++c, 1), column++;
        else if (quote) quote = *c == quote ? 0 : quote;
        else if (*c == '"' || *c == '\'') quote = *c;
        if (!quote && *c == ',' && c[1] == ' ' && column > COLUMNS - 20) {
            size_t next = strcspn(c + 2, ",");
            if (column + next + 3 <= COLUMNS) continue;
            strbuf_add(out, "\n       ");
            column = 7;
        }
    }
    strbuf_add(out, "\n");
}

static void add_and_release(StrBuf *out, StrBuf *statement)
{
    unit__add_statement(out, statement->text);
    strbuf_release(statement);
}

/* ---- objects ---- */

static void declare_local(Run *run, const Object *object, StrBuf *out)
{
    StrBuf line = {0}, name = {0};
    strbuf_add(&name, object->name);
    if (object->array) {
        uint64_t count = unit__run_elements(run, object);
        strbuf_addf(&name, "[%llu]", (unsigned long long)(count ? count : 1));
    }
    if (object->raw) strbuf_add(&line, "_Alignas(16) ");
    unit__declare(&line, object->type, name.text);
    strbuf_add(&line, " = ");
    if (object->array && unit__run_elements(run, object) == 0) strbuf_add(&line, "{0}");
    else unit__run_value(run, object->value, 0, &line);
    strbuf_add(&line, ";");
    strbuf_release(&name);
    add_and_release(out, &line);
}

static void assign(Run *run, const Shape *shape, StrBuf *out)
{
    StrBuf line = {0}, value = {0};
    if (unit__run_initialiser(run, shape, 0, &value)) {
        bool compound = value.text[0] == '{';
        strbuf_addf(&line, "%s = ", shape->test);
        if (compound) strbuf_addf(&line, "(%s)", shape->type->plain);
        strbuf_addf(&line, "%s;", value.text);
        unit__add_statement(out, line.text);
    }
    strbuf_release(&line);
    strbuf_release(&value);
}

static void fill_heap_array(Run *run, const Object *object, StrBuf *out)
{
    const Shape *value = object->value;
    uint64_t count = unit__run_elements(run, object);
    StrBuf text = {0};
    bool any = unit__run_initialiser(run, value, 0, &text);
    if (any && text.text[0] == '"') {
        StrBuf line = {0};
        strbuf_addf(&line, "strcpy(%s, %s);", object->name, text.text);
        add_and_release(out, &line);
    } else if (any && value->kind == SHAPE_RUN) {
        for (uint64_t i = 0; i < unit__run_inputs(run, value) && i < count; i++) {
            U128 bits = unit__run_bits(run, value, i, 0);
            if (!bits) continue;
            strbuf_addf(out, "    %s[%llu] = ", object->name, (unsigned long long)i);
            unit__literal(out, value->type, bits);
            strbuf_add(out, ";\n");
        }
    }
    for (uint32_t i = 0; any && i < value->parts.len && i < count; i++) assign(run, value->parts.data[i], out);
    strbuf_release(&text);
}

static void declare_heap(Run *run, const Object *object, StrBuf *out)
{
    StrBuf line = {0}, name = {0};
    strbuf_addf(&name, "*%s", object->name);
    unit__declare(&line, object->type, name.text);
    strbuf_release(&name);
    if (object->stream) {
        strbuf_add(&line, " = tmpfile();");
        return add_and_release(out, &line);
    }
    if (object->array)
        strbuf_addf(&line, " = calloc(%llu, sizeof *%s);", (unsigned long long)unit__run_elements(run, object), object->name);
    else strbuf_addf(&line, " = malloc(sizeof *%s);", object->name);
    add_and_release(out, &line);
    if (object->array) return fill_heap_array(run, object, out);
    strbuf_addf(&line, "*%s = ", object->name);
    size_t before = line.len;
    unit__run_value(run, object->value, 0, &line);
    if (line.text[before] == '{') {
        char *list = mem_strdup(line.text + before);
        strbuf_clear(&line);
        strbuf_addf(&line, "*%s = (%s)%s", object->name, object->type->plain, list);
        free(list);
    }
    strbuf_add(&line, ";");
    add_and_release(out, &line);
}

static void print_objects(Run *run, StrBuf *out)
{
    for (uint32_t i = 0; i < run->objects.len; i++) {
        if (run->objects.data[i]->heap) declare_heap(run, run->objects.data[i], out);
        else declare_local(run, run->objects.data[i], out);
    }
    for (uint32_t i = 0; i < run->later.len; i++) {
        const Shape *pointer = run->later.data[i];
        StrBuf line = {0};
        strbuf_addf(&line, "%s = ", pointer->test);
        unit__run_address(run, (uint64_t)unit__run_bits(run, pointer, 0, 0), pointer->type, &line);
        strbuf_add(&line, ";");
        add_and_release(out, &line);
    }
    vec_clear(&run->later);
}

/* ---- globals ---- */

/* Does every part of it get a value? */
static bool is_complete(const Run *run, const Shape *shape)
{
    if (shape->kind == SHAPE_NUMBER) return true;
    if (shape->kind == SHAPE_POINTER) {
        return unit__run_times(run, shape) > 0 && (unit__run_bits(run, shape, 0, 0) == 0 || unit__run_target(run, shape, 0));
    }
    if (shape->kind == SHAPE_RUN) return shape->inputs + shape->text >= shape->count;
    if (shape->kind != SHAPE_FIELDS || shape->type->unnamed) return false;
    for (uint32_t i = 0; i < shape->parts.len; i++) {
        if (!is_complete(run, shape->parts.data[i])) return false;
    }
    return true;
}

static void assign_run(Run *run, const Shape *shape, StrBuf *out)
{
    StrBuf line = {0}, list = {0};
    unsigned long long inputs = shape->inputs;
    if (inputs > 4) {
        strbuf_addf(&line, "__builtin_memcpy(%s, (%s[%llu])", shape->test, shape->type->plain, inputs);
        if (!unit__run_initialiser(run, shape, 0, &list)) strbuf_add(&list, "{0}");
        strbuf_addf(&line, list.text[0] == '"' ? "{%s}" : "%s", list.text);
        strbuf_addf(&line, ", %llu * sizeof(%s));", inputs, shape->type->plain);
        unit__add_statement(out, line.text);
    }
    for (uint64_t i = 0; inputs <= 4 && i < inputs; i++) {
        strbuf_addf(out, "    %s[%llu] = ", shape->test, (unsigned long long)i);
        unit__literal(out, shape->type, unit__run_bits(run, shape, i, 0));
        strbuf_add(out, ";\n");
    }
    strbuf_release(&line);
    strbuf_release(&list);
}

static void assign_parts(Run *run, const Shape *shape, StrBuf *out)
{
    if (shape->kind == SHAPE_RUN) return assign_run(run, shape, out);
    if (shape->kind == SHAPE_FIELDS || shape->kind == SHAPE_ARRAY) {
        StrBuf line = {0};
        bool whole = shape->kind == SHAPE_FIELDS && is_complete(run, shape);
        for (uint32_t i = 0; !whole && i < shape->parts.len; i++) assign_parts(run, shape->parts.data[i], out);
        if (!whole) return;
        strbuf_addf(&line, "%s = (%s)", shape->test, shape->type->plain);
        unit__run_value(run, shape, 0, &line);
        strbuf_add(&line, ";");
        return add_and_release(out, &line);
    }
    StrBuf line = {0};
    strbuf_addf(&line, "%s = ", shape->test);
    if (shape->kind == SHAPE_NUMBER) {
        unit__run_value(run, shape, 0, &line);
    } else if (shape->kind != SHAPE_POINTER || unit__run_times(run, shape) == 0 ||
               !unit__run_address(run, (uint64_t)unit__run_bits(run, shape, 0, 0), shape->type, &line)) {
        return strbuf_release(&line); /* it keeps its value */
    }
    strbuf_add(&line, ";");
    add_and_release(out, &line);
}

/* ---- stubs ---- */

static void fill_table(Run *run, const Stub *stub, const char *what, const Shape *shape, StrBuf *out)
{
    uint32_t times = unit__run_times(run, shape);
    if (times == 0) return;
    StrBuf line = {0};
    bool pointer = shape->type->kind == C_POINTER;
    strbuf_addf(&line, "%s_%s = (%s", stub->test, what, pointer ? "" : "const ");
    unit__declare(&line, unit__test_type(stub, shape->type, what, !run->no_enumerators), pointer ? "const[]" : "[]");
    strbuf_add(&line, "){");
    for (uint32_t i = 0; i < times; i++) {
        if (i) strbuf_add(&line, ", ");
        unit__run_value(run, shape, i, &line);
    }
    strbuf_add(&line, "};");
    add_and_release(out, &line);
    strbuf_addf(out, "    %s_%s_left = %u;\n", stub->test, what, times);
}

/* Elements that were not filled, and zeros at the end, need not be said. */
static void add_filled(Run *run, const StubOut *out, uint32_t nth, StrBuf *line)
{
    const Shape *buffer = out->value;
    uint64_t count = unit__run_filled(run, buffer, nth), given = count < buffer->count ? count : buffer->count;
    bool ends = buffer->text && given == count && given > (out->length == UINT32_MAX); /* with 0; else it is a character */
    if (ends) given--;
    while (given > 0 && unit__run_bits(run, buffer, given - 1, nth) == 0) given--;
    strbuf_addf(line, "{%llu, {", (unsigned long long)count);
    for (uint64_t i = 0; i < given; i++) {
        if (i) strbuf_add(line, ", ");
        unit__literal(line, buffer->type, unit__run_bits(run, buffer, i, nth));
    }
    strbuf_add(line, given ? "}}" : "0}}");
}

static void fill_buffers(Run *run, const Stub *stub, const char *what, const StubOut *buffer, StrBuf *out)
{
    uint32_t times = unit__run_times(run, buffer->value);
    if (times == 0) return;
    StrBuf line = {0};
    strbuf_addf(&line, "%s_%s = (const struct %s_%s[]){", stub->test, what, stub->test, what);
    for (uint32_t i = 0; i < times; i++) {
        if (i) strbuf_add(&line, ", ");
        add_filled(run, buffer, i, &line);
    }
    strbuf_add(&line, "};");
    add_and_release(out, &line);
    strbuf_addf(out, "    %s_%s_left = %u;\n", stub->test, what, times);
}

static void fill_stub(Run *run, const Stub *stub, StrBuf *out)
{
    if (stub->result) fill_table(run, stub, "results", stub->result, out);
    for (uint32_t i = 0; i < stub->outs.len; i++) {
        const StubOut *value = &stub->outs.data[i];
        const char *what = unit__stub_param(stub, value->param);
        if (value->buffer) fill_buffers(run, stub, what, value, out);
        else fill_table(run, stub, what, value->value, out);
    }
}

static void fill_stubs(Run *run, StrBuf *out)
{
    const Unit *unit = run->unit;
    const Units *units = unit->plan.units;
    for (uint32_t i = 0; i < unit->plan.callbacks.len; i++) fill_stub(run, unit->plan.callbacks.data[i], out);
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        const Stub *stub = units->stubs.data[i];
        run->no_enumerators = !unit__is_visible(units, stub->function, unit->function->source);
        fill_stub(run, stub, out);
    }
    run->no_enumerators = false;
}

/* ---- the call ---- */

static bool is_aggregate(const Shape *shape)
{
    return shape->kind == SHAPE_FIELDS;
}

static void declare_aggregates(Run *run, StrBuf *out)
{
    const Unit *unit = run->unit;
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Shape *shape = unit->params[i];
        if (!is_aggregate(shape)) continue;
        StrBuf line = {0};
        unit__declare(&line, shape->type, shape->test);
        strbuf_add(&line, " = ");
        unit__run_value(run, shape, 0, &line);
        strbuf_add(&line, ";");
        add_and_release(out, &line);
    }
}

static void print_call(Run *run, StrBuf *out)
{
    const Unit *unit = run->unit;
    StrBuf line = {0};
    if (unit__result_is_checked(run)) {
        unit__declare(&line, unit->result->type, "result");
        strbuf_add(&line, " = ");
    }
    strbuf_addf(&line, "%s(", unit->function->name);
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        if (i) strbuf_add(&line, ", ");
        if (is_aggregate(unit->params[i])) strbuf_add(&line, unit->params[i]->test);
        else unit__run_value(run, unit->params[i], 0, &line);
    }
    strbuf_add(&line, ");");
    add_and_release(out, &line);
}

void unit_test_body(const Unit *unit, const Record *record, const char *check, StrBuf *out)
{
    REQUIRE(!unit->plan.problem, "a unit that cannot be built has no tests");
    Run run;
    unit__run_init(&run, unit, record);
    print_objects(&run, out);
    declare_aggregates(&run, out);
    for (uint32_t i = 0; i < unit->globals.len; i++) assign_parts(&run, unit->globals.data[i], out);
    fill_stubs(&run, out);
    unit__print_calls(&run, out);
    unit_test_failures(record, out);
    unit__print_made(&run, out);
    print_call(&run, out);
    unit__print_checks(&run, check, out);
    unit__print_made_release(&run, out);
    unit__print_frees(&run, out);
    unit__run_release(&run);
}
