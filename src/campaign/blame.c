/* Which inputs are to blame for a bug.
 *
 * That is read off the path: the condition under which the faulty operation went wrong is the last one, and the inputs that this condition depends on
 * are those that decide it.  An input that no branch before has asked about is one that the function takes as it is. */
#include "campaign/campaign_int.h"
#include "vm/observer.h"

#include <stdlib.h>

enum { MOST_BLAMED = 8 /* names of inputs; with more of them, no single one is to blame */ };

/* Does the condition stand on the path because of verification results, or of an assumption? */
static bool is_guidance(const Program *program, const VmCondition *c)
{
    if (c->kind != CONDITION_BRANCH || c->branch == UINT32_MAX) return c->kind == CONDITION_ASSUME;
    return program->branches[c->branch - program->branches[c->branch].which].objective;
}

/* How many of the last conditions decided the faulty operation; 0: nothing symbolic did.  An address is decided by the object that its pointer
 * points to, and after that by numbers which are added and fixed to what they are. */
static uint32_t deciding_conditions(const Program *program, Vm *vm, const VmStop *stop)
{
    uint32_t n = vm_path_length(vm), line = program->locs[stop->loc].line, count = 0;
    while (count < n) {
        const VmCondition *c = vm_condition(vm, n - 1 - count);
        bool here = program->locs[c->loc].line == line;
        if (stop->bug == BUG_ASSERTION || stop->bug == BUG_WRONG_VERDICT) return here;
        if (c->kind == CONDITION_OBJECT) return count + 1;
        if (count == 0 && c->kind == CONDITION_CHECK && !c->holds) return 1;
        if (here && is_guidance(program, c)) return count + 1; /* guidance by verification results decided the same before */
        if (c->kind != CONDITION_CONCRETE || !here) break;
        count++;
    }
    return count;
}

static void add_variables(ExprPool *pool, Expr condition, StrBuf *names, uint32_t *count)
{
    Vec(Expr) work = {0};
    Map visited = {0};
    vec_push(&work, condition);
    while (work.len) {
        Expr e = work.data[--work.len];
        if (map_find(&visited, e)) continue;
        map_put(&visited, e, 1);
        ExprKind kind = expr_kind(pool, e);
        if (kind == EXPR_VAR && ++*count <= MOST_BLAMED) strbuf_addf(names, "%s ", expr_var_name(pool, e));
        for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(&work, expr_operand(pool, e, i));
    }
    vec_release(&work);
    map_release(&visited);
}

/* The first of the pointers to blame that is NULL, where each of several may be. */
const RecordInput *campaign__blamed_null(const Record *record)
{
    for (const char *name = record->blame; name && *name;) {
        size_t n = strcspn(name, " ");
        for (uint32_t i = 0; i < record->inputs.len; i++) {
            const RecordInput *one = &vec_at(&record->inputs, i);
            if (one->type == 'p' && !one->bits && strlen(one->name) == n && strncmp(one->name, name, n) == 0) return one;
        }
        name += n + (name[n] != 0);
    }
    return NULL;
}

static bool is_null_pointer(const Record *record, const char *name)
{
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const RecordInput *input = &vec_at(&record->inputs, i);
        if (strcmp(input->name, name) == 0) return input->type == 'p' && input->bits == 0;
    }
    return false;
}

/* Says the condition that a pointer is NULL because the program has used it?  Where it has asked `p == NULL`, it answers for what follows. */
static bool is_use(ExprPool *pool, const VmCondition *c)
{
    if (c->kind == CONDITION_ASSUME) return false;
    Expr e = c->condition;
    while (expr_kind(pool, e) == EXPR_NOT) e = expr_operand(pool, e, 0);
    if (c->kind != CONDITION_BRANCH || expr_kind(pool, e) != EXPR_EQ) return true;
    return !expr_is_const(pool, expr_operand(pool, e, 0)) && !expr_is_const(pool, expr_operand(pool, e, 1));
}

/* Adds the pointers that an earlier condition of the path has decided to be NULL.  The address that is computed from one depends on no input any more, so the
 * last condition does not name them. */
static void add_decided_nulls(const Record *record, Vm *vm, StrBuf *names)
{
    ExprPool *pool = vm_pool(vm);
    Vec(Expr) work = {0};
    Map visited = {0};
    for (uint32_t i = 0; i < vm_path_length(vm); i++)
        if (is_use(pool, vm_condition(vm, i))) vec_push(&work, vm_condition(vm, i)->condition);
    while (work.len) {
        Expr e = work.data[--work.len];
        if (map_find(&visited, e)) continue;
        map_put(&visited, e, 1);
        ExprKind kind = expr_kind(pool, e);
        if (kind == EXPR_VAR && is_null_pointer(record, expr_var_name(pool, e))) strbuf_addf(names, "%s ", expr_var_name(pool, e));
        for (unsigned k = 0; k < expr_operand_count(kind); k++) vec_push(&work, expr_operand(pool, e, k));
    }
    vec_release(&work);
    map_release(&visited);
}

/* An address that is just before one of the harness's objects was reached by going back from there, whatever other object happens to be nearer. */
static char *before_object(const Record *record, uint64_t address)
{
    enum { NEAR = 64 }; /* bytes.  A guess. */
    const RecordSeen *found = NULL;
    for (uint32_t i = 0; i < record->seen.len; i++) {
        const RecordSeen *seen = &vec_at(&record->seen, i);
        if (seen->type == 'o' && seen->address > address && seen->address - address <= NEAR && (!found || seen->address < found->address))
            found = seen;
    }
    return found ? mem_format("%s:%lld", found->name, (long long)(address - found->address)) : NULL;
}

/* Has a branch of the path, before the conditions that decide the fault, asked about the input? */
static NameMap asked_inputs(Vm *vm, uint32_t deciding)
{
    ExprPool *pool = vm_pool(vm);
    NameMap asked = {0};
    Vec(Expr) work = {0};
    Map visited = {0};
    for (uint32_t i = 0; i + deciding < vm_path_length(vm); i++) {
        const VmCondition *c = vm_condition(vm, i);
        if (c->kind == CONDITION_BRANCH || c->kind == CONDITION_SUMMARY) vec_push(&work, c->condition);
    }
    while (work.len) {
        Expr e = work.data[--work.len];
        if (map_find(&visited, e)) continue;
        map_put(&visited, e, 1);
        ExprKind kind = expr_kind(pool, e);
        if (kind == EXPR_VAR) names_put(&asked, expr_var_name(pool, e), 1);
        for (unsigned k = 0; k < expr_operand_count(kind); k++) vec_push(&work, expr_operand(pool, e, k));
    }
    vec_release(&work);
    map_release(&visited);
    return asked;
}

static char *unasked_inputs(const Record *record, Vm *vm, uint32_t deciding)
{
    NameMap asked = asked_inputs(vm, deciding);
    StrBuf names = {0};
    for (const char *name = record->blame; name && *name;) {
        size_t n = strcspn(name, " ");
        char *input = mem_format("%.*s", (int)n, name);
        if (!names_find(&asked, input)) strbuf_addf(&names, "%s ", input);
        free(input);
        name += n + (name[n] != 0);
    }
    char *text = names.len ? mem_strdup(names.text) : NULL;
    strbuf_release(&names);
    names_release(&asked);
    return text;
}

/* A search does not observe the harness's objects, so the name of a variable has to do. */
static const char *name_of_object(Vm *vm, uint64_t start)
{
    VmObject object;
    return vm_object(vm, start, &object) && object.is_heap ? RECORD_ALLOCATED : vm_name_of_global(vm, start);
}

void campaign__blame(Record *record, const Program *program, Vm *vm, const VmStop *stop)
{
    StrBuf names = {0};
    uint32_t count = 0, length = vm_path_length(vm), deciding = deciding_conditions(program, vm, stop);
    for (uint32_t i = 0; i < deciding; i++) add_variables(vm_pool(vm), vm_condition(vm, length - 1 - i)->condition, &names, &count);
    if (names.len && count <= MOST_BLAMED) record->blame = mem_strdup(names.text);
    if ((stop->bug == BUG_NULL_DEREFERENCE || (stop->bug == BUG_OUT_OF_BOUNDS && !stop->object)) && !campaign__blamed_null(record)) {
        if (!record->blame) strbuf_clear(&names);
        add_decided_nulls(record, vm, &names);
        free(record->blame);
        record->blame = names.len ? mem_strdup(names.text) : NULL;
    }
    strbuf_release(&names);
    for (uint32_t i = 0; stop->object && i < record->seen.len && !record->object; i++) {
        const RecordSeen *seen = &vec_at(&record->seen, i);
        if (seen->type == 'o' && seen->address == stop->object) record->object = mem_format("%s:%lld", seen->name, (long long)stop->offset);
    }
    if (stop->object && !record->object) record->object = before_object(record, stop->object + (uint64_t)stop->offset);
    if (stop->object && !record->object) record->object = mem_format("%s:%lld", name_of_object(vm, stop->object), (long long)stop->offset);
    record->unasked = unasked_inputs(record, vm, deciding);
}

/* ---- what a function is given ---- */

static bool only_reads(const Program *program, const Function *f);

/* Does the instruction leave memory as it is?  Then it neither writes there nor calls what may. */
static bool keeps_memory(const Program *program, const Function *f, const Instr *i, unsigned depth)
{
    switch (i->op) {
    case OP_STORE:
    case OP_MEMCPY:
    case OP_MEMMOVE:
    case OP_MEMSET: return false;
    case OP_CALL: {
        uint32_t callee = f->calls[i->imm].callee;
        return depth == 0 && callee != UINT32_MAX && only_reads(program, &program->functions[callee]);
    }
    default: return true;
    }
}

static bool only_reads(const Program *program, const Function *f)
{
    for (uint32_t i = 0; i < f->code_count; i++)
        if (!keeps_memory(program, f, &f->code[i], 1)) return false;
    return f->defined;
}

static bool stands_on(const Program *program, const Function *f, uint32_t block, uint32_t line)
{
    for (uint32_t i = f->blocks[block].first; i < f->blocks[block].first + f->blocks[block].count; i++)
        if (program->locs[f->code[i].loc].line == line) return true;
    return false;
}

/* Does the block change nothing up to the line, or to its end if it has no code of the line? */
static bool changes_nothing(const Program *program, const Function *f, const Block *block, uint32_t line)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        if (program->locs[f->code[i].loc].line == line) return true;
        if (!keeps_memory(program, f, &f->code[i], 0)) return false;
    }
    return true;
}

bool campaign__is_at_entry(const Program *program, const Record *record)
{
    const Function *f = program_function(program, record->function);
    if (!f || !f->defined) return false;
    uint8_t *seen = mem_alloc(f->block_count + 1);
    Vec(uint32_t) work = {0};
    bool found = true;
    for (uint32_t b = 0; b < f->block_count; b++) {
        seen[b] = stands_on(program, f, b, record->line);
        if (seen[b]) vec_push(&work, b);
    }
    while (work.len && found) {
        const Block *block = &f->blocks[work.data[--work.len]];
        found = block->loop == UINT32_MAX && changes_nothing(program, f, block, record->line);
        for (uint32_t i = 0; i < block->predecessor_count; i++) {
            uint32_t b = block->predecessors[i];
            if (!seen[b]) vec_push(&work, b);
            seen[b] = 1;
        }
    }
    free(seen);
    vec_release(&work);
    return found;
}
