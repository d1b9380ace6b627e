/* The fixed point: functions in contexts, looked at until no state grows any more, then sharpened by going round once more without widening. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

enum {
    PATIENCE = 4,       /* times that a state grows before widening; guess */
    LAST_PATIENCE = 60, /* times before what still grows becomes unknown; guess */
    MOST_INSTANCES = 20000,
    DEEPEST_CALLS = 150, /* of functions that are interpreted inside each other, for the host's stack; the rest waits in a queue */
    SWEEPS = 3,          /* rounds of sharpening; guess */
};

uint32_t analyse__state_size(const Analysis *a, uint32_t function)
{
    return a->program->functions[function].register_count + a->memory.global_slots + a->memory.local_slots[function];
}

/* ---- joining ---- */

static uint32_t width_of(const Analysis *a, uint32_t x, uint32_t y)
{
    uint32_t w = vec_at(&a->values.list, x).width;
    return w == vec_at(&a->values.list, y).width ? w : 0;
}

/* Adds `from` to `to`; true if that changed it. */
static bool join(Analysis *a, State to, const uint32_t *from, uint32_t size, uint32_t visits)
{
    bool changed = false;
    for (uint32_t i = 0; i < size; i++) {
        if (to[i] == from[i] || to[i] == 0) continue;
        uint32_t width = from[i] ? width_of(a, to[i], from[i]) : 0, id = 0;
        if (width && visits < LAST_PATIENCE) {
            Value x = values_get(&a->values, to[i], width), y = values_get(&a->values, from[i], width);
            Value joined = visits < PATIENCE ? value_join(&x, &y) : value_widen(&a->values, &x, &y);
            id = values_keep(&a->values, &joined);
        }
        if (id == to[i]) continue;
        to[i] = id;
        changed = true;
    }
    return changed;
}

bool analyse__join(Analysis *a, State *to, const uint32_t *from, uint32_t size, uint32_t *visits)
{
    if (!*to) {
        *to = mem_alloc((size + 1) * sizeof **to);
        memcpy(*to, from, size * sizeof **to);
        return true;
    }
    bool changed = join(a, *to, from, size, *visits);
    *visits += changed;
    return changed;
}

/* ---- instances ---- */

uint32_t analyse__site(Analysis *a, uint32_t function, uint32_t call)
{
    uint64_t key = (uint64_t)function << 32 | call;
    const uint64_t *known = map_find(&a->site_numbers, key);
    if (known) return (uint32_t)*known;
    map_put(&a->site_numbers, key, a->sites.len);
    vec_push(&a->sites, ((Site){function, call}));
    return a->sites.len - 1;
}

/* While states are fixed there are no new instances: UINT32_MAX. */
static uint32_t instance_of(Analysis *a, uint32_t function, const uint32_t *sites, uint32_t depth)
{
    for (uint32_t i = 0; i < a->instances.len; i++) {
        const Instance *known = &a->instances.data[i];
        if (known->function == function && known->depth == depth && (!depth || memcmp(known->sites, sites, depth * sizeof *sites) == 0))
            return i;
    }
    if (a->on_call) return UINT32_MAX;
    if (a->instances.len >= MOST_INSTANCES) a->failed = true;
    Instance instance = {.function = function, .depth = depth};
    uint32_t blocks = a->program->functions[function].block_count * analyse__stride(a, function);
    if (depth) memcpy(instance.sites, sites, depth * sizeof *sites);
    instance.blocks = mem_alloc((blocks + 1) * sizeof *instance.blocks);
    instance.visits = mem_alloc((blocks + 1) * sizeof *instance.visits);
    vec_push(&a->instances, instance);
    return a->instances.len - 1;
}

static void enqueue(Analysis *a, uint32_t instance)
{
    if (vec_at(&a->instances, instance).queued) return;
    vec_at(&a->instances, instance).queued = true;
    vec_push(&a->queue, instance);
}

/* Blocks in reverse postorder, then the place of each block in that order (UINT32_MAX: not reachable). */
static uint32_t *order_of(Analysis *a, uint32_t function)
{
    const Function *f = &a->program->functions[function];
    if (a->orders[function]) return a->orders[function];
    uint32_t n = f->block_count, *order = mem_alloc((2 * n + 1) * sizeof *order), *next = mem_alloc((n + 1) * sizeof *next), done = n;
    Vec(uint32_t) path = {0};
    uint8_t *seen = mem_alloc(n + 1);
    vec_push(&path, 0);
    seen[0] = 1;
    for (uint32_t i = 0; i < n; i++) order[i] = order[n + i] = UINT32_MAX;
    while (path.len) {
        uint32_t b = vec_top(&path);
        if (next[b] < f->blocks[b].successor_count) {
            uint32_t s = f->blocks[b].successors[next[b]++];
            if (!seen[s]) vec_push(&path, s);
            seen[s] = 1;
        } else {
            order[--done] = b;
            (void)vec_pop(&path);
        }
    }
    memmove(order, order + done, (n - done) * sizeof *order);
    for (uint32_t i = n - done; i < n; i++) order[i] = UINT32_MAX;
    for (uint32_t i = 0; i < n - done; i++) order[n + order[i]] = i;
    vec_release(&path);
    free(next);
    free(seen);
    return a->orders[function] = order;
}

/* Where a state goes: a block of an instance, in the table of states that are being made. */
typedef struct Goal {
    State *states;    /* of the block, per partition */
    uint32_t *visits; /* per partition; NULL: never widened */
    uint8_t *dirty;   /* per partition; NULL: not noted */
    uint32_t size;
    bool changed;
} Goal;

static void arrive(Analysis *a, void *data, uint32_t partition, const uint32_t *state)
{
    Goal *goal = data;
    uint32_t never = 0;
    if (!analyse__join(a, &goal->states[partition], state, goal->size, goal->visits ? &goal->visits[partition] : &never)) return;
    goal->changed = true;
    if (goal->dirty) goal->dirty[partition] = 1;
}

static void flow_in(Analysis *a, uint32_t instance, uint32_t from, uint32_t to, const uint32_t *state)
{
    Instance *i = &vec_at(&a->instances, instance);
    const uint32_t *order = a->orders[i->function];
    uint32_t n = a->program->functions[i->function].block_count, stride = analyse__stride(a, i->function);
    bool back = order[n + to] <= order[n + from]; /* every cycle has such an edge, so widening there is enough */
    Goal goal = {i->blocks + to * stride, back ? i->visits + to * stride : NULL, a->dirty + to * stride,
                 analyse__state_size(a, i->function), false};
    analyse__split(a, i->function, state, arrive, &goal);
}

static bool out_of_work(Analysis *a)
{
    if (a->options.work && a->work > a->options.work) a->failed = true;
    return a->failed;
}

static void interpret(Analysis *a, uint32_t instance, uint32_t depth)
{
    uint32_t function = vec_at(&a->instances, instance).function, n = a->program->functions[function].block_count,
             size = analyse__state_size(a, function);
    const uint32_t *order = order_of(a, function);
    uint32_t stride = analyse__stride(a, function);
    uint8_t *mine = mem_alloc(n * stride + 1), *outer = a->dirty;
    State state = mem_alloc((size + 1) * sizeof *state);
    vec_at(&a->instances, instance).active = true;
    for (uint32_t b = 0; b < n * stride; b++) mine[b] = vec_at(&a->instances, instance).blocks[b] != NULL;
    for (bool again = true; again && !out_of_work(a);) {
        again = false;
        for (uint32_t i = 0; i < n * stride && order[i / stride] != UINT32_MAX; i++) {
            uint32_t b = order[i / stride] * stride + i % stride;
            if (!mine[b] || out_of_work(a)) continue;
            mine[b] = 0;
            again = true;
            memcpy(state, vec_at(&a->instances, instance).blocks[b], size * sizeof *state);
            a->dirty = mine;
            a->depth = depth;
            analyse__block(a, instance, b / stride, state, flow_in);
        }
    }
    vec_at(&a->instances, instance).active = false;
    a->dirty = outer;
    a->depth = depth;
    free(mine);
    free(state);
}

/* ---- calls ---- */

bool analyse__fits(const Function *callee, const CallSite *site)
{
    if (callee->param_count != site->argument_count || callee->variadic || site->variadic) return false;
    for (uint32_t i = 0; i < callee->param_count; i++) {
        const Scalar *p = &callee->params[i].type, *q = &site->arguments[i].type;
        if (p->width != q->width || p->kind != q->kind || p->lanes || q->lanes) return false;
    }
    return true;
}

static State entry_state(Analysis *a, uint32_t instance, uint32_t callee, const CallSite *site, const uint32_t *state)
{
    const Function *f = &a->program->functions[callee];
    uint32_t caller = vec_at(&a->instances, instance).function;
    State entry = mem_alloc((analyse__state_size(a, callee) + 1) * sizeof *entry);
    for (uint32_t i = 0; analyse__fits(f, site) && i < f->param_count; i++)
        if (!f->params[i].byval_size && f->params[i].type.width <= 64)
            entry[f->params[i].reg] = analyse__operand(a, state, site->arguments[i].value, f->params[i].type.width);
    memcpy(entry + f->register_count, state + a->program->functions[caller].register_count, a->memory.global_slots * sizeof *entry);
    return entry;
}

static uint32_t callee_instance(Analysis *a, uint32_t instance, uint32_t callee, uint32_t at)
{
    const Instance *from = &vec_at(&a->instances, instance);
    uint32_t sites[8] = {0}, depth = from->depth + 1 < a->options.call_depth ? from->depth + 1 : a->options.call_depth;
    if (depth) sites[0] = analyse__site(a, from->function, at);
    for (uint32_t i = 1; i < depth; i++) sites[i] = from->sites[i - 1];
    return instance_of(a, callee, sites, depth);
}

/* Enters one function that the call may lead to, and joins the state at that function's exit to `exit`, which is NULL before the first. */
static void call_one(Analysis *a, uint32_t instance, uint32_t callee, uint32_t at, const uint32_t *state, State *exit)
{
    const CallSite *site = &a->program->functions[vec_at(&a->instances, instance).function]
                                .calls[a->program->functions[vec_at(&a->instances, instance).function].code[at].imm];
    uint32_t target = callee_instance(a, instance, callee, at), size = a->memory.global_slots + 1, depth = a->depth;
    if (target == UINT32_MAX) return;
    if (!a->on_call) {
        State entry = entry_state(a, instance, callee, site, state);
        Instance *t = &vec_at(&a->instances, target);
        Goal goal = {t->blocks, t->visits, NULL, analyse__state_size(a, callee), false};
        analyse__split(a, callee, entry, arrive, &goal);
        bool grew = goal.changed, known = false;
        free(entry);
        for (uint32_t i = 0; i < t->callers.len; i++) known |= t->callers.data[i] == instance;
        if (!known) vec_push(&t->callers, instance);
        if (grew && !t->active && depth < DEEPEST_CALLS) interpret(a, target, depth + 1);
        else if (grew) enqueue(a, target);
        a->depth = depth;
    }
    const Instance *t = &vec_at(&a->instances, target);
    if (!t->exit) return;
    State result = mem_alloc(size * sizeof *result);
    memcpy(result, t->exit, size * sizeof *result);
    if (!analyse__fits(&a->program->functions[callee], site)) result[0] = 0;
    uint32_t never = 0;
    analyse__join(a, exit, result, size, &never);
    free(result);
}

bool analyse__call(Analysis *a, uint32_t instance, uint32_t at, State state)
{
    const Function *f = &a->program->functions[vec_at(&a->instances, instance).function];
    const CallSite *site = &f->calls[f->code[at].imm];
    bool outside = site->callee == UINT32_MAX && a->memory.outside;
    State exit = NULL;
    uint8_t *outer = a->dirty;
    if (site->callee != UINT32_MAX) call_one(a, instance, site->callee, at, state, &exit);
    for (uint32_t i = 0; site->callee == UINT32_MAX && i < a->program->function_count; i++)
        if (a->memory.taken[i] && objects_runs(&a->program->functions[i])) call_one(a, instance, i, at, state, &exit);
    a->dirty = outer;
    if (!exit && !outside) return false;
    uint32_t function = vec_at(&a->instances, instance).function, size = analyse__state_size(a, function), never = 0;
    State unknown = mem_alloc((size + 1) * sizeof *unknown); /* after code outside */
    memcpy(unknown, state, size * sizeof *unknown);
    analyse__forget(a, function, unknown, FORGET_EXPOSED);
    if (exit) {
        analyse__forget(a, function, state, FORGET_GLOBALS); /* the callee may have pointers to locals that have escaped */
        memcpy(state + f->register_count, exit + 1, a->memory.global_slots * sizeof *state);
    }
    if (!exit) memcpy(state, unknown, size * sizeof *state);
    else if (outside) analyse__join(a, &state, unknown, size, &never);
    free(unknown);
    if (f->code[at].dst != OPERAND_NONE)
        state[f->code[at].dst] = !outside && site->result_count == 1 && site->results[0].width <= 64 ? exit[0] : 0;
    free(exit);
    return true;
}

void analyse__leave(Analysis *a, uint32_t instance, const Instr *instr, const uint32_t *state)
{
    Instance *i = &vec_at(&a->instances, instance);
    const Function *f = &a->program->functions[i->function];
    uint32_t size = a->memory.global_slots + 1;
    State exit = mem_alloc(size * sizeof *exit);
    if (f->result_count == 1 && f->results[0].width <= 64) exit[0] = analyse__operand(a, state, instr->a, f->results[0].width);
    memcpy(exit + 1, state + f->register_count, a->memory.global_slots * sizeof *exit);
    if (!a->on_call && analyse__join(a, &i->exit, exit, size, &i->exit_visits))
        for (uint32_t k = 0; k < i->callers.len; k++) enqueue(a, vec_at(&i->callers, k));
    free(exit);
}

/* ---- sharpening ---- */

static void flow_fresh(Analysis *a, uint32_t instance, uint32_t from, uint32_t to, const uint32_t *state)
{
    uint32_t function = vec_at(&a->instances, instance).function, n = a->program->functions[function].block_count,
             stride = analyse__stride(a, function);
    const uint32_t *order = a->orders[function];
    bool back = order[n + to] <= order[n + from];
    Goal goal = {a->fresh + to * stride, NULL, NULL, analyse__state_size(a, function), false};
    if (back == a->sweep_back) analyse__split(a, function, state, arrive, &goal);
}

/* Backward edges give what they gave before; then the blocks in order, from what is new. */
static void sweep(Analysis *a, uint32_t instance)
{
    Instance *i = &vec_at(&a->instances, instance);
    const Function *f = &a->program->functions[i->function];
    uint32_t size = analyse__state_size(a, i->function), stride = analyse__stride(a, i->function), never = 0;
    const uint32_t *order = order_of(a, i->function);
    State state = mem_alloc((size + 1) * sizeof *state);
    a->fresh = mem_alloc((f->block_count * stride + 1) * sizeof *a->fresh);
    for (a->sweep_back = true;; a->sweep_back = false) {
        for (uint32_t p = 0; !a->sweep_back && p < stride; p++)
            if (i->blocks[p]) analyse__join(a, &a->fresh[p], i->blocks[p], size, &never);
        for (uint32_t k = 0; k < f->block_count * stride && order[k / stride] != UINT32_MAX; k++) {
            uint32_t at = order[k / stride] * stride + k % stride;
            State from = a->sweep_back ? i->blocks[at] : a->fresh[at];
            if (!from) continue;
            memcpy(state, from, size * sizeof *state);
            analyse__block(a, instance, at / stride, state, flow_fresh);
        }
        if (!a->sweep_back) break;
    }
    for (uint32_t b = 0; b < f->block_count * stride; b++) {
        free(i->blocks[b]);
        i->blocks[b] = a->fresh[b];
    }
    free(a->fresh);
    free(state);
}

static void ignore_call(void *data, uint32_t instance, const Instr *call, const uint32_t *state)
{
    (void)data, (void)instance, (void)call, (void)state;
}

static void ignore_flow(Analysis *a, uint32_t instance, uint32_t from, uint32_t to, const uint32_t *state)
{
    (void)a, (void)instance, (void)from, (void)to, (void)state;
}

/* With all states fixed: which branches they take. */
static void find_taken(Analysis *a)
{
    memset(a->takes, 0, a->program->branch_count + 1);
    for (uint32_t i = 0; i < a->instances.len; i++) {
        const Function *f = &a->program->functions[vec_at(&a->instances, i).function];
        uint32_t size = analyse__state_size(a, vec_at(&a->instances, i).function);
        State state = mem_alloc((size + 1) * sizeof *state);
        uint32_t stride = analyse__stride(a, vec_at(&a->instances, i).function);
        for (uint32_t b = 0; b < f->block_count * stride; b++) {
            if (!vec_at(&a->instances, i).blocks[b]) continue;
            memcpy(state, vec_at(&a->instances, i).blocks[b], size * sizeof *state);
            analyse__block(a, i, b / stride, state, ignore_flow);
        }
        free(state);
    }
}

void analyse__look(Analysis *a, uint32_t function, void (*on_instr)(void *data, uint32_t at, const uint32_t *state), void *data)
{
    uint32_t instance = instance_of(a, function, NULL, 0), size = analyse__state_size(a, function);
    State state = mem_alloc((size + 1) * sizeof *state);
    memset(a->takes, 0, a->program->branch_count + 1);
    a->on_instr = on_instr;
    a->on_instr_data = data;
    for (uint32_t b = 0, stride = analyse__stride(a, function); b < a->program->functions[function].block_count * stride; b++) {
        State from = vec_at(&a->instances, instance).blocks[b];
        if (!from) continue;
        memcpy(state, from, size * sizeof *state);
        analyse__block(a, instance, b / stride, state, ignore_flow);
    }
    a->on_instr = NULL;
    free(state);
}

/* ---- the whole ---- */

static void start(Analysis *a, uint32_t function, bool initial)
{
    uint32_t instance = instance_of(a, function, NULL, 0), size = analyse__state_size(a, function);
    State entry = mem_alloc((size + 1) * sizeof *entry);
    for (uint32_t i = 0; initial && i < a->memory.cells.len; i++) {
        const Cell *cell = &a->memory.cells.data[i];
        const Object *o = &vec_at(&a->memory.objects, cell->object);
        uint64_t x;
        if (o->function != UINT32_MAX || !objects_initial(a->program, o, cell->offset, cell->bytes, &x)) continue;
        Value v = value_constant(cell->bytes * 8, x);
        entry[a->program->functions[function].register_count + cell->slot] = values_keep(&a->values, &v);
    }
    Goal goal = {vec_at(&a->instances, instance).blocks, NULL, NULL, size, false};
    analyse__split(a, function, entry, arrive, &goal);
    free(entry);
    enqueue(a, instance);
}

Analysis *analyse(const Program *program, const AnalyseOptions *options)
{
    Analysis *a = mem_alloc(sizeof *a);
    a->program = program;
    a->options = *options;
    a->takes = mem_alloc(program->branch_count + 1);
    a->orders = mem_alloc((program->function_count + 1) * sizeof *a->orders);
    a->keys = mem_alloc((program->function_count + 1) * sizeof *a->keys);
    values_init(&a->values, program);
    a->failed = options->call_depth > COUNT_OF(((Instance *)0)->sites) || !objects_find(&a->memory, program, options);
    if (!a->failed) analyse__choose_keys(a);
    for (uint32_t i = 0; !a->failed && i < program->function_count; i++)
        if (a->memory.open[i]) start(a, i, false);
    if (!a->failed && options->whole) start(a, options->entries[0], true);
    for (uint32_t next = 0; next < a->queue.len && !out_of_work(a); next++) {
        uint32_t instance = vec_at(&a->queue, next);
        vec_at(&a->instances, instance).queued = false;
        interpret(a, instance, 0);
    }
    a->on_call = ignore_call; /* states between functions stay as they are from here on */
    for (int round = 0; round < SWEEPS; round++)
        for (uint32_t i = 0; i < a->instances.len && !out_of_work(a); i++) sweep(a, i);
    if (!a->failed) find_taken(a);
    if (!a->failed) return a;
    analysis_free(a);
    return NULL;
}

void analysis_free(Analysis *a)
{
    explore__release(a);
    for (uint32_t i = 0; i < a->instances.len; i++) {
        Instance *instance = &a->instances.data[i];
        for (uint32_t b = 0; b < a->program->functions[instance->function].block_count * analyse__stride(a, instance->function); b++)
            free(instance->blocks[b]);
        free(instance->blocks);
        free(instance->visits);
        free(instance->exit);
        vec_release(&instance->callers);
    }
    for (uint32_t f = 0; f < a->program->function_count; f++) free(a->orders[f]);
    for (uint32_t f = 0; f < a->program->function_count; f++) vec_release(&a->keys[f].constants);
    free(a->keys);
    free(a->orders);
    free(a->takes);
    vec_release(&a->instances);
    vec_release(&a->sites);
    vec_release(&a->queue);
    map_release(&a->site_numbers);
    values_release(&a->values);
    objects_release(&a->memory, a->program);
    free(a);
}

bool analysis_takes(const Analysis *a, uint32_t branch)
{
    return a->takes[branch];
}
