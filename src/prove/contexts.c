/* Code in the context of a known stack.
 *
 * A parameter never changes while its function runs, and the registers of the caller do not either while the call lasts.  So where the call is known, a
 * parameter is the caller's argument.  Segments are executed once for each stack that R-states have, with these arguments in place of the parameters: then the
 * code of the callee speaks of the caller's variables from the start, and pointers that were passed lead to objects that are known. */
#include "prove/backward_int.h"

#include <stdlib.h>

/* The expression over the frames of the callee, as seen from the function that it calls. */
static Expr one_frame_deeper(Backward *b, Expr e)
{
    Vars *vars = &b->vars;
    uint64_t offset;
    Expr base = vars_base(vars, e, &offset);
    if (!base || expr_kind(vars->pool, base) != EXPR_VAR) return base ? 0 : e;
    VarInfo info = *vars_info(vars, base);
    if (info.kind == VAR_ADDRESS) return e;
    if (info.kind != VAR_REGISTER) return 0;
    info.depth++;
    unsigned width = expr_width(vars->pool, e);
    return expr_add(vars->pool, vars_get(vars, info, expr_width(vars->pool, base)), expr_const(vars->pool, width, offset));
}

static uint32_t parameter_of(const Function *f, uint32_t reg)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].reg == reg) return i;
    return UINT32_MAX;
}

Expr backward__argument(Backward *b, uint32_t function, uint32_t parameter, uint32_t stack)
{
    const Function *f = &b->program->functions[function];
    if (!stack) return 0;
    CallPlace place = vec_at(&b->stacks, stack).site;
    const Function *caller = &b->program->functions[place.function];
    const CallSite *site = &caller->calls[caller->code[place.call].imm];
    if (parameter >= site->argument_count || site->argument_count != f->param_count) return 0;
    const Param *p = &f->params[parameter];
    const Argument *a = &site->arguments[parameter];
    unsigned width = a->type.width;
    if (p->byval_size || a->byval_size || p->type.width != width || p->type.kind != a->type.kind || width > 64 ||
        a->type.kind == SCALAR_FLOAT)
        return 0;
    if (!operand_is_reg(a->value)) {
        Segment none = {.function = place.function};
        Expr e = segment_operand(&b->vars, &none, a->value, width);
        return e && !(vars_flags(&b->vars, e) & (HAS_INPUT | HAS_UNNAMED)) ? e : 0;
    }
    uint32_t outer = parameter_of(caller, a->value), below = vec_at(&b->stacks, stack).below;
    Expr passed = outer == UINT32_MAX ? 0 : backward__argument(b, place.function, outer, below);
    if (!passed) {
        if (vars_width(&b->vars, place.function, a->value) != width) return 0;
        passed = vars_get(&b->vars, (VarInfo){VAR_REGISTER, 0, place.function, a->value, 0}, width);
    }
    if (vars_flags(&b->vars, passed) & HAS_UNNAMED) return 0;
    return one_frame_deeper(b, passed);
}

static Context *find_context(Backward *b, uint32_t function, uint32_t location, uint32_t stack)
{
    uint64_t key = hash_mix(backward__location_key(function, location)) ^ (uint64_t)stack * 0x9e3779b97f4a7c15u;
    for (const uint64_t *known; (known = map_find(&b->context_numbers, key)) != NULL; key++) {
        Context *c = vec_at(&b->contexts, *known);
        if (c->function == function && c->location == location && c->stack == stack) return c;
    }
    map_put(&b->context_numbers, key, b->contexts.len);
    Context *c = mem_alloc(sizeof *c);
    *c = (Context){.function = function, .location = location, .stack = stack};
    vec_push(&b->contexts, c);
    return c;
}

Segment *backward__segment(Backward *b, uint32_t function, uint32_t location, uint32_t stack)
{
    const Function *f = &b->program->functions[function];
    Segment *plain = &backward__places(b, function)->segments[location];
    if (!stack || !f->param_count) return plain;
    Context *c = find_context(b, function, location, stack);
    if (c->made) return &c->segment;
    c->made = true;
    c->segment = (Segment){.function = function, .block = plain->block, .first = plain->first, .end = plain->end};
    for (uint32_t i = 0; i < f->param_count; i++) {
        Expr e = backward__argument(b, function, i, stack);
        if (e) map_put(&c->segment.registers, f->params[i].reg, e);
    }
    segment_execute(&b->vars, &c->segment);
    return &c->segment;
}

/* The only call that may call the function; false: there are none, or several, or code outside of the program calls it. */
static bool only_call(const Backward *b, uint32_t function, CallPlace *place)
{
    uint32_t count = 0;
    if (b->memory.open[function] || (b->options.whole && b->options.entries[0] == function)) return false;
    for (uint32_t g = 0; g < b->program->function_count && count < 2; g++) {
        const Function *f = &b->program->functions[g];
        for (uint32_t i = 0; f->defined && i < f->code_count; i++) {
            if (f->code[i].op != OP_CALL || !backward__may_call(b, &f->calls[f->code[i].imm], function)) continue;
            *place = (CallPlace){g, i};
            count++;
        }
    }
    return count == 1;
}

static uint32_t only_stack_to(Backward *b, uint32_t function, uint32_t depth)
{
    CallPlace place;
    if (depth == MOST_DEPTH || !only_call(b, function, &place))
        return 0; /* one that only calls itself is never called: its depth ends it */
    return backward__stack(b, place, only_stack_to(b, place.function, depth + 1));
}

/* The innermost calls that every stack of the function has. */
uint32_t backward__only_stack(Backward *b, uint32_t function)
{
    const uint64_t *known = map_find(&b->only_stacks, function);
    if (known) return (uint32_t)*known;
    uint32_t stack = only_stack_to(b, function, 0);
    map_put(&b->only_stacks, function, stack);
    return stack;
}

void backward__free_contexts(Backward *b)
{
    map_release(&b->only_stacks);
    for (uint32_t i = 0; i < b->contexts.len; i++) {
        segment_release(&b->contexts.data[i]->segment);
        free(b->contexts.data[i]);
    }
    vec_release(&b->contexts);
    map_release(&b->context_numbers);
}
