/* A plan in words: how often each loop goes round, and how many of the turns lead through which lines. */
#include "loops/loops_int.h"

#include <stdio.h>

enum { MOST_TEXT = 600 /* characters; what comes after them is left out */ };

typedef struct Describer {
    const Program *program;
    StrBuf *out;
} Describer;

/* 1234567 as 1,234,567. */
static void add_number(StrBuf *out, uint64_t n)
{
    char digits[32];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    for (int i = 0; i < count; i++) strbuf_addf(out, "%s%c", i && (count - i) % 3 == 0 ? "," : "", digits[i]);
}

static uint32_t line_of_block(const Program *program, const Block *block, const Function *f)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        if (f->code[i].loc) return program->locs[f->code[i].loc].line;
    return 0;
}

/* The first line of the loop that has code; 0: not known. */
static uint32_t line_of_loop(const Program *program, const Node *node)
{
    const Function *f = &program->functions[node->function];
    const Loop *loop = &f->loops[node->loop];
    uint32_t first = 0;
    for (uint32_t i = 0; i < loop->block_count; i++) {
        uint32_t line = line_of_block(program, &f->blocks[loop->blocks[i]], f);
        if (line && (!first || line < first)) first = line;
    }
    return first;
}

static bool takes(const Chain *chain, uint32_t branch)
{
    for (uint32_t i = 0; i < chain->trace.len; i++)
        if (chain->trace.data[i] == branch) return true;
    return false;
}

/* The line that the last branch leads to which tells the chain from another one; 0: there is none. */
static uint32_t line_of_chain(const Program *program, const Node *node, uint32_t number)
{
    const Chain *chain = &node->chains.data[number];
    for (uint32_t i = chain->trace.len; i-- > 0;) {
        const Branch *b = &program->branches[chain->trace.data[i]];
        const Function *f = &program->functions[b->function];
        bool differs = false;
        for (uint32_t k = 0; k < node->chains.len; k++) differs |= !takes(&node->chains.data[k], chain->trace.data[i]);
        uint32_t line = differs && !b->uncounted ? line_of_block(program, &f->blocks[b->target], f) : 0;
        if (line && line != line_of_loop(program, node)) return line;
    }
    return 0;
}

/* The turns that lead through the line. */
static uint64_t turns_through(const Program *program, const PlanNode *plan, uint32_t line)
{
    uint64_t turns = 0;
    for (uint32_t i = 0; i < plan->letters.len; i++)
        if (line_of_chain(program, plan->node, plan->letters.data[i].chain) == line) turns += plan->letters.data[i].turns;
    return turns;
}

static void describe_ways(const Describer *d, const PlanNode *plan, uint64_t all)
{
    Map told = {0};
    for (uint32_t k = 0; k < plan->node->chains.len; k++) {
        uint32_t line = line_of_chain(d->program, plan->node, k);
        uint64_t turns = line ? turns_through(d->program, plan, line) : 0;
        if (!turns || map_find(&told, line)) continue;
        map_put(&told, line, 1);
        strbuf_addf(d->out, ", ");
        if (turns == all) strbuf_addf(d->out, "all");
        else add_number(d->out, turns);
        strbuf_addf(d->out, " of them through line %u", line);
    }
    map_release(&told);
}

static void describe_node(const Describer *d, const PlanNode *plan, const char *where)
{
    uint64_t all = plan->node->turns_before;
    uint32_t line = line_of_loop(d->program, plan->node);
    for (uint32_t i = 0; i < plan->letters.len; i++) all += plan->letters.data[i].turns;
    if (!line || !all || d->out->len > MOST_TEXT) return;
    strbuf_addf(d->out, "%s%sthe loop at line %u goes round ", d->out->len ? "; " : "", where, line);
    add_number(d->out, all);
    strbuf_addf(d->out, all == 1 ? " time" : " times");
    describe_ways(d, plan, all);
    for (uint32_t i = 0; i < plan->letters.len; i++)
        for (uint32_t k = 0; k < plan->letters.data[i].turn.nodes.len; k++)
            describe_node(d, plan->letters.data[i].turn.nodes.data[k], "in each such turn ");
}

void loops__describe(Loops *loops, const Plan *plan)
{
    Describer d = {loops->host.program, &loops->told};
    strbuf_release(&loops->told);
    for (uint32_t i = 0; i < plan->nodes.len; i++) describe_node(&d, plan->nodes.data[i], "");
}
