/* What stands around the bodies of tests: headers they need, stubs, names. */
#include "unit/unit_int.h"

static bool has_heap(const Plan *plan)
{
    if (plan->library.len) return true;
    for (uint32_t i = 0; i < plan->objects.len; i++) {
        if (plan->objects.data[i]->heap) return true;
    }
    return false;
}

/* May what a test says of it need string.h? */
static bool is_compared(const Shape *shape)
{
    if (shape->kind == SHAPE_RUN || shape->kind == SHAPE_POINTER) return true;
    for (uint32_t i = 0; i < shape->parts.len; i++) {
        if (is_compared(shape->parts.data[i])) return true;
    }
    return false;
}

static bool needs_strings(const Unit *unit)
{
    if (unit->plan.made.len) return true;
    if (unit->result && is_compared(unit->result)) return true;
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *object = unit->plan.objects.data[i];
        if ((object->written || object->heap) && is_compared(object->value)) return true;
    }
    for (uint32_t i = 0; i < unit->globals.len; i++) {
        if (is_compared(unit->globals.data[i])) return true;
    }
    for (uint32_t i = 0; i < unit->watched.len; i++) {
        if (is_compared(unit->watched.data[i])) return true;
    }
    return false;
}

static bool has_noreturn(const Units *units)
{
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        if (units->stubs.data[i]->noreturn) return true;
    }
    return false;
}

void unit_test_prelude(const Unit *unit, const char *bodies, StrBuf *out)
{
    const Units *units = unit->plan.units;
    const CFunction *function = unit->function;
    strbuf_add(out, "#include <stddef.h>\n");
    bool frees = bodies ? strstr(bodies, "free(") != NULL : unit__may_free(unit);
    if (has_heap(&unit->plan) || frees || has_noreturn(units)) strbuf_add(out, "#include <stdlib.h>\n");
    if (needs_strings(unit)) strbuf_add(out, "#include <string.h>\n");
    unit__print_inlines(unit->plan.units, function->source, out);
    unit__print_failing(&unit->plan, out);
    if (function->is_inline && !function->is_static) strbuf_addf(out, "extern __typeof__(%s) %s;\n", function->name, function->name);
    unit__define_test_externs(units, function->source, out);
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        const Stub *stub = units->stubs.data[i];
        strbuf_addf(out, "\n/* No source defines %s: it gives what each test says. */\n", stub->name);
        unit__print_test_stub(stub, unit__is_visible(units, stub->function, function->source), out);
    }
    for (uint32_t i = 0; i < unit->plan.callbacks.len; i++) {
        if (bodies && !unit__has_word(bodies, unit->plan.callbacks.data[i]->test)) continue;
        strbuf_add(out, "\n");
        unit__print_test_stub(unit->plan.callbacks.data[i], true, out);
    }
}
