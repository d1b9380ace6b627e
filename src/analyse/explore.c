/* Exploration: states of the abstract interpreter that are kept apart instead of joined.
 *
 * What a program remembers in several variables together (a flag that is set exactly in some states of a machine, the two ends of a queue, a count and the
 * elements below it) is lost where states are joined.  Here each point of the program, in each list of calls that leads there, has a list of states.  Two of them
 * are joined only if they agree in every register and cell of which exactly one value is known.  Pointers are values, too, so that what is
 * stored through them is found again (pointers.c).  A state covers the whole stack, so that a return leads back to the caller as it was.  explore_focus.c chooses what
 * states are joined over nevertheless, and what is left out of them.
 *
 * After explicit-state model checking as in Beyer and Löwe (FASE 2013), forward from the start where prove/ goes backward from the branch. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

enum {
    MOST_AT_POINT = 256, /* states.  A guess. */
    MOST_FORKS = 256,    /* of one state on its way to the end of its block.  A guess. */
    MOST_LEVELS = 63,    /* calls on the stack below the innermost one: a certificate lists at most 64, of which the last is "outside" */
    MOST_ACTIVATIONS = 4000, /* A guess. */
    MOST_SLOTS = 1 << 24,    /* of 4 bytes, in all states */
    SLOTS_A_STEP = 16        /* slots that are copied in the time of an instruction.  A guess. */
};

/* ---- the layout of states ---- */

uint32_t explore__frame_size(const Analysis *a, uint32_t function)
{
    return a->program->functions[function].register_count + a->memory.local_slots[function] + 1;
}

static uint32_t result_slot(const Activation *activation)
{
    return activation->size - 1;
}

uint32_t analyse__level(const Analysis *a)
{
    return a->explorer ? vec_at(&a->explorer->activations, a->explorer->now).level : 0;
}

/* The state of the activation that is interpreted as block.c has it: registers, cells of globals, cells of locals. */
static State to_work(const Analysis *a, const Activation *now, const uint32_t *full)
{
    uint32_t registers = a->program->functions[now->function].register_count, globals = a->memory.global_slots;
    State work = mem_alloc((analyse__state_size(a, now->function) + 1) * sizeof *work);
    memcpy(work, full + now->base, registers * sizeof *work);
    memcpy(work + registers, full, globals * sizeof *work);
    memcpy(work + registers + globals, full + now->base + registers, a->memory.local_slots[now->function] * sizeof *work);
    return work;
}

/* Puts the activation at hand back into the state of the whole stack (to_work the other way round); a callee's frame may follow in `more` slots. */
static State to_full(const Analysis *a, const uint32_t *work, uint32_t more)
{
    const Explorer *x = a->explorer;
    const Activation *now = &vec_at(&x->activations, x->now);
    uint32_t registers = a->program->functions[now->function].register_count, globals = a->memory.global_slots;
    State full = mem_alloc((now->size + more + 1) * sizeof *full);
    memcpy(full + globals, x->outer + globals, (now->base - globals) * sizeof *full);
    memcpy(full, work + registers, globals * sizeof *full);
    memcpy(full + now->base, work, registers * sizeof *full);
    memcpy(full + now->base + registers, work + registers + globals, a->memory.local_slots[now->function] * sizeof *full);
    return full;
}

static uint32_t activation_of(Analysis *a, uint32_t function, uint32_t site, uint32_t caller)
{
    Explorer *x = a->explorer;
    uint64_t key = hash_mix((uint64_t)caller << 32 | site) ^ function;
    for (const uint64_t *known; (known = map_find(&x->activation_numbers, key)) != NULL; key++) {
        const Activation *found = &vec_at(&x->activations, *known);
        if (found->function == function && found->site == site && found->caller == caller) return (uint32_t)*known;
    }
    Activation new = {.function = function, .site = site, .caller = caller, .base = a->memory.global_slots};
    if (site != UINT32_MAX) {
        new.level = vec_at(&x->activations, caller).level + 1;
        new.base = vec_at(&x->activations, caller).size;
    }
    new.size = new.base + explore__frame_size(a, function);
    x->failed |= new.level > MOST_LEVELS || x->activations.len >= MOST_ACTIVATIONS;
    map_put(&x->activation_numbers, key, x->activations.len);
    vec_push(&x->activations, new);
    return x->activations.len - 1;
}

/* ---- points ---- */

static uint64_t point_key(uint32_t activation, uint32_t at)
{
    return (uint64_t)activation << 32 | at;
}

const Point *explore__point(const Explorer *x, uint32_t activation, uint32_t at)
{
    const uint64_t *known = map_find(&x->point_numbers, point_key(activation, at));
    return known ? &vec_at(&x->points, *known) : NULL;
}

const Instr *explore__definition(Analysis *a, uint32_t function, uint32_t reg)
{
    Explorer *x = a->explorer;
    const Function *f = &a->program->functions[function];
    if (!x->definitions[function]) {
        uint32_t *first = x->definitions[function] = mem_alloc((f->register_count + 1) * sizeof *first);
        for (uint32_t i = f->code_count; i-- > 0;)
            if (f->code[i].dst != OPERAND_NONE) first[f->code[i].dst] = i + 1;
    }
    uint32_t at = x->definitions[function][reg];
    return at ? &f->code[at - 1] : NULL;
}

/* Adds to the live registers the indices from which live addresses were computed: where such an address is used, its offset is computed from the indices again. */
static void add_indices(Analysis *a, uint32_t function, uint64_t *live)
{
    const Address *addresses = a->memory.registers[function];
    for (uint32_t r = 0; addresses && r < a->program->functions[function].register_count; r++) {
        if (!(live[r / 64] >> r % 64 & 1) || !addresses[r].object || !addresses[r].variable) continue;
        for (Operand pointer = r; pointer != OPERAND_NONE && operand_is_reg(pointer);) {
            const Instr *instr = explore__definition(a, function, pointer);
            if (!instr || (instr->op != OP_ADDRESS && instr->op != OP_MOV)) break;
            if (instr->b != OPERAND_NONE && operand_is_reg(instr->b)) live[instr->b / 64] |= (uint64_t)1 << instr->b % 64;
            pointer = instr->a;
        }
    }
}

/* The registers that are noted at the point: those that are still read. */
static uint64_t *live_at(Analysis *a, uint32_t function, uint32_t at)
{
    Explorer *x = a->explorer;
    const Function *f = &a->program->functions[function];
    uint32_t words = f->register_count / 64 + 1, block;
    if (at == f->code_count) return NULL;
    if (!x->live[function]) x->live[function] = program_live(f);
    uint64_t *live = mem_alloc(words * sizeof *live);
    block = function_block(f, at);
    if (at == f->blocks[block].first) {
        memcpy(live, x->live[function] + (size_t)block * words, words * sizeof *live);
    } else {
        uint32_t dst = f->code[at - 1].dst;
        program_live_across(f, x->live[function], at - 1, live);
        if (dst != OPERAND_NONE) live[dst / 64] |= (uint64_t)1 << dst % 64;
    }
    add_indices(a, function, live);
    return live;
}

static uint32_t point_of(Analysis *a, uint32_t activation, uint32_t at)
{
    Explorer *x = a->explorer;
    const uint64_t *known = map_find(&x->point_numbers, point_key(activation, at));
    if (known) return (uint32_t)*known;
    map_put(&x->point_numbers, point_key(activation, at), x->points.len);
    vec_push(&x->points,
             ((Point){.activation = activation, .at = at, .live = live_at(a, vec_at(&x->activations, activation).function, at)}));
    return x->points.len - 1;
}

static void order_blocks(const Function *f, uint32_t *order, uint32_t block, uint8_t *seen, uint32_t *number)
{
    seen[block] = 1;
    for (uint32_t i = 0; i < f->blocks[block].successor_count; i++)
        if (!seen[f->blocks[block].successors[i]]) order_blocks(f, order, f->blocks[block].successors[i], seen, number);
    order[block] = --*number;
}

/* Callees first, and in a function the blocks in reverse postorder, so that states meet before they are followed. */
static uint64_t order_of(Analysis *a, const Point *p)
{
    Explorer *x = a->explorer;
    const Activation *activation = &vec_at(&x->activations, p->activation);
    const Function *f = &a->program->functions[activation->function];
    if (!x->orders[activation->function]) {
        uint8_t *seen = mem_alloc(f->block_count + 1);
        uint32_t number = f->block_count;
        x->orders[activation->function] = mem_alloc((f->block_count + 1) * sizeof(uint32_t));
        order_blocks(f, x->orders[activation->function], 0, seen, &number);
        free(seen);
    }
    uint32_t place = p->at == f->code_count ? UINT32_MAX : x->orders[activation->function][function_block(f, p->at)];
    return (uint64_t)(UINT8_MAX - activation->level) << 32 | place;
}

static bool comes_before(const Pending *p, const Pending *q)
{
    if (p->order != q->order) return p->order < q->order;
    return p->point != q->point ? p->point < q->point : p->state < q->state;
}

static void enqueue(Analysis *a, uint32_t point, uint32_t state)
{
    Explorer *x = a->explorer;
    Stored *stored = &vec_at(&vec_at(&x->points, point).states, state);
    if (stored->queued) return;
    stored->queued = true;
    vec_push(&x->queue, ((Pending){order_of(a, &vec_at(&x->points, point)), point, state}));
    for (uint32_t i = x->queue.len - 1; i > 0 && comes_before(&x->queue.data[i], &x->queue.data[(i - 1) / 2]); i = (i - 1) / 2) {
        Pending upper = x->queue.data[(i - 1) / 2];
        x->queue.data[(i - 1) / 2] = x->queue.data[i];
        x->queue.data[i] = upper;
    }
}

static Pending dequeue(Explorer *x)
{
    Pending first = x->queue.data[0], last = vec_pop(&x->queue);
    uint32_t n = x->queue.len;
    if (!n) return first;
    x->queue.data[0] = last;
    for (uint32_t i = 0; 2 * i + 1 < n;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < n && comes_before(&x->queue.data[child + 1], &x->queue.data[child])) child++;
        if (!comes_before(&x->queue.data[child], &x->queue.data[i])) break;
        Pending lower = x->queue.data[child];
        x->queue.data[child] = x->queue.data[i];
        x->queue.data[i] = lower;
        i = child;
    }
    return first;
}

/* ---- states ---- */

/* The name of a slot: the same cell or register in all activations of a function has the same. */
static uint32_t name_of(const Explorer *x, const Activation *frame, uint32_t slot)
{
    return x->first_name[frame->function] + slot - frame->base;
}

void explore__each_slot(Analysis *a, uint32_t activation, OnSlot *on_slot, void *data)
{
    const Explorer *x = a->explorer;
    for (uint32_t i = 0; i < a->memory.global_slots; i++) on_slot(a, data, i, i);
    for (uint32_t n = activation;; n = vec_at(&x->activations, n).caller) {
        const Activation *frame = &vec_at(&x->activations, n);
        for (uint32_t i = frame->base; i < frame->size; i++) on_slot(a, data, i, name_of(x, frame, i));
        if (frame->site == UINT32_MAX) break;
    }
}

static void leave_out(Analysis *a, void *data, uint32_t slot, uint32_t name)
{
    State state = data;
    if (a->explorer->left_out[name]) state[slot] = 0;
}

typedef struct Hash {
    const uint32_t *state;
    uint64_t sum;
} Hash;

bool explore__is_single(const Analysis *a, uint32_t id)
{
    return id && vec_at(&a->values.list, id).count == 1;
}

static void add_to_key(Analysis *a, void *data, uint32_t slot, uint32_t name)
{
    Hash *hash = data;
    if (!a->explorer->joined[name] && explore__is_single(a, hash->state[slot]))
        hash->sum += hash_mix((uint64_t)slot << 32 | hash->state[slot]);
}

/* Is every state that `few` stands for one of `many`? */
static bool is_included(const Analysis *a, const uint32_t *few, const uint32_t *many, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        if (few[i] == many[i] || many[i] == 0) continue;
        if (few[i] == 0 || explore__is_single(a, many[i])) return false;
        const Value *x = &vec_at(&a->values.list, few[i]), *y = &vec_at(&a->values.list, many[i]);
        if (x->width != y->width) return false;
        Value joined = value_join(x, y);
        if (memcmp(&joined, y, sizeof joined) != 0) return false;
    }
    return true;
}

/* A state comes to the point. */
static void arrive(Analysis *a, uint32_t point, State state)
{
    Explorer *x = a->explorer;
    Point *p = &vec_at(&x->points, point);
    Activation *activation = &vec_at(&x->activations, p->activation);
    uint32_t registers = a->program->functions[activation->function].register_count, size = activation->size;
    Hash hash = {.state = state};
    activation->entered = true;
    for (uint32_t i = 0; p->live && i < registers; i++)
        if (!(p->live[i / 64] >> i % 64 & 1)) state[activation->base + i] = 0;
    explore__each_slot(a, p->activation, leave_out, state);
    explore__each_slot(a, p->activation, add_to_key, &hash);
    a->work += size / SLOTS_A_STEP + 1;
    for (uint32_t i = 0; i < p->states.len; i++)
        if (is_included(a, state, p->states.data[i].state, size)) return;
    for (uint32_t i = 0; i < p->states.len; i++) {
        Stored *known = &p->states.data[i];
        if (known->key != hash.sum) continue;
        if (analyse__join(a, &known->state, state, size, &known->visits)) enqueue(a, point, i);
        return;
    }
    Stored new = {.key = hash.sum, .state = mem_alloc((size + 1) * sizeof *state)};
    memcpy(new.state, state, size * sizeof *state);
    vec_push(&p->states, new);
    x->slots += size;
    if (p->states.len > MOST_AT_POINT || x->slots > MOST_SLOTS) x->crowded = point + 1;
    enqueue(a, point, p->states.len - 1);
}

/* ---- calls ---- */

static void enter(Analysis *a, uint32_t at, uint32_t callee, const uint32_t *work)
{
    Explorer *x = a->explorer;
    uint32_t caller = x->now, function = vec_at(&x->activations, caller).function;
    const Function *f = &a->program->functions[callee];
    const CallSite *site = &a->program->functions[function].calls[a->program->functions[function].code[at].imm];
    uint32_t activation = activation_of(a, callee, analyse__site(a, function, at), caller);
    if (x->failed) return;
    uint32_t after = point_of(a, caller, at + 1), dst = a->program->functions[function].code[at].dst;
    State full = to_full(a, work, explore__frame_size(a, callee));
    const Activation *frame = &vec_at(&x->activations, caller);
    for (uint32_t i = 0; i < a->program->functions[function].register_count; i++)
        if (i == dst || !(vec_at(&x->points, after).live[i / 64] >> i % 64 & 1)) full[frame->base + i] = 0;
    for (uint32_t i = 0; analyse__fits(f, site) && i < f->param_count; i++)
        if (!f->params[i].byval_size && f->params[i].type.width <= 64)
            full[frame->size + f->params[i].reg] = analyse__operand(a, work, site->arguments[i].value, f->params[i].type.width);
    arrive(a, point_of(a, activation, f->blocks[0].first), full);
    free(full);
}

/* The call comes back with these results; `full` is the whole state of the caller. */
static void come_back(Analysis *a, uint32_t caller, uint32_t at, State full, uint32_t result)
{
    const Activation *frame = &vec_at(&a->explorer->activations, caller);
    const Function *f = &a->program->functions[frame->function];
    const CallSite *site = &f->calls[f->code[at].imm];
    uint32_t dst = f->code[at].dst, registers = 0;
    for (uint32_t i = 0; i < site->result_count; i++) registers += scalar_registers(site->results[i]);
    for (uint32_t i = 0; dst != OPERAND_NONE && i < registers; i++) full[frame->base + dst + i] = i ? 0 : result;
    arrive(a, point_of(a, caller, at + 1), full);
}

/* The call leads to code of which nothing is known. */
static void call_outside(Analysis *a, uint32_t at, const uint32_t *work)
{
    Explorer *x = a->explorer;
    uint32_t function = vec_at(&x->activations, x->now).function, size = vec_at(&x->activations, x->now).size;
    State changed = mem_alloc((analyse__state_size(a, function) + 1) * sizeof *changed), kept = x->outer;
    memcpy(changed, work, analyse__state_size(a, function) * sizeof *changed);
    x->outer = mem_alloc((size + 1) * sizeof *x->outer);
    memcpy(x->outer, kept, size * sizeof *x->outer);
    analyse__forget(a, function, changed, FORGET_EXPOSED);
    explore__forget_outer(a, true);
    State full = to_full(a, changed, 0);
    come_back(a, x->now, at, full, 0);
    free(full);
    free(changed);
    free(x->outer);
    x->outer = kept;
}

/* The functions that a pointer leads to, where all are known. */
static bool call_known(Analysis *a, uint32_t at, const Value *v, const uint32_t *work)
{
    AddressParts p;
    for (uint32_t i = 0; i < v->count; i++)
        if (v->set[i] && (!address_decode(v->set[i], &p) || !p.function || p.offset || p.index >= a->program->function_count ||
                          !objects_runs(&a->program->functions[p.index])))
            return false;
    for (uint32_t i = 0; i < v->count; i++)
        if (address_decode(v->set[i], &p)) enter(a, at, p.index, work);
    return v->count > 0;
}

void explore__call(Analysis *a, uint32_t at, const uint32_t *work)
{
    const Function *f = &a->program->functions[vec_at(&a->explorer->activations, a->explorer->now).function];
    const CallSite *site = &f->calls[f->code[at].imm];
    if (site->callee != UINT32_MAX) {
        enter(a, at, site->callee, work);
        return;
    }
    Value v = values_get(&a->values, analyse__operand(a, work, f->code[at].a, 64), 64);
    if (call_known(a, at, &v, work)) return;
    for (uint32_t i = 0; i < a->program->function_count; i++)
        if (a->memory.taken[i] && objects_runs(&a->program->functions[i])) enter(a, at, i, work);
    if (a->memory.outside) call_outside(a, at, work);
}

void explore__leave(Analysis *a, const Instr *instr, const uint32_t *work)
{
    Explorer *x = a->explorer;
    const Activation now = vec_at(&x->activations, x->now);
    const Function *f = &a->program->functions[now.function];
    State full = to_full(a, work, 0);
    memset(full + now.base, 0, (now.size - now.base) * sizeof *full);
    if (f->result_count == 1 && f->results[0].width <= 64)
        full[result_slot(&now)] = analyse__operand(a, work, instr->a, f->results[0].width);
    arrive(a, point_of(a, x->now, f->code_count), full);
    free(full);
}

static void follow_exit(Analysis *a, const Activation *now, State full)
{
    Explorer *x = a->explorer;
    uint32_t result = full[result_slot(now)];
    if (now->site == UINT32_MAX) return;
    Site at = vec_at(&a->sites, now->site);
    const Function *caller = &a->program->functions[at.function];
    const CallSite *site = &caller->calls[caller->code[at.call].imm];
    if (!analyse__fits(&a->program->functions[now->function], site) || site->result_count != 1 || site->results[0].width > 64) result = 0;
    if (!x->failed) come_back(a, now->caller, at.call, full, result);
}

uint32_t explore__symbol(Analysis *a, const Const *c)
{
    const Symbol *s = &a->program->symbols[c->symbol];
    AddressParts p = {.function = s->kind == SYMBOL_FUNCTION, .index = s->index, .offset = (int64_t)c->value};
    uint64_t constant;
    if (s->kind == SYMBOL_GLOBAL && a->program->globals[s->index].defined && a->memory.global_objects[s->index])
        p.index = a->memory.global_objects[s->index] - 1;
    else if (!p.function || !a->program->functions[s->index].defined) return 0;
    if (!address_encode(p, &constant)) return 0;
    Value v = value_constant(64, constant);
    return values_keep(&a->values, &v);
}

void explore__miss(Explorer *x, uint32_t object, uint64_t offset, uint32_t bytes)
{
    for (uint32_t i = 0; i < x->missing.len; i++) {
        const Cell *known = &x->missing.data[i];
        if (known->object == object && known->offset == offset && known->bytes == bytes) return;
    }
    vec_push(&x->missing, ((Cell){object, (uint32_t)offset, bytes, 0}));
}

bool explore__divides(Analysis *a, uint32_t reg)
{
    Explorer *x = a->explorer;
    return a->options.divide && x->forks < MOST_FORKS && !x->joined[x->first_name[vec_at(&x->activations, x->now).function] + reg] &&
           a->work <= x->work_end;
}

/* ---- one exploration ---- */

static void flow(Analysis *a, uint32_t instance, uint32_t from, uint32_t to, const uint32_t *work)
{
    Explorer *x = a->explorer;
    const Function *f = &a->program->functions[vec_at(&x->activations, x->now).function];
    State full = to_full(a, work, 0);
    (void)instance, (void)from;
    arrive(a, point_of(a, x->now, f->blocks[to].first), full);
    free(full);
}

void explore__forget_points(Explorer *x)
{
    for (uint32_t i = 0; i < x->points.len; i++) {
        for (uint32_t k = 0; k < x->points.data[i].states.len; k++) free(x->points.data[i].states.data[k].state);
        vec_release(&x->points.data[i].states);
        free(x->points.data[i].live);
    }
    vec_clear(&x->points);
    vec_clear(&x->queue);
    vec_clear(&x->activations);
    map_release(&x->point_numbers);
    map_release(&x->activation_numbers);
    x->slots = 0;
    x->crowded = 0;
    x->failed = false;
}

static void start(Analysis *a, uint32_t function, bool initial)
{
    uint32_t activation = activation_of(a, function, UINT32_MAX, 0), size = vec_at(&a->explorer->activations, activation).size;
    State full = mem_alloc((size + 1) * sizeof *full);
    for (uint32_t i = 0; initial && i < a->memory.cells.len; i++) {
        const Cell *cell = &a->memory.cells.data[i];
        if (vec_at(&a->memory.objects, cell->object).function == UINT32_MAX)
            full[cell->slot] = analyse__initial(a, cell->object, cell->offset, cell->bytes);
    }
    arrive(a, point_of(a, activation, a->program->functions[function].blocks[0].first), full);
    free(full);
}

static void follow(Analysis *a, Pending next)
{
    Explorer *x = a->explorer;
    const Point p = vec_at(&x->points, next.point);
    Stored *stored = &p.states.data[next.state];
    const Activation now = vec_at(&x->activations, p.activation);
    const Function *f = &a->program->functions[now.function];
    stored->queued = false;
    x->forks = 0;
    x->now = p.activation;
    x->outer = mem_alloc((now.size + 1) * sizeof *x->outer);
    memcpy(x->outer, stored->state, now.size * sizeof *x->outer);
    if (p.at == f->code_count) {
        follow_exit(a, &now, x->outer);
    } else {
        State work = to_work(a, &now, x->outer);
        analyse__block_from(a, p.activation, now.function, function_block(f, p.at), p.at, work, flow);
        free(work);
    }
    free(x->outer);
    x->outer = NULL;
}

/* False: it did not come to its end, too many states came to one point, or the target is taken. */
bool explore__once(Analysis *a)
{
    Explorer *x = a->explorer;
    explore__forget_points(x);
    memset(a->takes, 0, a->program->branch_count + 1);
    for (uint32_t i = 0; i < a->program->function_count; i++)
        if (a->memory.open[i]) start(a, i, false);
    if (a->options.whole) start(a, a->options.entries[0], true);
    while (x->queue.len && !x->failed && !x->crowded) {
        follow(a, dequeue(x));
        x->failed |= a->work > x->work_end || (x->target != UINT32_MAX && a->takes[x->target]);
    }
    return !x->failed && !x->crowded;
}
