/* --target: when has a line, or a function, been reached?
 *
 * The machine keeps which branches were taken and which functions were entered.  A block without a branch into it is executed whenever the
 * block that jumps to it is, so a line counts as reached if a branch was taken that leads to its block by jumps alone, or, where that way starts at
 * the function's first block, if the function was entered. */
#include "campaign/campaign_int.h"

#include <stdlib.h>

static bool is_file(const char *path, const char *wanted)
{
    size_t n = strlen(path), k = strlen(wanted);
    return n >= k && strcmp(path + n - k, wanted) == 0 && (n == k || path[n - k - 1] == '/');
}

static bool holds_line(const Program *program, const Function *f, const Block *block, const char *file, uint32_t line)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const Loc *loc = &program->locs[f->code[i].loc];
        if (loc->line == line && loc->file && is_file(loc->file, file)) return true;
    }
    return false;
}

static void add_branches_into(Target *target, const Program *program, uint32_t function, uint32_t block)
{
    for (uint32_t i = 0; i < program->branch_count; i++)
        if (program->branches[i].function == function && program->branches[i].target == block) target->branches[i] = 1;
}

/* What must have been taken for the block to be executed. */
static void add_ways(Target *target, const Program *program, uint32_t function, uint32_t block, uint8_t *visited)
{
    const Function *f = &program->functions[function];
    if (visited[block]) return;
    visited[block] = 1;
    if (block == 0) target->functions[function] = 1;
    add_branches_into(target, program, function, block);
    for (uint32_t i = 0; i < f->blocks[block].predecessor_count; i++) {
        uint32_t from = f->blocks[block].predecessors[i];
        if (f->blocks[from].successor_count == 1) add_ways(target, program, function, from, visited);
    }
}

static bool add_line(Target *target, const Program *program, const char *file, uint32_t line)
{
    bool found = false;
    for (uint32_t i = 0; i < program->function_count; i++) {
        const Function *f = &program->functions[i];
        for (uint32_t k = 0; f->defined && !f->in_model && k < f->block_count; k++) {
            if (!holds_line(program, f, &f->blocks[k], file, line)) continue;
            uint8_t *visited = mem_alloc(f->block_count);
            add_ways(target, program, i, k, visited);
            free(visited);
            found = true;
        }
    }
    return found;
}

static bool add_function(Target *target, const Program *program, const char *name)
{
    const Function *f = program_function(program, name);
    if (!f || !f->defined) return false;
    target->functions[f - program->functions] = 1;
    return true;
}

/* A line that only sets local variables has no code of its own; then the next one that has some is meant. */
Target *target_new(const Program *program, const CampaignOptions *options, Error *error)
{
    enum { LINES = 6 };
    Target *target = mem_alloc(sizeof *target);
    target->branches = mem_alloc(program->branch_count + 1);
    target->functions = mem_alloc(program->function_count + 1);
    bool found = options->target_function && add_function(target, program, options->target_function);
    for (uint32_t i = 0; options->target_file && !found && i < LINES; i++)
        found = add_line(target, program, options->target_file, options->target_line + i);
    if (found) return target;
    target_free(target);
    if (options->target_function) fail(error, "there is no function '%s' to reach (--target-function)", options->target_function);
    else fail(error, "there is no code in %s:%u (--target)", options->target_file, options->target_line);
    return NULL;
}

void target_free(Target *target)
{
    if (!target) return;
    free(target->branches);
    free(target->functions);
    free(target);
}

bool target_reached(const Target *target, const Program *program, Vm *vm)
{
    const uint8_t *seen = vm_branches_seen(vm);
    for (uint32_t i = 0; i < program->branch_count; i++)
        if (target->branches[i] && seen[i]) return true;
    for (uint32_t i = 0; i < program->function_count; i++)
        if (target->functions[i] && vm_entered(vm, i)) return true;
    return false;
}
