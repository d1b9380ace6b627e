/* One step backward: from an R-state to the conditions at the locations before it, along the control flow, into calls and out of them. */
#include "prove/backward_int.h"

#include <stdlib.h>

/* ---- locations ---- */

static void order_blocks(const Function *f, uint32_t *order)
{
    uint32_t *stack = mem_alloc((f->block_count + 1) * sizeof *stack), *next = mem_alloc((f->block_count + 1) * sizeof *next), depth = 0;
    uint8_t *seen = mem_alloc(f->block_count + 1);
    uint32_t number = f->block_count;
    stack[depth++] = 0;
    seen[0] = 1;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (next[b] < f->blocks[b].successor_count) {
            uint32_t s = f->blocks[b].successors[next[b]++];
            if (!seen[s]) seen[s] = 1, stack[depth++] = s;
        } else {
            order[b] = --number;
            depth--;
        }
    }
    free(stack);
    free(next);
    free(seen);
}

Places *backward__places(Backward *b, uint32_t function)
{
    const Function *f = &b->program->functions[function];
    Places *p = &b->places[function];
    if (p->first) return p;
    p->first = mem_alloc((f->block_count + 1) * sizeof *p->first);
    p->order = mem_alloc((f->block_count + 1) * sizeof *p->order);
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->block_count; i++) {
        p->first[i] = count++;
        for (uint32_t k = 0; k < f->blocks[i].count; k++) count += segment__is_cut(b->program, f, &f->code[f->blocks[i].first + k]);
    }
    p->first[f->block_count] = count;
    p->segments = mem_alloc((count + 1) * sizeof *p->segments);
    order_blocks(f, p->order);
    for (uint32_t i = 0; i < f->block_count; i++) {
        Segment *s = &p->segments[p->first[i]];
        uint32_t end = f->blocks[i].first + f->blocks[i].count - 1;
        *s = (Segment){.function = function, .block = i, .first = f->blocks[i].first};
        for (uint32_t at = s->first; at < end; at++) {
            if (!segment__is_cut(b->program, f, &f->code[at])) continue;
            s->end = at;
            s++;
            *s = (Segment){.function = function, .block = i, .first = at + 1};
        }
        s->end = end;
    }
    for (uint32_t i = 0; i < count; i++) segment_execute(&b->vars, &p->segments[i]);
    return p;
}

uint32_t backward__exit(Backward *b, uint32_t function)
{
    return backward__places(b, function)->first[b->program->functions[function].block_count];
}

/* ---- steps ---- */

typedef enum StepKind {
    STEP_FLOW,
    STEP_ENTER /* from the entry of a function to a call of it */,
    STEP_LEAVE /* from after a call to the exit */
} StepKind;
typedef struct BackStep {
    Backward *b;
    StepKind kind;
    Segment *segment;     /* FLOW, ENTER: the code before; NULL: none */
    Expr result;          /* FLOW from an exit: what is returned; 0: anything */
    const CallSite *site; /* ENTER */
    uint32_t callee;      /* ENTER, LEAVE */
    uint32_t call_dst;    /* LEAVE */
    uint32_t depth;       /* ENTER, LEAVE: calls that are known of the stack afterwards */
    Map inputs;           /* ENTER: what is not known of the callee's frame */
} BackStep;

static Expr step_input(BackStep *s, Expr var)
{
    const uint64_t *known = map_find(&s->inputs, var);
    if (known) return (Expr)*known;
    Expr input = vars_input(&s->b->vars, expr_width(s->b->vars.pool, var));
    map_put(&s->inputs, var, input);
    return input;
}

static Expr argument_for(BackStep *s, Expr var, uint32_t reg)
{
    const Function *f = &s->b->program->functions[s->callee];
    for (uint32_t i = 0; i < f->param_count && i < s->site->argument_count; i++) {
        const Param *p = &f->params[i];
        const Argument *a = &s->site->arguments[i];
        if (p->reg != reg) continue;
        if (p->byval_size || a->byval_size || p->type.width != a->type.width || p->type.kind != a->type.kind || a->type.width > 64 ||
            a->type.kind == SCALAR_FLOAT)
            break;
        Expr e = segment_operand(&s->b->vars, s->segment, a->value, a->type.width);
        if (e && expr_width(s->b->vars.pool, e) == expr_width(s->b->vars.pool, var)) return e;
        break;
    }
    return step_input(s, var);
}

static Expr variable_before(void *data, Expr var);

/* The address of a byte in memory, as it is before the step. */
static Expr address_before(BackStep *s, const VarInfo *info)
{
    ExprTranslation t;
    if (info->kind != VAR_MEMORY) return 0;
    expr_translation_init(&t, s->b->vars.pool, s->b->vars.pool);
    t.variable = variable_before;
    t.data = s;
    Expr address = expr_translate(&t, info->index);
    expr_translation_release(&t);
    return address;
}

static Expr before_call(BackStep *s, Expr var)
{
    Vars *vars = &s->b->vars;
    VarInfo info = *vars_info(vars, var);
    bool in_frame = info.kind == VAR_REGISTER || info.kind == VAR_LOCAL;
    if (info.kind == VAR_REGISTER && info.depth == 0) return argument_for(s, var, info.index);
    if (in_frame && info.depth == 0) return step_input(s, var);
    if (in_frame) info.depth--;
    Expr outer = in_frame ? vars_get(vars, info, expr_width(vars->pool, var)) : var;
    return segment_before(vars, s->segment, &info, outer, address_before(s, &info));
}

static Expr before_return(BackStep *s, Expr var)
{
    Vars *vars = &s->b->vars;
    VarInfo info = *vars_info(vars, var);
    if (info.kind == VAR_MEMORY) {
        info.index = address_before(s, &info);
        return vars_get(vars, info, 8);
    }
    if (info.kind != VAR_REGISTER && info.kind != VAR_LOCAL) return var;
    unsigned width = expr_width(vars->pool, var);
    if (info.kind == VAR_REGISTER && info.depth == 0 && info.index == s->call_dst) {
        const Function *f = &s->b->program->functions[s->callee];
        bool known = f->result_count == 1 && f->results[0].width == width && width <= 64 && f->results[0].kind != SCALAR_FLOAT;
        return known ? vars_get(vars, (VarInfo){VAR_RESULT, 0, s->callee, 0, 0}, width) : step_input(s, var);
    }
    info.depth++;
    if (info.depth > s->depth) return step_input(s, var);
    return vars_get(vars, info, width);
}

static Expr variable_before(void *data, Expr var)
{
    BackStep *s = data;
    VarInfo info = *vars_info(&s->b->vars, var);
    if (s->kind == STEP_ENTER) return before_call(s, var);
    if (s->kind == STEP_LEAVE) return before_return(s, var);
    if (info.kind == VAR_RESULT)
        return s->result && expr_width(s->b->vars.pool, s->result) == expr_width(s->b->vars.pool, var) ? s->result : step_input(s, var);
    return s->segment ? segment_before(&s->b->vars, s->segment, &info, var, address_before(s, &info)) : var;
}

/* Adds the conditions as they are before the step, and what the code of the step assumes; false: they cannot hold. */
static bool conditions_before(BackStep *s, const Expr *conditions, uint32_t count, Exprs *out)
{
    ExprPool *pool = s->b->vars.pool;
    ExprTranslation t;
    bool possible = !(s->segment && s->segment->dead);
    expr_translation_init(&t, pool, pool);
    t.variable = variable_before;
    t.data = s;
    for (uint32_t i = 0; i < count && possible; i++) possible = conditions_add(pool, expr_translate(&t, conditions[i]), out);
    expr_translation_release(&t);
    map_release(&s->inputs);
    for (uint32_t i = 0; s->segment && possible && i < s->segment->assumed.len; i++)
        possible = conditions_add(pool, s->segment->assumed.data[i], out);
    return possible;
}

static bool state_before(BackStep *s, uint32_t state, Exprs *out)
{
    const RState *r = &vec_at(&s->b->states, state);
    return conditions_before(s, backward__conditions_of(s->b, r), r->count, out);
}

/* The condition under which the segment's end leads to the block. */
static Expr guard(Backward *b, const Segment *s, uint32_t to)
{
    const Function *f = &b->program->functions[s->function];
    const Instr *last = &f->code[s->end];
    ExprPool *pool = b->vars.pool;
    if (last->op == OP_BRANCH) {
        const CondBranch *branch = &f->branches[last->imm];
        Expr c = segment_operand(&b->vars, s, last->a, 1);
        if (branch->yes == branch->no) return expr_const(pool, 1, 1);
        return branch->yes == to ? c : expr_not(pool, c);
    }
    if (last->op == OP_SWITCH && last->width <= 64) {
        const Switch *sw = &f->switches[last->imm];
        Expr value = segment_operand(&b->vars, s, last->a, last->width), here = expr_const(pool, 1, 0), elsewhere = here;
        for (uint32_t i = 0; i < sw->case_count; i++) {
            Expr same = expr_eq(pool, value, expr_const(pool, last->width, sw->cases[i].value));
            Expr *into = sw->cases[i].block == to ? &here : &elsewhere;
            *into = expr_or(pool, *into, same);
        }
        return sw->default_block == to ? expr_not(pool, elsewhere) : here;
    }
    return expr_const(pool, 1, 1);
}

/* From a state (of which `conditions` hold) at the start of a block to what is before it. */
static void follow_block(Backward *b, uint32_t state, uint32_t block, const Exprs *through);

/* One edge of the control flow; blocks that the bitcode does not have are passed. */
static void follow_edge(Backward *b, uint32_t state, uint32_t from, uint32_t to, const Exprs *through)
{
    RState r = vec_at(&b->states, state);
    const Function *f = &b->program->functions[r.function];
    const Places *p = backward__places(b, r.function);
    uint32_t location = p->first[from + 1] - 1;
    Segment *s = backward__segment(b, r.function, location, r.stack);
    Exprs out = {0};
    if (f->code[s->end].op == OP_TRAP) {
        backward__fail(b, state + 1, "code that is not understood leads there");
        return;
    }
    BackStep step = {.b = b, .kind = STEP_FLOW, .segment = s};
    bool possible = through ? conditions_before(&step, through->data, through->len, &out) : state_before(&step, state, &out);
    possible = possible && conditions_add(b->vars.pool, guard(b, s, to), &out);
    if (possible && from >= f->source_blocks) {
        follow_block(b, state, from, &out);
    } else if (possible) {
        Candidate c = {r.function, location, r.stack, state + 1, {out.data, out.len, out.cap}, s, 0};
        backward__add_state(b, &c);
        return;
    }
    vec_release(&out);
}

static void follow_block(Backward *b, uint32_t state, uint32_t block, const Exprs *through)
{
    const Function *f = &b->program->functions[vec_at(&b->states, state).function];
    const Block *at = &f->blocks[block];
    for (uint32_t i = 0; i < at->predecessor_count && !b->failure; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++) again |= at->predecessors[k] == at->predecessors[i];
        if (!again) follow_edge(b, state, at->predecessors[i], block, through);
    }
}

/* From a function's exit to its returns. */
static void follow_exit(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    const Function *f = &b->program->functions[r.function];
    const Places *p = backward__places(b, r.function);
    for (uint32_t i = 0; i < f->block_count && !b->failure; i++) {
        uint32_t location = p->first[i + 1] - 1;
        Segment *s = backward__segment(b, r.function, location, r.stack);
        const Instr *last = &f->code[s->end];
        if (last->op != OP_RETURN) continue;
        Candidate c = {r.function, location, r.stack, state + 1, {0}, s, 0};
        BackStep step = {.b = b, .kind = STEP_FLOW, .segment = s};
        if (f->result_count == 1) step.result = segment_operand(&b->vars, s, last->a, f->results[0].width);
        if (i >= f->source_blocks) backward__fail(b, state + 1, "a return of it is not in the bitcode");
        else if (state_before(&step, state, &c.conditions)) backward__add_state(b, &c);
        else vec_release(&c.conditions);
    }
}

/* That a computed call leads to the function: what the pointer holds is its address. */
static bool add_called(Backward *b, CallPlace site, uint32_t callee, const Segment *s, Exprs *out)
{
    const Function *caller = &b->program->functions[site.function];
    const Instr *call = &caller->code[site.call];
    uint32_t symbol = b->program->functions[callee].symbol;
    if (caller->calls[call->imm].callee != UINT32_MAX || !symbol) return true;
    Expr pointer = segment_operand(&b->vars, s, call->a, 64);
    Expr address = vars_get(&b->vars, (VarInfo){VAR_ADDRESS, 0, 0, symbol, 0}, 64);
    return conditions_add(b->vars.pool, expr_eq(b->vars.pool, pointer, address), out);
}

/* From after a call to the exit of a function that it calls. */
static void follow_return(Backward *b, uint32_t state, const Segment *s, uint32_t callee)
{
    RState r = vec_at(&b->states, state);
    uint32_t stack = backward__precise_stack(b, callee, backward__stack(b, (CallPlace){r.function, s->end}, r.stack));
    if (vec_at(&b->stacks, stack).depth > MOST_DEPTH) stack = backward__cut_stack(b, stack, MOST_DEPTH);
    uint32_t depth = vec_at(&b->stacks, stack).depth;
    Candidate c = {callee, backward__exit(b, callee), stack, state + 1, {0}, NULL, 0};
    BackStep step = {
        .b = b, .kind = STEP_LEAVE, .callee = callee, .depth = depth, .call_dst = b->program->functions[r.function].code[s->end].dst};
    Segment none = {.function = r.function};
    Exprs called = {0};
    bool possible = add_called(b, (CallPlace){r.function, s->end}, callee, &none, &called);
    possible = possible && conditions_before(&step, called.data, called.len, &c.conditions) && state_before(&step, state, &c.conditions);
    if (possible) backward__add_state(b, &c);
    else vec_release(&c.conditions);
    vec_release(&called);
}

/* A computed call may lead out of the program: anything may have come of it. */
static void follow_outside(Backward *b, uint32_t state, Segment *s, uint32_t location)
{
    RState r = vec_at(&b->states, state);
    Exprs out = {0};
    Segment wild = {.function = s->function, .block = s->block, .first = s->end, .end = s->end};
    const Function *f = &b->program->functions[r.function];
    vec_push(&wild.changes, ((Change){.kind = CHANGE_GLOBALS}));
    if (f->code[s->end].dst != OPERAND_NONE) {
        uint32_t width = vars_width(&b->vars, r.function, f->code[s->end].dst);
        map_put(&wild.registers, f->code[s->end].dst, vars_input(&b->vars, width ? width : 64));
    }
    BackStep after = {.b = b, .kind = STEP_FLOW, .segment = &wild}, before = {.b = b, .kind = STEP_FLOW, .segment = s};
    Candidate c = {r.function, location, r.stack, state + 1, {0}, s, 0};
    if (state_before(&after, state, &out) && conditions_before(&before, out.data, out.len, &c.conditions)) backward__add_state(b, &c);
    else vec_release(&c.conditions);
    segment_release(&wild);
    vec_release(&out);
}

/* From after a call to what was executed before. */
static void follow_call(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    Segment *s = backward__segment(b, r.function, r.location - 1, r.stack);
    const Function *f = &b->program->functions[r.function];
    uint32_t callee = f->calls[f->code[s->end].imm].callee;
    if (callee != UINT32_MAX) {
        follow_return(b, state, s, callee);
        return;
    }
    for (uint32_t i = 0; i < b->program->function_count && !b->failure; i++)
        if (b->memory.taken[i] && objects_runs(&b->program->functions[i])) follow_return(b, state, s, i);
    if (b->memory.outside && !b->failure) follow_outside(b, state, s, r.location - 1);
}

/* From a function's entry to one call of it. */
static void follow_entry_to(Backward *b, uint32_t state, CallPlace site, uint32_t stack)
{
    RState r = vec_at(&b->states, state);
    const Function *caller = &b->program->functions[site.function];
    const Places *p = backward__places(b, site.function);
    uint32_t block = function_block(caller, site.call), location = p->first[block];
    if (block >= caller->source_blocks) {
        backward__fail(b, state + 1, "a call of it is not in the bitcode");
        return;
    }
    while (p->segments[location].end != site.call) location++;
    Segment *s = backward__segment(b, site.function, location, stack);
    Candidate c = {site.function, location, stack, state + 1, {0}, s, 0};
    BackStep step = {.b = b, .kind = STEP_ENTER, .segment = s, .site = &caller->calls[caller->code[site.call].imm], .callee = r.function};
    if (state_before(&step, state, &c.conditions) && add_called(b, site, r.function, s, &c.conditions)) backward__add_state(b, &c);
    else vec_release(&c.conditions);
}

bool backward__may_call(const Backward *b, const CallSite *site, uint32_t function)
{
    return site->callee == function || (site->callee == UINT32_MAX && b->memory.taken[function]);
}

/* Whether the program may start, or other code may call the function, in a state in which the conditions hold. */
static bool is_initial(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    bool starts = b->options.whole && b->options.entries[0] == r.function;
    if (b->memory.open[r.function]) return true; /* the conditions are not contradictory, and nothing more is known */
    if (!starts) return false;
    ExprTranslation t;
    Exprs list = {0};
    bool possible = true;
    expr_translation_init(&t, b->vars.pool, b->vars.pool);
    for (uint32_t i = 0; i < b->vars.infos.len; i++) {
        VarInfo info = b->vars.infos.data[i]; /* a copy: an address may be a new variable */
        Expr initial = info.kind == VAR_GLOBAL ? segment_initial(&b->vars, info.index, info.offset) : 0;
        if (initial) expr_translation_set(&t, expr_var_at(b->vars.pool, i), initial);
    }
    for (uint32_t i = 0; i < r.count && possible; i++)
        possible = conditions_add(b->vars.pool, expr_translate(&t, b->conditions.data[r.first + i]), &list);
    expr_translation_release(&t);
    if (possible) possible = backward__ask(b, &list, NULL) != SOLVE_UNSAT;
    vec_release(&list);
    return possible;
}

static void follow_entry(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    if (r.stack) {
        Stack top = vec_at(&b->stacks, r.stack);
        follow_entry_to(b, state, top.site, top.below);
        return;
    }
    if (is_initial(b, state)) {
        backward__fail(b, state + 1, "an initial state satisfies its conditions, as far as the backward analysis can tell");
        return;
    }
    for (uint32_t g = 0; g < b->program->function_count; g++) {
        const Function *f = &b->program->functions[g];
        if (!f->defined) continue;
        for (uint32_t i = 0; i < f->code_count && !b->failure; i++)
            if (f->code[i].op == OP_CALL && backward__may_call(b, &f->calls[f->code[i].imm], r.function))
                follow_entry_to(b, state, (CallPlace){g, i}, 0);
    }
}

void backward__follow(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    const Places *p = backward__places(b, r.function);
    vec_at(&b->states, state).done = true;
    if (r.location == backward__exit(b, r.function)) {
        follow_exit(b, state);
        return;
    }
    uint32_t block = p->segments[r.location].block;
    if (r.location > p->first[block]) follow_call(b, state);
    else if (block == 0) follow_entry(b, state);
    else follow_block(b, state, block, NULL);
}
