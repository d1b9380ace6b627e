/* Stubs in the harness: each call makes new inputs, as its result and in what its parameters point to. */
#include "unit/unit_int.h"

#include <stdlib.h>

static void print_stub_head(const Stub *stub, const char *end, StrBuf *out)
{
    const CType *type = stub->type;
    strbuf_addf(out, "%s__typeof__(%s) %s(", stub->function ? "" : "static ", type->of->plain, stub->place);
    for (uint32_t i = 0; i < type->param_count; i++)
        strbuf_addf(out, "%s__typeof__(%s) clew__a%u", i ? ", " : "", type->params[i]->plain, i);
    if (type->variadic && type->param_count) strbuf_add(out, ", ...");
    strbuf_addf(out, ")%s\n", end);
}

static void print_linked_name(const Stub *stub, StrBuf *out)
{
    char *end = mem_format(" __asm__(\"%s\");", stub->function->name);
    print_stub_head(stub, end, out);
    free(end);
}

void unit__print_stubs(const Plan *plan, StrBuf *out)
{
    for (uint32_t i = 0; i < plan->callbacks.len; i++) print_stub_head(plan->callbacks.data[i], ";", out);
    for (uint32_t i = 0; i < plan->callbacks.len; i++) unit__print_stub(plan->callbacks.data[i], out);
}

/* What is assumed of a value and its parts. */
static void print_bounds_at(const Stub *stub, const char *place, StrBuf *out)
{
    for (uint32_t i = 0; i < stub->bounds.len; i++) {
        const Bound *bound = &stub->bounds.data[i];
        if (strncmp(bound->number->place, place, strlen(place)) == 0) unit__print_bound(bound, out);
    }
}

/* No more than the parameter says, and nothing if that is negative. */
static void print_buffer(const StubOut *buffer, StrBuf *out)
{
    const Shape *value = buffer->value;
    bool sized = buffer->length != UINT32_MAX;
    strbuf_addf(out, "    clew__filled((void *)%s, %llu, ", value->place, (unsigned long long)value->type->size);
    if (sized) strbuf_addf(out, "(clew__a%u > 0) * (__SIZE_TYPE__)clew__a%u", buffer->length, buffer->length);
    else strbuf_addf(out, "%llu", (unsigned long long)value->count);
    strbuf_addf(out, ", '%c', \"%s\", \"%s.count\", %d);\n", unit__letter(value->type), value->name, value->name, value->text + 2 * sized);
}

/* What it is called with; tests of whole programs do not look at that. */
static void print_received(const Stub *stub, StrBuf *out)
{
    if (stub->plan->units->main_source != UINT32_MAX) return;
    strbuf_addf(out, "    if (clew__called(\"%s\")) {\n", stub->test);
    for (uint32_t i = 0; i < stub->type->param_count; i++) {
        if (!unit__call_letter(stub->type->params[i])) continue;
        strbuf_addf(out, "    clew__observe((const void *)&clew__a%u, sizeof clew__a%u, 1, '%c', \"%s\");\n", i, i,
                    unit__letter(stub->type->params[i]), unit__stub_param(stub, i));
    }
    strbuf_add(out, "    }\n");
}

static void print_out(const Stub *stub, const StubOut *value, StrBuf *out)
{
    if (value->buffer) return print_buffer(value, out);
    strbuf_addf(out, "    if (clew__a%u) {\n", value->param);
    strbuf_addf(out, "    __builtin_memset((void *)clew__a%u, 0, sizeof *clew__a%u);\n", value->param, value->param);
    unit__print_input(value->value, out);
    print_bounds_at(stub, value->value->place, out);
    strbuf_add(out, "    }\n");
}

void unit__print_stub(const Stub *stub, StrBuf *out)
{
    const Plan *plan = stub->plan;
    bool own_objects = stub->function && (plan->objects.len || plan->callbacks.len > 1);
    if (own_objects) {
        unit__declare_objects(plan, out);
        for (uint32_t i = 0; i < plan->callbacks.len; i++) print_stub_head(plan->callbacks.data[i], ";", out);
        for (uint32_t i = 0; i < plan->callbacks.len; i++) {
            if (plan->callbacks.data[i] != stub) unit__print_stub(plan->callbacks.data[i], out);
        }
    }
    if (stub->foreign) print_linked_name(stub, out);
    print_stub_head(stub, "\n{", out);
    print_received(stub, out);
    if (own_objects) {
        strbuf_add(out, "    static int clew__made;\n    if (!clew__made) {\n    clew__made = 1;\n");
        unit__make_objects(plan, out);
        unit__print_bounds(plan, out);
        strbuf_add(out, "    }\n");
    }
    for (uint32_t i = 0; i < stub->outs.len; i++) print_out(stub, &stub->outs.data[i], out);
    if (stub->result) {
        strbuf_addf(out, "    static __typeof__(%s) clew__result;\n", stub->result->type->plain);
        unit__print_input(stub->result, out);
        print_bounds_at(stub, stub->result->place, out);
    }
    if (stub->noreturn) strbuf_add(out, "    clew__exit(0);\n");
    if (stub->result) strbuf_add(out, "    return clew__result;\n");
    strbuf_add(out, "}\n");
}
