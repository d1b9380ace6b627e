/* Functions that nothing defines: each call gives new inputs, as its result and in what its parameters point to. */
#include "unit/unit_int.h"

#include "base/native.h"

#include <stdlib.h>

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Names that are the compiler's business, or (clew__) the machine's. */
static bool is_reserved(const char *name)
{
    static const char *const prefixes[] = {"clew__", "__builtin_", "__sync_", "__atomic_", "__c11_", "llvm.", "_mm"};
    static const char *const names[] = {"main", "alloca", "va_start", "va_end", "va_arg", "va_copy"};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        if (starts_with(name, prefixes[i])) return true;
    }
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}

/* __VERIFIER_nondet_SUFFIX with another result than the library's function has: what the program declares decides. */
static bool is_other_nondet(const CFunction *function)
{
    static const char prefix[] = "__VERIFIER_nondet_";
    static const struct {
        const char *suffix;
        CTypeKind kind;
        uint64_t size;
        bool is_signed;
    } known[] = {
#define NONDET(type, suffix) {#suffix, C_INT, sizeof(type), (type)-1 < (type)1},
#include "decl/nondet.def"
#undef NONDET
        {"bool", C_BOOL, 1, false},     {"_Bool", C_BOOL, 1, false},    {"float", C_FLOAT, 4, true},
        {"double", C_FLOAT, 8, true},   {"int128", C_INT, 16, true},    {"uint128", C_INT, 16, false},
        {"pchar", C_POINTER, 8, false}, {"charp", C_POINTER, 8, false}, {"pointer", C_POINTER, 8, false},
    };
    if (!starts_with(function->name, prefix)) return false;
    const CType *result = function->result;
    CTypeKind kind = result->kind == C_CHAR || result->kind == C_ENUM ? C_INT : result->kind;
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strcmp(function->name + strlen(prefix), known[i].suffix) != 0) continue;
        return kind != known[i].kind || result->size != known[i].size || (kind == C_INT && result->is_signed != known[i].is_signed);
    }
    return false;
}

/* Does the compiler, Clew's library or a native one have it? */
static bool is_provided(const Units *units, const CFunction *function)
{
    if (is_reserved(function->name)) return true;
    if (names_find(&units->decls->library, function->name)) return !is_other_nondet(function);
    return native_find(function->name) != NULL;
}

/* ---- results and out-parameters ---- */

/* A structure with links, or with functions, is handed over to be used, not to be filled. */
static bool has_links(const CType *type)
{
    if (type->kind == C_POINTER) return type->of->kind == C_STRUCT || type->of->kind == C_UNION || type->of->kind == C_FUNCTION;
    if (type->kind == C_ARRAY) return has_links(type->of);
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (has_links(type->fields[i].type)) return true;
    }
    return false;
}

static bool is_out(const CType *type)
{
    if (type->kind != C_POINTER || type->of->is_const || unit__is_system_type(type->of)) return false;
    const CType *to = type->of;
    if (to->kind == C_STRUCT || to->kind == C_UNION) return to->size > 0 && !has_links(to) && !unit__has_const(to);
    return unit__is_number(to) || to->kind == C_POINTER;
}

const char *unit__stub_param(const Stub *stub, uint32_t i)
{
    if (stub->function && stub->function->params[i].name[0]) return stub->function->params[i].name;
    return unit__text(&stub->plan->units->arena, "argument%u", i + 1);
}

static void add_out(Stub *stub, uint32_t i)
{
    Arena *arena = &stub->plan->units->arena;
    const char *param = unit__stub_param(stub, i);
    const CType *type = stub->type->params[i]->of;
    Where where = {.name = unit__text(arena, "%s().*%s", stub->name, param), .path = unit__text(arena, "%s().%s", stub->name, param)};
    where.place = unit__text(arena, "(*clew__a%u)", i);
    where.test = unit__text(arena, "*%s", param);
    where.arrow = true;
    where.depth = stub->plan->units->options.depth; /* it gives no linked structures */
    StubOut out = {.param = i, .value = unit__shape(stub->plan, type, &where)};
    vec_push(&stub->outs, out);
}

/* Bytes and texts are buffers; other numbers, and memory of any kind, where a length comes with them: else a pointer to a number is for
 * one result, and a `void *` is for what the caller alone knows. */
static bool is_buffer(const CType *type, bool sized)
{
    if (type->kind != C_POINTER || type->of->is_const) return false;
    const CType *to = type->of;
    if (to->kind == C_CHAR) return true;
    return sized && (to->kind == C_VOID || to->kind == C_INT || (to->kind == C_FLOAT && to->size <= 8));
}

static void add_buffer(Stub *stub, uint32_t i, uint32_t length)
{
    Plan *plan = stub->plan;
    const CType *of = stub->type->params[i]->of;
    const char *name = unit__text(&plan->units->arena, "%s().%s", stub->name, unit__stub_param(stub, i));
    Where where = {.name = name, .path = name, .place = unit__text(&plan->units->arena, "clew__a%u", i), .test = unit__stub_param(stub, i)};
    Shape *value = unit__elements(plan, of->kind == C_VOID ? &unit__byte : of, UNIT_ELEMENTS, UNIT_ELEMENTS, &where);
    value->text = unit__is_text_char(of);
    StubOut out = {.param = i, .value = value, .buffer = true, .length = length};
    vec_push(&stub->outs, out);
}

/* Bounds on what a call gives hold there; those on objects, for the run. */
static void take_bounds(Stub *stub, uint32_t first)
{
    Plan *plan = stub->plan;
    uint32_t kept = first;
    for (uint32_t i = first; i < plan->bounds.len; i++) {
        Bound bound = plan->bounds.data[i];
        if (bound.number->in) plan->bounds.data[kept++] = bound;
        else vec_push(&stub->bounds, bound);
    }
    plan->bounds.len = kept;
}

Stub *unit__stub(Plan *plan, const CFunction *function, const CType *type, const char *name, const char *place, const char *test)
{
    Arena *arena = &plan->units->arena;
    Stub *stub = arena_alloc(arena, sizeof *stub);
    *stub = (Stub){.plan = plan, .function = function, .type = type, .name = name, .place = place, .test = test};
    vec_push(&plan->callbacks, stub);
    bool outer = plan->in_stub;
    uint32_t bounds = plan->bounds.len;
    plan->in_stub = true;
    if (type->of && type->of->kind != C_VOID) {
        Where where = {
            .name = unit__text(arena, "%s()", name), .path = unit__text(arena, "%s()", name), .place = "clew__result", .test = "result"};
        stub->result = unit__shape(plan, type->of, &where);
    }
    for (uint32_t i = 0; i < type->param_count; i++) {
        uint32_t length = type->params[i]->kind == C_POINTER ? unit__length_param(stub, i) : UINT32_MAX;
        if (is_buffer(type->params[i], length != UINT32_MAX)) add_buffer(stub, i, length);
        else if (is_out(type->params[i])) add_out(stub, i);
    }
    plan->in_stub = outer;
    take_bounds(stub, bounds);
    return stub;
}

void unit__stub_release(Stub *stub)
{
    vec_release(&stub->outs);
    vec_release(&stub->bounds);
    if (!stub->function) return;
    for (uint32_t i = 0; i < stub->plan->callbacks.len; i++) {
        if (stub->plan->callbacks.data[i] != stub) unit__stub_release(stub->plan->callbacks.data[i]);
    }
    unit__plan_release(stub->plan);
    free(stub->plan);
}

/* ---- which ---- */

static void add_stub(Units *units, const CFunction *function, uint32_t source)
{
    Plan *plan = mem_alloc(sizeof *plan);
    *plan = (Plan){.units = units, .owner = function->name};
    names_put(&plan->names, function->name, 1);
    bool foreign = units->main_source != UINT32_MAX && !unit__is_visible(units, function, units->main_source);
    const char *place = foreign ? unit__text(&units->arena, "clew__stub_%s", function->name) : function->name;
    const CType *type = foreign ? unit__foreign(units, function->type) : function->type;
    Stub *stub = unit__stub(plan, function, type, function->name, place, function->name);
    stub->foreign = foreign;
    stub->source = units->main_source != UINT32_MAX ? units->main_source : source;
    stub->noreturn = function->noreturn;
    vec_push(&units->stubs, stub);
}

void unit__plan_stubs(Units *units)
{
    const Decls *decls = units->decls;
    uint32_t *caller = mem_alloc((decls->function_count + 1) * sizeof *caller); /* source of the first that calls it, plus 1 */
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *function = &decls->functions[i];
        for (uint32_t k = 0; function->defined && k < function->call_count; k++) {
            uint32_t *first = &caller[function->calls[k]];
            if (*first == 0) *first = function->source + 1;
        }
    }
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *function = &decls->functions[i];
        if (function->defined || (caller[i] == 0 && !function->is_kept) || is_provided(units, function)) continue;
        add_stub(units, function, caller[i] ? caller[i] - 1 : function->source);
    }
    free(caller);
}
