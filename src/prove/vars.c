/* The variables of predicates: registers of the functions that are being executed, bytes of memory, results, addresses, and inputs. */
#include "prove/prove_int.h"

#include <stdlib.h>

enum { DEPTH_BITS = 6, OFFSET_BITS = 16, INDEX_BITS = 24, FUNCTION_BITS = 15 };

void vars_init(Vars *vars, const Program *program, const Memory *memory)
{
    REQUIRE(program->function_count < 1u << FUNCTION_BITS, "too many functions");
    *vars = (Vars){.program = program, .memory = memory, .pool = expr_pool_new()};
    vars->widths = mem_alloc((program->function_count + 1) * sizeof *vars->widths);
}

void vars_release(Vars *vars)
{
    for (uint32_t f = 0; f < vars->program->function_count; f++) free(vars->widths[f]);
    free(vars->widths);
    map_release(&vars->numbers);
    map_release(&vars->flags);
    vec_release(&vars->infos);
    vec_release(&vars->facts);
    expr_pool_free(vars->pool);
}

static uint64_t key_of(const VarInfo *info)
{
    return (uint64_t)info->kind << (DEPTH_BITS + OFFSET_BITS + INDEX_BITS + FUNCTION_BITS) |
           (uint64_t)info->depth << (OFFSET_BITS + INDEX_BITS + FUNCTION_BITS) | (uint64_t)info->offset << (INDEX_BITS + FUNCTION_BITS) |
           (uint64_t)info->index << FUNCTION_BITS | info->function;
}

static Expr make(Vars *vars, VarInfo info, unsigned width)
{
    static const char *const names[] = {"register", "local", "global", "result", "address", "input"};
    Expr var = expr_var(vars->pool, width, names[info.kind]);
    REQUIRE(expr_var_index(vars->pool, var) == vars->infos.len, "variables are made here only");
    vec_push(&vars->infos, info);
    return var;
}

/* Addresses of locals, and of what the program defines, differ from NULL. */
static bool is_not_null(const Vars *vars, const VarInfo *info)
{
    if (info->kind == VAR_REGISTER) {
        const Function *f = &vars->program->functions[info->function];
        uint32_t object = vars->memory->registers[info->function][info->index].object;
        if (!object) return false;
        const Object *o = &vec_at(&vars->memory->objects, object - 1);
        return o->function == info->function && f->code[o->index].dst == info->index;
    }
    if (info->kind != VAR_ADDRESS) return false;
    const Symbol *s = &vars->program->symbols[info->index];
    if (s->kind == SYMBOL_GLOBAL) return vars->program->globals[s->index].defined;
    return s->kind == SYMBOL_FUNCTION && vars->program->functions[s->index].defined;
}

Expr vars_get(Vars *vars, VarInfo info, unsigned width)
{
    assert(info.index < 1u << INDEX_BITS && info.offset < 1u << OFFSET_BITS && info.depth < 1u << DEPTH_BITS);
    uint64_t key = key_of(&info);
    const uint64_t *known = map_find(&vars->numbers, key);
    if (known) return (Expr)*known;
    Expr var = make(vars, info, width);
    map_put(&vars->numbers, key, var);
    if (is_not_null(vars, &info)) {
        Expr null = expr_eq(vars->pool, var, expr_const(vars->pool, width, 0));
        vec_push(&vars->facts, expr_not(vars->pool, null));
    }
    return var;
}

Expr vars_input(Vars *vars, unsigned width)
{
    return make(vars, (VarInfo){.kind = VAR_INPUT}, width);
}

/* ---- widths of registers ---- */

static uint32_t result_width(const Instr *instr)
{
    switch (instr->op) {
    case OP_ICMP:
    case OP_FCMP: return 1;
    case OP_ALLOCA:
    case OP_ADDRESS:
    case OP_STACKSAVE: return 64;
    default: return instr->width;
    }
}

static void note_width(uint32_t *widths, uint32_t reg, uint32_t width)
{
    if (width == 0 || width > 64 || (widths[reg] && widths[reg] != width)) width = UINT32_MAX;
    widths[reg] = width;
}

static void find_widths(Vars *vars, uint32_t function)
{
    const Function *f = &vars->program->functions[function];
    uint32_t *widths = vars->widths[function] = mem_alloc((f->register_count + 1) * sizeof *widths);
    for (uint32_t i = 0; i < f->param_count; i++) note_width(widths, f->params[i].reg, f->params[i].type.width);
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (instr->dst == OPERAND_NONE || (instr->op == OP_CALL && f->calls[instr->imm].result_count == 0)) continue;
        note_width(widths, instr->dst, instr->op == OP_CALL ? f->calls[instr->imm].results[0].width : result_width(instr));
    }
}

uint32_t vars_width(Vars *vars, uint32_t function, uint32_t reg)
{
    if (!vars->widths[function]) find_widths(vars, function);
    uint32_t width = vars->widths[function][reg];
    return width == UINT32_MAX ? 0 : width;
}

/* ---- what an expression contains ---- */

static bool has_name(const Vars *vars, const VarInfo *info)
{
    if (info->kind == VAR_REGISTER) return vars->program->functions[info->function].register_origins[info->index] != ORIGIN_NONE;
    return info->kind != VAR_ADDRESS || vars->program->symbols[info->index].kind != SYMBOL_LABEL;
}

static bool has_word(ExprKind kind)
{
    return (kind >= EXPR_ADD && kind <= EXPR_ITE) || kind == EXPR_CONST;
}

static unsigned own_flags(const Vars *vars, Expr e)
{
    ExprKind kind = expr_kind(vars->pool, e);
    if (kind == EXPR_UNDEF) return HAS_INPUT;
    if (kind != EXPR_VAR) return has_word(kind) ? 0 : HAS_UNNAMED | HAS_STATE;
    const VarInfo *info = vars_info(vars, e);
    return info->kind == VAR_INPUT ? HAS_INPUT : HAS_STATE | (has_name(vars, info) ? 0 : HAS_UNNAMED);
}

unsigned vars_flags(Vars *vars, Expr e)
{
    const uint64_t *known = map_find(&vars->flags, e);
    if (known) return (unsigned)*known;
    unsigned flags = own_flags(vars, e);
    for (unsigned i = 0; i < expr_operand_count(expr_kind(vars->pool, e)); i++)
        flags |= vars_flags(vars, expr_operand(vars->pool, e, i));
    map_put(&vars->flags, e, flags);
    return flags;
}
