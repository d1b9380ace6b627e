/* What the analysis knows at a location, for whoever wants to use it in a proof of another kind.  Only for analyses without contexts and partitions, of which
 * each function has one instance. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

struct Facts {
    Analysis *a;
    uint32_t *instances; /* per function: number + 1 */
    State **returned;    /* per function and instruction: the state after a call that comes back; made when needed */
    uint32_t function;   /* whose calls are being looked at */
};

Facts *facts_new(Analysis *a)
{
    Facts *facts = mem_alloc(sizeof *facts);
    REQUIRE(a->options.call_depth == 0 && !a->options.partition, "facts are those of an analysis without contexts");
    facts->a = a;
    facts->instances = mem_alloc((a->program->function_count + 1) * sizeof *facts->instances);
    facts->returned = mem_alloc((a->program->function_count + 1) * sizeof *facts->returned);
    for (uint32_t i = 0; i < a->instances.len; i++) facts->instances[a->instances.data[i].function] = i + 1;
    return facts;
}

void facts_free(Facts *facts)
{
    for (uint32_t f = 0; f < facts->a->program->function_count; f++) {
        for (uint32_t i = 0; facts->returned[f] && i < facts->a->program->functions[f].code_count; i++) free(facts->returned[f][i]);
        free(facts->returned[f]);
    }
    free(facts->returned);
    free(facts->instances);
    free(facts);
}

static void on_call(void *data, uint32_t instance, const Instr *call, const uint32_t *state)
{
    Facts *facts = data;
    const Function *f = &facts->a->program->functions[facts->function];
    uint32_t never = 0;
    (void)instance;
    analyse__join(facts->a, &facts->returned[facts->function][call - f->code], state, analyse__state_size(facts->a, facts->function),
                  &never);
}

static void ignore_flow(Analysis *a, uint32_t instance, uint32_t from, uint32_t to, const uint32_t *state)
{
    (void)a, (void)instance, (void)from, (void)to, (void)state;
}

static void look_at_calls(Facts *facts, uint32_t function)
{
    Analysis *a = facts->a;
    const Function *f = &a->program->functions[function];
    uint32_t instance = facts->instances[function] - 1, size = analyse__state_size(a, function);
    State state = mem_alloc((size + 1) * sizeof *state);
    facts->returned[function] = mem_alloc((f->code_count + 1) * sizeof(State));
    facts->function = function;
    a->on_call = on_call;
    a->on_call_data = facts;
    for (uint32_t b = 0; b < f->block_count; b++) {
        if (!vec_at(&a->instances, instance).blocks[b]) continue;
        memcpy(state, vec_at(&a->instances, instance).blocks[b], size * sizeof *state);
        analyse__block(a, instance, b, state, ignore_flow);
    }
    free(state);
}

FactState facts_at_block(Facts *facts, uint32_t function, uint32_t block)
{
    if (!facts->instances[function]) return (FactState){0};
    return (FactState){vec_at(&facts->a->instances, facts->instances[function] - 1).blocks[block], function};
}

FactState facts_after_call(Facts *facts, uint32_t function, uint32_t call)
{
    if (!facts->instances[function]) return (FactState){0};
    if (!facts->returned[function]) look_at_calls(facts, function);
    return (FactState){facts->returned[function][call], function};
}

const Value *facts_register(const Facts *facts, FactState at, uint32_t reg)
{
    return at.state && at.state[reg] ? &vec_at(&facts->a->values.list, at.state[reg]) : NULL;
}

const Value *facts_cell(const Facts *facts, FactState at, uint32_t object, uint32_t offset, uint32_t *start)
{
    const Memory *m = &facts->a->memory;
    const Object *o = &vec_at(&m->objects, object);
    uint32_t registers = facts->a->program->functions[at.function].register_count;
    for (uint32_t i = 0; at.state && i < o->cell_count; i++) {
        const Cell *cell = &vec_at(&m->cells, o->first_cell + i);
        if (offset < cell->offset || offset >= cell->offset + cell->bytes || !at.state[registers + cell->slot]) continue;
        *start = cell->offset;
        return &vec_at(&facts->a->values.list, at.state[registers + cell->slot]);
    }
    return NULL;
}
