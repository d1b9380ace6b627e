/* Stubs in tests: a call takes the values that the run had from a table that the test fills:
 *
 *     static const int *sensor_results;
 *     static int sensor_results_left;
 *     int sensor(int channel)
 *     {
 *         clew_called("sensor(channel = %d)", (long long)channel);
 *         if (sensor_results_left-- > 0) return *sensor_results++;
 *         clew_out_of_inputs();
 *         return (int){0};
 *     }
 *
 * What a call writes through a parameter has a table of its own, since it is not written where the pointer is NULL.  Of a buffer the table
 * says how many elements each call fills:
 *
 *     static const struct receive_buffer { int count; unsigned char values[8]; } *receive_buffer;
 *
 * A stub that only other sources call must be there for the linker all the same, though its types may not be known in the test's file, or its
 * prototype may be.  It is then written with types of the same layout, under another name in C and its own for the linker. */
#include "unit/unit_int.h"

#include <stdlib.h>

bool unit__is_visible(const Units *units, const CFunction *function, uint32_t source)
{
    const Decls *decls = units->decls;
    if (function->source == source) return true;
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *caller = &decls->functions[i];
        if (!caller->defined || caller->source != source) continue;
        for (uint32_t k = 0; k < caller->call_count; k++) {
            if (&decls->functions[caller->calls[k]] == function) return true;
        }
    }
    return false;
}

/* ---- types of the same layout ---- */

const char *unit__builtin_name(const CType *type)
{
    if (type->kind == C_BOOL) return "_Bool";
    if (type->kind == C_FLOAT) return type->size == 4 ? "float" : type->size == 8 ? "double" : "long double";
    switch (type->size) {
    case 1: return type->is_signed ? "signed char" : "unsigned char";
    case 2: return type->is_signed ? "short" : "unsigned short";
    case 4: return type->is_signed ? "int" : "unsigned";
    case 8: return type->is_signed ? "long" : "unsigned long";
    default: return type->is_signed ? "__int128" : "unsigned __int128";
    }
}

void unit__declare_layout(StrBuf *out, const CType *type, const char *name)
{
    if (unit__is_number(type)) return strbuf_addf(out, "%s %s", unit__builtin_name(type), name);
    if (type->kind == C_POINTER) return strbuf_addf(out, "void *%s", name);
    if (type->kind == C_ARRAY) {
        StrBuf declarator = {0};
        strbuf_addf(&declarator, "%s[%llu]", name, (unsigned long long)type->count);
        unit__declare_layout(out, type->of, declarator.text);
        return strbuf_release(&declarator);
    }
    if (type->kind != C_STRUCT && type->kind != C_UNION) return unit__declare(out, type, name);
    strbuf_addf(out, "%s { ", type->kind == C_STRUCT ? "struct" : "union");
    for (uint32_t i = 0; i < type->field_count; i++) {
        unit__declare_layout(out, type->fields[i].type, type->fields[i].name);
        if (type->fields[i].bits) strbuf_addf(out, " : %u", type->fields[i].bits);
        strbuf_add(out, "; ");
    }
    strbuf_addf(out, "} %s", name);
}

/* The type by which the test knows a value: its own, or one of the same layout. */
const CType *unit__test_type(const Stub *stub, const CType *type, const char *what, bool visible)
{
    if (visible || type->kind == C_VOID) return type;
    CType *other = arena_alloc(&stub->plan->units->arena, sizeof *other);
    *other = *type;
    if (unit__is_number(type)) other->plain = unit__builtin_name(type);
    else if (type->kind == C_POINTER) other->plain = "void *";
    else other->plain = unit__text(&stub->plan->units->arena, "%s_%s_t", stub->test, what);
    return other;
}

static void define_type(const Stub *stub, const CType *type, const char *what, bool visible, StrBuf *out)
{
    if (visible || (type->kind != C_STRUCT && type->kind != C_UNION)) return;
    strbuf_add(out, "typedef ");
    unit__declare_layout(out, type, unit__test_type(stub, type, what, false)->plain);
    strbuf_add(out, ";\n");
}

/* ---- text ---- */

static const StubOut *out_of(const Stub *stub, uint32_t param)
{
    for (uint32_t i = 0; i < stub->outs.len; i++) {
        if (stub->outs.data[i].param == param) return &stub->outs.data[i];
    }
    return NULL;
}

static void declare_table(const CType *type, const char *name, const char *what, StrBuf *out)
{
    StrBuf declarator = {0};
    bool pointer = type->kind == C_POINTER;
    strbuf_addf(&declarator, "%s%s_%s", pointer ? "const *" : "*", name, what);
    strbuf_add(out, pointer ? "static " : "static const ");
    unit__declare(out, type, declarator.text);
    strbuf_addf(out, ";\nstatic int %s_%s_left;\n", name, what);
    strbuf_release(&declarator);
}

static void declare_buffers(const Stub *stub, const StubOut *buffer, bool visible, StrBuf *out)
{
    const char *param = unit__stub_param(stub, buffer->param);
    StrBuf values = {0};
    strbuf_addf(&values, "values[%d]", UNIT_ELEMENTS);
    strbuf_addf(out, "static const struct %s_%s { int count; ", stub->test, param);
    unit__declare(out, unit__test_type(stub, buffer->value->type, param, visible), values.text);
    strbuf_addf(out, "; } *%s_%s;\nstatic int %s_%s_left;\n", stub->test, param, stub->test, param);
    strbuf_release(&values);
}

static void print_buffer(const Stub *stub, const StubOut *buffer, StrBuf *out)
{
    const char *param = unit__stub_param(stub, buffer->param);
    char *table = mem_format("%s_%s", stub->test, param);
    strbuf_addf(out, "    if (%s_left-- > 0) {\n", table);
    if (buffer->length != UINT32_MAX)
        strbuf_addf(out, "        if (%s->count > %d) __builtin_memset((void *)%s, 0, %s->count * sizeof %s->values[0]);\n", table,
                    UNIT_ELEMENTS, param, table, table);
    strbuf_addf(out, "        if (%s->count) __builtin_memcpy((void *)%s, %s->values, ", table, param, table);
    if (buffer->length == UINT32_MAX) strbuf_addf(out, "%s->count * sizeof %s->values[0]);\n", table, table);
    else
        strbuf_addf(out, "(%s->count > %d ? %d : %s->count) * sizeof %s->values[0]);\n", table, UNIT_ELEMENTS, UNIT_ELEMENTS, table, table);
    strbuf_addf(out, "        %s++;\n    } else {\n        clew_out_of_inputs();\n    }\n", table);
    free(table);
}

static void declare_tables(const Stub *stub, bool visible, StrBuf *out)
{
    if (stub->result) {
        define_type(stub, stub->result->type, "results", visible, out);
        declare_table(unit__test_type(stub, stub->result->type, "results", visible), stub->test, "results", out);
    }
    for (uint32_t i = 0; i < stub->type->param_count; i++) {
        const StubOut *value = out_of(stub, i);
        const char *param = unit__stub_param(stub, i);
        if (value && value->buffer) {
            declare_buffers(stub, value, visible, out);
            continue;
        }
        define_type(stub, value ? value->value->type : stub->type->params[i], param, visible, out);
        if (value) declare_table(unit__test_type(stub, value->value->type, param, visible), stub->test, param, out);
    }
}

static void print_head(const Stub *stub, bool visible, StrBuf *out)
{
    const CType *type = stub->type;
    StrBuf head = {0};
    strbuf_addf(&head, "%s%s(", stub->test, visible ? "" : "_stub");
    for (uint32_t i = 0; i < type->param_count; i++) {
        const char *param = unit__stub_param(stub, i);
        bool behind = !visible && out_of(stub, i);
        if (i) strbuf_add(&head, ", ");
        if (behind) strbuf_addf(&head, "%s *%s", unit__test_type(stub, type->params[i]->of, param, false)->plain, param);
        else unit__declare(&head, unit__test_type(stub, type->params[i], param, visible), param);
    }
    if (type->variadic && type->param_count) strbuf_add(&head, ", ...");
    if (type->param_count == 0 && !type->variadic) strbuf_add(&head, "void");
    strbuf_add(&head, ")");
    const CType *result = unit__test_type(stub, type->of, "results", visible);
    if (!visible) {
        unit__declare(out, result, head.text);
        strbuf_addf(out, " __asm__(\"%s\");\n", stub->name);
    }
    if (!stub->function) strbuf_add(out, "static ");
    unit__declare(out, result, head.text);
    strbuf_release(&head);
}

void unit__print_test_stub(const Stub *stub, bool visible, StrBuf *out)
{
    const char *name = stub->test;
    declare_tables(stub, visible, out);
    print_head(stub, visible, out);
    strbuf_add(out, "\n{\n");
    unit__print_received(stub, out);
    for (uint32_t i = 0; i < stub->type->param_count; i++) {
        const char *param = unit__stub_param(stub, i);
        const StubOut *value = out_of(stub, i);
        if (value && value->buffer) print_buffer(stub, value, out);
        else if (!value && !unit__call_letter(stub->type->params[i])) strbuf_addf(out, "    (void)%s;\n", param);
        else if (value) {
            strbuf_addf(out, "    if (%s != NULL && %s_%s_left-- > 0) *%s = *%s_%s++;\n", param, name, param, param, name, param);
            strbuf_addf(out, "    else if (%s != NULL) clew_out_of_inputs();\n", param);
        }
    }
    if (stub->noreturn) {
        strbuf_add(out, "    exit(0);\n");
    } else if (stub->result) {
        const CType *type = unit__test_type(stub, stub->result->type, "results", visible);
        strbuf_addf(out, "    if (%s_results_left-- > 0) return *%s_results++;\n    clew_out_of_inputs();\n    return (%s){0};\n", name,
                    name, type->plain);
    }
    strbuf_add(out, "}\n");
}
