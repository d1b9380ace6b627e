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
    expr_pool_free(vars->pool);
}

static uint64_t key_of(const VarInfo *info)
{
    if (info->kind == VAR_MEMORY) return (uint64_t)VAR_MEMORY << 61 | info->index;
    return (uint64_t)info->kind << (DEPTH_BITS + OFFSET_BITS + INDEX_BITS + FUNCTION_BITS) |
           (uint64_t)info->depth << (OFFSET_BITS + INDEX_BITS + FUNCTION_BITS) | (uint64_t)info->offset << (INDEX_BITS + FUNCTION_BITS) |
           (uint64_t)info->index << FUNCTION_BITS | info->function;
}

static Expr make(Vars *vars, VarInfo info, unsigned width)
{
    static const char *const names[] = {"register", "local", "global", "result", "memory", "address", "input"};
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
    assert(info.kind == VAR_MEMORY || info.index < 1u << INDEX_BITS);
    assert(info.offset < 1u << OFFSET_BITS && info.depth < 1u << DEPTH_BITS);
    uint64_t key = key_of(&info);
    const uint64_t *known = map_find(&vars->numbers, key);
    if (known) return (Expr)*known;
    Expr var = make(vars, info, width);
    map_put(&vars->numbers, key, var);
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

static unsigned own_flags(Vars *vars, Expr e)
{
    ExprKind kind = expr_kind(vars->pool, e);
    if (kind == EXPR_UNDEF) return HAS_INPUT;
    if (kind != EXPR_VAR) return has_word(kind) ? 0 : HAS_UNNAMED | HAS_STATE;
    const VarInfo *info = vars_info(vars, e);
    if (info->kind == VAR_MEMORY) return vars_flags(vars, info->index) | HAS_STATE;
    if (info->kind == VAR_INPUT) return HAS_INPUT;
    return HAS_STATE | (has_name(vars, info) ? 0 : HAS_UNNAMED) | (is_not_null(vars, info) ? HAS_ADDRESS : 0);
}

unsigned vars_flags(Vars *vars, Expr e)
{
    const uint64_t *known = map_find(&vars->flags, e);
    if (known) return (unsigned)*known;
    unsigned flags = own_flags(vars, e);
    for (unsigned i = 0; i < expr_operand_count(expr_kind(vars->pool, e)); i++) flags |= vars_flags(vars, expr_operand(vars->pool, e, i));
    map_put(&vars->flags, e, flags);
    return flags;
}

/* ---- addresses ---- */

Expr vars_base(const Vars *vars, Expr address, uint64_t *offset)
{
    ExprPool *pool = vars->pool;
    *offset = 0;
    while (expr_kind(pool, address) == EXPR_ADD) {
        Expr a = expr_operand(pool, address, 0), b = expr_operand(pool, address, 1);
        if (expr_is_const(pool, a)) *offset += (uint64_t)expr_value(pool, a), address = b;
        else if (expr_is_const(pool, b)) *offset += (uint64_t)expr_value(pool, b), address = a;
        else break;
    }
    return expr_is_const(pool, address) ? 0 : address;
}

Spot vars_spot(const Vars *vars, Expr address)
{
    Spot spot = {0};
    Expr base = vars_base(vars, address, &spot.offset);
    if (!base || expr_kind(vars->pool, base) != EXPR_VAR) return spot;
    const VarInfo *info = vars_info(vars, base);
    uint32_t object = 0;
    if (info->kind == VAR_REGISTER && is_not_null(vars, info)) {
        object = vars->memory->registers[info->function][info->index].object;
    } else if (info->kind == VAR_ADDRESS) {
        const Symbol *s = &vars->program->symbols[info->index];
        if (s->kind == SYMBOL_GLOBAL) object = vars->memory->global_objects[s->index];
    }
    if (!object || spot.offset >= vec_at(&vars->memory->objects, object - 1).size) return spot;
    spot.object = object;
    spot.depth = info->kind == VAR_REGISTER ? info->depth : 0;
    return spot;
}

Expr vars_address(Vars *vars, uint32_t object, uint32_t depth, uint64_t offset)
{
    const Object *o = &vec_at(&vars->memory->objects, object);
    Expr base;
    if (o->function == UINT32_MAX) {
        base = vars_get(vars, (VarInfo){VAR_ADDRESS, 0, 0, vars->program->globals[o->index].symbol, 0}, 64);
    } else {
        const Function *f = &vars->program->functions[o->function];
        base = vars_get(vars, (VarInfo){VAR_REGISTER, depth, o->function, f->code[o->index].dst, 0}, 64);
    }
    return expr_add(vars->pool, base, expr_const(vars->pool, 64, offset));
}

uint32_t vars_function(const Vars *vars, Expr address)
{
    if (expr_kind(vars->pool, address) != EXPR_VAR) return 0;
    const VarInfo *info = vars_info(vars, address);
    if (info->kind != VAR_ADDRESS || !is_not_null(vars, info)) return 0;
    const Symbol *s = &vars->program->symbols[info->index];
    return s->kind == SYMBOL_FUNCTION ? s->index + 1 : 0;
}
