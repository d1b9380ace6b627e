/* From a function of the program to the codes the dispatch loop executes, on the function's first call.
 *
 * Constants that do not fit an immediate become registers of the frame, filled at the call.  Neighbouring instructions are fused where the
 * intermediate value has no other reader: compare and branch; sign extension, address and load or store.  An access knows the pointer its address
 * was computed from (in the same block), so that an index that leaves one object for another is noticed.  Each code keeps its
 * Origin: the instructions it stands for, which the reference interpreter executes whenever the code itself cannot. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <stdlib.h>

typedef struct Fixup {
    uint32_t code, block;
} Fixup;

typedef struct Preparer {
    Vm *vm;
    const Program *program;
    const Function *function;
    Prepared *out;
    Vec(Code) code;
    Vec(Origin) origin;
    Vec(Fixup) fixups; /* code.d is to become the distance to the block */
    Vec(uint64_t) consts;
    Map const_registers;  /* constant -> register */
    uint32_t *uses;       /* readers of each register */
    uint32_t *address_of; /* per register: 1 + instruction (ADDRESS in the current block) that computed it */
    uint32_t block;       /* being translated */
    uint32_t steps;       /* instructions since the last counting code */
} Preparer;

/* ---- operands ---- */

static bool fits_immediate(const Preparer *p, Operand operand, unsigned width, bool zero_extend, uint32_t *immediate)
{
    if (!operand_is_const(operand) || width > 64) return false;
    const Const *c = &p->program->consts[operand_index(operand)];
    if (c->undef) return false;
    uint64_t value = (uint64_t)p->vm->consts[operand_index(operand)];
    if (zero_extend) {
        if (value > UINT32_MAX) return false;
    } else {
        int64_t number = width < 32 ? (int64_t)value : arith_sext64(value, width);
        if (number < INT32_MIN || number > INT32_MAX) return false;
    }
    *immediate = (uint32_t)value;
    return true;
}

/* The register that holds the operand; a constant gets one of its own. */
static bool register_of(Preparer *p, Operand operand, uint32_t *reg)
{
    if (operand == OPERAND_NONE) return false;
    if (operand_is_reg(operand)) {
        *reg = operand_index(operand);
        return true;
    }
    uint32_t index = operand_index(operand);
    const Const *c = &p->program->consts[index];
    if (c->undef || c->width > 64) return false;
    uint64_t *known = map_find(&p->const_registers, index);
    if (!known) {
        map_put(&p->const_registers, index, p->function->register_count + p->consts.len);
        *reg = p->function->register_count + p->consts.len;
        vec_push(&p->consts, (uint64_t)p->vm->consts[index]);
    } else {
        *reg = (uint32_t)*known;
    }
    return true;
}

static void emit(Preparer *p, Code code, uint32_t instr, uint32_t instrs, uint32_t codes)
{
    vec_push(&p->code, code);
    vec_push(&p->origin, ((Origin){instr, (uint16_t)instrs, (uint16_t)codes}));
}

static void emit_one(Preparer *p, Code code, uint32_t instr)
{
    emit(p, code, instr, 1, 1);
}

static uint16_t take_steps(Preparer *p, uint32_t more)
{
    uint32_t steps = p->steps + more;
    p->steps = 0;
    return (uint16_t)(steps > UINT16_MAX ? UINT16_MAX : steps);
}

/* ---- computing instructions ---- */

static uint16_t pick(unsigned width, uint16_t at32, uint16_t at64, uint16_t narrow)
{
    return width == 32 ? at32 : width == 64 ? at64 : narrow;
}

enum { NONE = UINT16_MAX };

/* The _RR code of an integer operation, NONE where the reference interpreter must do it. */
static uint16_t integer_code(const Instr *i)
{
    unsigned w = i->width;
    bool checked = i->flags & FLAG_NSW;
    if (w > 64) return NONE;
    switch (i->op) {
    case OP_ADD: return checked ? pick(w, CODE_ADDS32_RR, CODE_ADDS64_RR, NONE) : pick(w, CODE_ADD32_RR, CODE_ADD64_RR, CODE_ADDN_RR);
    case OP_SUB: return checked ? pick(w, CODE_SUBS32_RR, CODE_SUBS64_RR, NONE) : pick(w, CODE_SUB32_RR, CODE_SUB64_RR, CODE_SUBN_RR);
    case OP_MUL: return checked ? pick(w, CODE_MULS32_RR, CODE_MULS64_RR, NONE) : pick(w, CODE_MUL32_RR, CODE_MUL64_RR, CODE_MULN_RR);
    case OP_AND: return CODE_AND64_RR;
    case OP_OR: return pick(w, CODE_OR32_RR, CODE_OR64_RR, CODE_OR64_RR);
    case OP_XOR: return pick(w, CODE_XOR32_RR, CODE_XOR64_RR, CODE_XOR64_RR);
    case OP_SHL: return pick(w, CODE_SHL32_RR, CODE_SHL64_RR, NONE);
    case OP_LSHR: return pick(w, CODE_LSHR32_RR, CODE_LSHR64_RR, NONE);
    case OP_ASHR: return pick(w, CODE_ASHR32_RR, CODE_ASHR64_RR, NONE);
    case OP_UDIV: return CODE_UDIV_RR;
    case OP_UREM: return CODE_UREM_RR;
    case OP_SDIV: return pick(w, CODE_SDIV32_RR, CODE_SDIV64_RR, NONE);
    case OP_SREM: return pick(w, CODE_SREM32_RR, CODE_SREM64_RR, NONE);
    default: return NONE;
    }
}

static bool emit_integer(Preparer *p, const Instr *i, uint32_t at)
{
    uint16_t code = integer_code(i);
    uint32_t a, b;
    if (code == NONE || !register_of(p, i->a, &a)) return false;
    bool positive_only = i->op == OP_UDIV || i->op == OP_UREM || (i->width != 32 && i->width != 64);
    if (fits_immediate(p, i->b, i->width, false, &b) && !(positive_only && (int32_t)b < 0)) code++;
    else if (!register_of(p, i->b, &b)) return false;
    emit_one(p, (Code){code, i->width, i->dst, a, b}, at);
    return true;
}

/* The SET_…_RR code of a comparison. */
static uint16_t compare_code(const Instr *i)
{
    static const uint16_t narrow[] = {CODE_SET_EQ_RR, CODE_SET_NE_RR, CODE_SET_UGT_RR, CODE_SET_UGE_RR, CODE_SET_ULT_RR, CODE_SET_ULE_RR};
    static const uint16_t at32[] = {CODE_SET_SGT32_RR, CODE_SET_SGE32_RR, CODE_SET_SLT32_RR, CODE_SET_SLE32_RR};
    static const uint16_t at64[] = {CODE_SET_SGT64_RR, CODE_SET_SGE64_RR, CODE_SET_SLT64_RR, CODE_SET_SLE64_RR};
    if (i->width > 64) return NONE;
    if (i->predicate <= PRED_ULE) return narrow[i->predicate];
    return i->width == 32 ? at32[i->predicate - PRED_SGT] : i->width == 64 ? at64[i->predicate - PRED_SGT] : NONE;
}

/* The comparison as a code that sets d; the caller may turn it into a jump (two further on). */
static bool build_compare(Preparer *p, const Instr *i, Code *code)
{
    uint16_t op = compare_code(i);
    uint32_t a, b;
    if (op == NONE || !register_of(p, i->a, &a)) return false;
    if (fits_immediate(p, i->b, i->width, i->predicate <= PRED_ULE, &b)) op++;
    else if (!register_of(p, i->b, &b)) return false;
    *code = (Code){op, 0, i->dst, a, b};
    return true;
}

static uint16_t unary_code(const Instr *i)
{
    unsigned to = i->width, from = i->width2;
    switch (i->op) {
    case OP_MOV: return to <= 64 ? CODE_MOV : NONE;
    case OP_ZEXT: return to <= 64 ? CODE_MOV : NONE;
    case OP_TRUNC: return from > 64 ? NONE : to == 32 ? CODE_TRUNC32 : CODE_MASK;
    case OP_SEXT:
        if (to == 32) return from == 8 ? CODE_SEXT8_32 : from == 16 ? CODE_SEXT16_32 : NONE;
        if (to == 64) return from == 8 ? CODE_SEXT8_64 : from == 16 ? CODE_SEXT16_64 : from == 32 ? CODE_SEXT32_64 : NONE;
        return NONE;
    case OP_FTOF: return to == 64 && from == 32 ? CODE_F32_F64 : to == 32 && from == 64 ? CODE_F64_F32 : NONE;
    case OP_SITOF:
        if (from == 32) return to == 64 ? CODE_I32_F64 : to == 32 ? CODE_I32_F32 : NONE;
        return from == 64 && to == 64 ? CODE_I64_F64 : NONE;
    case OP_UITOF: return from <= 64 && to == 64 ? CODE_U64_F64 : NONE;
    case OP_FTOSI: return to == 32 && from == 64 ? CODE_F64_I32 : NONE;
    case OP_FNEG: return to == 32 ? CODE_FNEG32 : to == 64 ? CODE_FNEG64 : NONE;
    default: return NONE;
    }
}

static bool emit_unary(Preparer *p, const Instr *i, uint32_t at)
{
    uint16_t code = unary_code(i);
    uint32_t a;
    if (code == NONE) return false;
    if (i->op == OP_MOV && i->width >= 32 && fits_immediate(p, i->a, i->width, i->width == 32, &a)) {
        if (i->width == 64 || (int32_t)a >= 0) {
            emit_one(p, (Code){CODE_MOVI, 0, i->dst, 0, a}, at);
            return true;
        }
    }
    if (!register_of(p, i->a, &a)) return false;
    emit_one(p, (Code){code, i->width, i->dst, a, 0}, at);
    return true;
}

static bool emit_float(Preparer *p, const Instr *i, uint32_t at)
{
    bool wide = i->width == 64;
    uint16_t code;
    uint32_t a, b;
    if (i->width != 32 && i->width != 64) return false;
    switch (i->op) {
    case OP_FADD: code = wide ? CODE_FADD64 : CODE_FADD32; break;
    case OP_FSUB: code = wide ? CODE_FSUB64 : CODE_FSUB32; break;
    case OP_FMUL: code = wide ? CODE_FMUL64 : CODE_FMUL32; break;
    case OP_FDIV: code = wide ? CODE_FDIV64 : CODE_FDIV32; break;
    case OP_FCMP: code = wide ? CODE_FCMP64 : CODE_FCMP32; break;
    default: return false;
    }
    if (!register_of(p, i->a, &a) || !register_of(p, i->b, &b)) return false;
    emit_one(p, (Code){code, i->predicate, i->dst, a, b}, at);
    return true;
}

static bool emit_select(Preparer *p, const Instr *i, uint32_t at)
{
    uint32_t a, b, c;
    if (i->width > 64 || (i->imm >= 0 && p->vm->options.exploring)) return false;
    if (!register_of(p, i->a, &a) || !register_of(p, i->b, &b) || !register_of(p, i->c, &c) || c > UINT16_MAX) return false;
    emit_one(p, (Code){CODE_SELECT, (uint16_t)c, i->dst, a, b}, at);
    return true;
}

/* ---- memory ---- */

/* How an address is formed: base register and constant offset, or base, index and scale. */
typedef struct Way {
    enum { WAY_OFF, WAY_X64, WAY_X32 } kind;
    uint32_t base, index; /* index register, or the offset */
    uint16_t scale;
} Way;

static uint64_t scale_of(const Preparer *p, const Instr *i)
{
    return (uint64_t)p->vm->consts[operand_index(i->c)];
}

static bool way_of(Preparer *p, const Instr *i, Way *way)
{
    if (!register_of(p, i->a, &way->base)) return false;
    if (i->b == OPERAND_NONE) {
        if (i->imm < INT32_MIN || i->imm > INT32_MAX) return false;
        way->kind = WAY_OFF;
        way->index = (uint32_t)i->imm;
        return true;
    }
    uint64_t scale = scale_of(p, i);
    if (scale > UINT16_MAX || (i->width2 != 64 && i->width2 != 32) || !register_of(p, i->b, &way->index)) return false;
    way->kind = i->width2 == 64 ? WAY_X64 : WAY_X32;
    way->scale = (uint16_t)scale;
    return true;
}

static uint16_t access_code(const Instr *i, bool store)
{
    switch (i->width) {
    case 1: return store ? CODE_STORE8_OFF : NONE; /* a load must cut the bit out */
    case 8: return store ? CODE_STORE8_OFF : CODE_LOAD8_OFF;
    case 16: return store ? CODE_STORE16_OFF : CODE_LOAD16_OFF;
    case 32: return store ? CODE_STORE32_OFF : CODE_LOAD32_OFF;
    case 64: return store ? CODE_STORE64_OFF : CODE_LOAD64_OFF;
    default: return NONE;
    }
}

/* The access at `at`, standing for `instrs` instructions from `first` on, with the address formed as `way` says. */
static bool emit_access(Preparer *p, uint32_t at, uint32_t first, const Way *way)
{
    const Instr *i = &p->function->code[at];
    bool store = i->op == OP_STORE;
    uint16_t code = access_code(i, store);
    uint32_t value = i->dst;
    if (code == NONE || (store && !register_of(p, i->b, &value))) return false;
    code = (uint16_t)(code + way->kind);
    emit(p, (Code){code, way->scale, value, way->base, way->index}, first, at - first + 1, 1);
    return true;
}

/* An access whose address register was computed further up in this block: the pointer it came from is still in its register. */
static bool emit_plain_access(Preparer *p, uint32_t at)
{
    const Instr *i = &p->function->code[at];
    uint32_t address, base;
    if (!register_of(p, i->a, &address)) return false;
    if (operand_is_reg(i->a) && p->address_of[address]) {
        const Instr *origin = &p->function->code[p->address_of[address] - 1];
        if (register_of(p, origin->a, &base)) {
            bool store = i->op == OP_STORE;
            uint16_t code = access_code(i, store);
            uint32_t value = i->dst;
            if (code == NONE || (store && !register_of(p, i->b, &value))) return false;
            emit_one(p, (Code){(uint16_t)(code + 3), 0, value, address, base}, at);
            return true;
        }
    }
    return emit_access(p, at, at, &(Way){WAY_OFF, address, 0, 0});
}

static bool reads_only(const Preparer *p, const Instr *user, Operand address, const Instr *maker)
{
    return user->a == address && maker->dst == address && p->uses[operand_index(address)] == 1;
}

static bool is_access(const Instr *i)
{
    return i->op == OP_LOAD || i->op == OP_STORE;
}

/* [SEXT|ZEXT] ADDRESS [LOAD|STORE] from `at` on; returns how many instructions were taken, 0 if it is not that. */
static uint32_t emit_address(Preparer *p, uint32_t at, uint32_t end)
{
    const Instr *code = p->function->code;
    uint32_t address = at;
    Instr made = code[at];
    if (code[at].op !=
        OP_ADDRESS) { /* an extension to 64 bits: the index is taken as it was before, registers being zero-extended anyway */
        const Instr *next = &code[at + 1];
        if (at + 1 >= end || code[at].width != 64 || next->op != OP_ADDRESS || next->b != code[at].dst) return 0;
        if (p->uses[operand_index(code[at].dst)] != 1 || next->width2 != 64) return 0;
        if (code[at].op == OP_SEXT ? code[at].width2 != 32 : code[at].width2 > 64) return 0;
        address = at + 1;
        made = *next;
        made.b = code[at].a;
        made.width2 = code[at].op == OP_SEXT ? 32 : 64;
    }
    Way way = {0};
    uint32_t access = address + 1;
    bool fused = access < end && is_access(&code[access]) && reads_only(p, &code[access], made.dst, &made);
    if (fused && (made.b == OPERAND_NONE || made.imm == 0) && way_of(p, &made, &way) && emit_access(p, access, at, &way))
        return access - at + 1;
    if (!way_of(p, &made, &way)) return 0;
    bool offset = way.kind != WAY_OFF && made.imm != 0;
    if (offset && (made.imm < INT32_MIN || made.imm > INT32_MAX)) return 0;
    uint16_t op = (uint16_t)(CODE_LEA_OFF + way.kind);
    emit(p, (Code){op, way.scale, made.dst, way.base, way.index}, at, address - at + 1, offset ? 2 : 1);
    if (offset) emit(p, (Code){CODE_LEA_OFF, 0, made.dst, made.dst, (uint32_t)made.imm}, at, 0, 1);
    return address - at + 1;
}

static bool emit_alloca(Preparer *p, const Instr *i, uint32_t at)
{
    if (i->a != OPERAND_NONE || i->imm > MAX_ALLOCA_BYTES || i->imm < 0) return false;
    uint32_t align = operand_is_const(i->b) ? (uint32_t)p->vm->consts[operand_index(i->b)] : 16;
    uint32_t class_index = memory_class(&p->vm->memory, (uint64_t)i->imm, align);
    if (class_index >= p->vm->memory.huge_first) return false;
    uint32_t padding = i->c == OPERAND_NONE ? 0 : operand_index(i->c) + 1;
    emit_one(p, (Code){CODE_ALLOCA, (uint16_t)class_index, i->dst, padding, (uint32_t)i->imm}, at);
    return true;
}

/* ---- control ---- */

static void jump_to_block(Preparer *p, uint32_t block, uint32_t at, uint16_t steps)
{
    if (block == p->block + 1 && steps == 0) return; /* falls through */
    vec_push(&p->fixups, ((Fixup){p->code.len, block}));
    emit_one(p, (Code){block <= p->block ? CODE_LOOP : CODE_JUMP, steps, 0, 0, 0}, at);
}

/* After a conditional jump that was just emitted (target d to be set): the no side follows, the yes side gets a landing where it needs one, that is
 * where it goes backwards or its being taken is to be noted. */
static void emit_sides(Preparer *p, const CondBranch *branch, uint32_t at)
{
    uint32_t jump = p->code.len - 1;
    bool exploring = p->vm->options.exploring;
    if (exploring) emit_one(p, (Code){CODE_SEEN, 0, 0, 0, branch->branch + 1}, at);
    bool landing = exploring || branch->yes <= p->block;
    if (!landing) {
        vec_push(&p->fixups, ((Fixup){jump, branch->yes}));
        jump_to_block(p, branch->no, at, 0);
        return;
    }
    vec_push(&p->fixups, ((Fixup){p->code.len, branch->no})); /* always jumps over the landing */
    emit_one(p, (Code){branch->no <= p->block ? CODE_LOOP : CODE_JUMP, 0, 0, 0, 0}, at);
    p->code.data[jump].d = p->code.len - jump;
    if (exploring) emit_one(p, (Code){CODE_SEEN, 0, 0, 0, branch->branch}, at);
    vec_push(&p->fixups, ((Fixup){p->code.len, branch->yes}));
    emit_one(p, (Code){branch->yes <= p->block ? CODE_LOOP : CODE_JUMP, 0, 0, 0, 0}, at);
}

/* ICMP and the BRANCH on it, or a BRANCH alone. */
static uint32_t emit_branch(Preparer *p, uint32_t at, uint32_t end)
{
    const Instr *i = &p->function->code[at], *branch = i;
    Code code;
    uint32_t taken = 1;
    if (i->op == OP_ICMP) {
        branch = &p->function->code[at + 1];
        if (at + 1 >= end || branch->op != OP_BRANCH || branch->a != i->dst || p->uses[operand_index(i->dst)] != 1) return 0;
        if (!build_compare(p, i, &code)) return 0;
        code.op = (uint16_t)(code.op + 2);
        taken = 2;
    } else {
        uint32_t a;
        if (!register_of(p, i->a, &a)) return 0;
        code = (Code){CODE_BRANCH, 0, 0, a, 0};
    }
    code.d = 0;
    code.x = take_steps(p, taken);
    emit(p, code, at, taken, 1);
    emit_sides(p, &p->function->branches[branch->imm], at + taken - 1);
    return taken;
}

static bool emit_switch(Preparer *p, const Instr *i, uint32_t at)
{
    uint32_t a;
    if (i->width > 64 || p->vm->options.exploring || !register_of(p, i->a, &a)) return false;
    emit_one(p, (Code){CODE_SWITCH, take_steps(p, 1), 0, a, (uint32_t)i->imm}, at);
    return true;
}

static bool emit_return(Preparer *p, const Instr *i, uint32_t at)
{
    uint32_t a;
    if (i->a == OPERAND_NONE) {
        emit_one(p, (Code){CODE_RETURN_VOID, take_steps(p, 1), 0, 0, 0}, at);
        return true;
    }
    if (p->function->result_count != 1 || p->function->results[0].width > 64 || !register_of(p, i->a, &a)) return false;
    emit_one(p, (Code){CODE_RETURN, take_steps(p, 1), 0, a, 0}, at);
    return true;
}

/* A call that needs nothing but copying registers gets its target; the others are made by vm__call. */
static void prepare_call(Preparer *p, const CallSite *site, PreparedCall *call)
{
    if (site->callee == UINT32_MAX || site->result_count > 1) return;
    const Function *callee = &p->program->functions[site->callee];
    const Signature *signature = &p->vm->prepared[site->callee].signature;
    if (!callee->defined || callee->variadic || !vm__same_arguments(site, signature) || !vm__same_results(site, signature)) return;
    if (vm__find_builtin(callee->name) && (callee->in_model || !callee->defined)) return;
    if (p->vm->prepared[site->callee].marked && !vm__note_unfit(p->vm, &p->vm->prepared[site->callee])) return;
    if (callee->result_count != site->result_count) return;
    if (site->result_count && site->results[0].width > 64) return;
    for (uint32_t i = 0; i < site->argument_count; i++)
        if (site->arguments[i].byval_size || site->arguments[i].type.width > 64) return;
    uint32_t *registers = arena_alloc(&p->vm->arena, site->argument_count * sizeof *registers);
    uint32_t *params = arena_alloc(&p->vm->arena, site->argument_count * sizeof *params);
    for (uint32_t i = 0; i < site->argument_count; i++) {
        if (!register_of(p, site->arguments[i].value, &registers[i])) return;
        params[i] = callee->params[i].reg;
    }
    call->target = &p->vm->prepared[site->callee];
    call->registers = registers;
    call->params = params;
    call->count = site->argument_count;
}

static bool is_used(const Preparer *p, const CallSite *site, uint32_t reg)
{
    for (uint32_t i = 0; i < site->result_count; reg += scalar_registers(site->results[i++]))
        if (p->uses[reg]) return true;
    return false;
}

static void emit_call(Preparer *p, const Instr *i, uint32_t at)
{
    prepare_call(p, &p->function->calls[i->imm], &p->out->calls[i->imm]);
    p->out->calls[i->imm].result_used = is_used(p, &p->function->calls[i->imm], i->dst);
    uint32_t dst = p->function->calls[i->imm].result_count ? i->dst : OPERAND_NONE;
    emit_one(p, (Code){CODE_CALL, take_steps(p, 1), dst, 0, (uint32_t)i->imm}, at);
}

/* ---- the whole ---- */

/* Translates the instruction(s) at `at`; returns how many. */
static uint32_t translate(Preparer *p, uint32_t at, uint32_t end)
{
    const Instr *i = &p->function->code[at];
    uint32_t taken = 0;
    bool done = false;
    Code code;
    if (p->vm->options.reference) goto reference;
    switch (i->op) {
    case OP_NOP: return 1;
    case OP_ICMP:
        taken = emit_branch(p, at, end);
        if (taken) return taken;
        done = build_compare(p, i, &code);
        if (done) emit_one(p, code, at);
        break;
    case OP_SEXT:
    case OP_ZEXT:
    case OP_ADDRESS:
        taken = emit_address(p, at, end);
        if (taken) return taken;
        done = i->op != OP_ADDRESS && emit_unary(p, i, at);
        break;
    case OP_LOAD:
    case OP_STORE: done = emit_plain_access(p, at); break;
    case OP_ALLOCA: done = emit_alloca(p, i, at); break;
    case OP_SELECT: done = emit_select(p, i, at); break;
    case OP_JUMP: jump_to_block(p, (uint32_t)i->imm, at, take_steps(p, 1)); return 1;
    case OP_BRANCH: done = emit_branch(p, at, end); break;
    case OP_SWITCH: done = emit_switch(p, i, at); break;
    case OP_RETURN: done = emit_return(p, i, at); break;
    case OP_CALL: emit_call(p, i, at); return 1;
    default: done = emit_integer(p, i, at) || emit_unary(p, i, at) || emit_float(p, i, at); break;
    }
    if (done) return 1;
reference:
    emit_one(p, (Code){CODE_STEP, p->vm->options.reference ? 1 : opcode_is_terminator(i->op) ? take_steps(p, 1) : 0, 0, 0, 0}, at);
    return 1;
}

static void note_address(Preparer *p, uint32_t at)
{
    const Instr *i = &p->function->code[at];
    if (i->op == OP_ADDRESS) p->address_of[operand_index(i->dst)] = at + 1;
}

static void translate_block(Preparer *p, uint32_t block)
{
    const Block *b = &p->function->blocks[block];
    p->block = block;
    p->steps = 0;
    p->out->block_start[block] = p->code.len;
    uint32_t end = b->first + b->count;
    for (uint32_t at = b->first; at < end;) {
        uint32_t taken = translate(p, at, end);
        for (uint32_t k = at; k < at + taken; k++) note_address(p, k);
        const Instr *last = &p->function->code[at + taken - 1];
        if (!opcode_is_terminator(last->op) && last->op != OP_CALL) p->steps += taken;
        at += taken;
    }
    for (uint32_t at = b->first; at < end; at++) { /* another block must not trust these */
        const Instr *i = &p->function->code[at];
        if (i->op == OP_ADDRESS) p->address_of[operand_index(i->dst)] = 0;
    }
}

static void count_use(Preparer *p, Operand operand)
{
    if (operand != OPERAND_NONE && operand_is_reg(operand)) p->uses[operand_index(operand)]++;
}

static void count_uses(Preparer *p)
{
    const Function *f = p->function;
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (instr->op == OP_TRAP) continue; /* its c is a block */
        count_use(p, instr->a);
        count_use(p, instr->b);
        count_use(p, instr->c);
    }
    for (uint32_t i = 0; i < f->call_count; i++)
        for (uint32_t k = 0; k < f->calls[i].argument_count; k++) count_use(p, f->calls[i].arguments[k].value);
}

typedef struct Entry {
    uint64_t value;
    uint32_t number;
} Entry;

static int by_value(const void *x, const void *y)
{
    const Entry *a = x, *b = y;
    return a->value < b->value ? -1 : a->value > b->value;
}

enum { DENSE_SPAN = 1024 };

static void prepare_switch(Preparer *p, const Switch *from, PreparedSwitch *to)
{
    Arena *arena = &p->vm->arena;
    uint32_t n = from->case_count;
    Entry *entries = arena_alloc(arena, (n + 1) * sizeof *entries);
    for (uint32_t i = 0; i < n; i++) entries[i] = (Entry){(uint64_t)from->cases[i].value, i};
    qsort(entries, n, sizeof *entries, by_value);
    to->default_target = p->out->block_start[from->default_block];
    to->count = n;
    uint64_t span = n ? entries[n - 1].value - entries[0].value + 1 : 0;
    if (n && span != 0 && (span <= DENSE_SPAN || span <= (uint64_t)n * 4)) {
        to->low = entries[0].value;
        to->span = (uint32_t)span;
        to->targets = arena_alloc(arena, span * sizeof *to->targets);
        for (uint64_t i = 0; i < span; i++) to->targets[i] = to->default_target;
        for (uint32_t i = 0; i < n; i++)
            to->targets[entries[i].value - to->low] = p->out->block_start[from->cases[entries[i].number].block];
        return;
    }
    to->values = arena_alloc(arena, (n + 1) * sizeof *to->values);
    to->targets = arena_alloc(arena, (n + 1) * sizeof *to->targets);
    for (uint32_t i = 0; i < n; i++) {
        to->values[i] = entries[i].value;
        to->targets[i] = p->out->block_start[from->cases[entries[i].number].block];
    }
}

static void *keep(Arena *arena, const void *data, size_t bytes)
{
    void *copy = arena_alloc(arena, bytes);
    if (bytes) memcpy(copy, data, bytes);
    return copy;
}

static void finish(Preparer *p)
{
    Prepared *out = p->out;
    Arena *arena = &p->vm->arena;
    for (uint32_t i = 0; i < p->fixups.len; i++) {
        Fixup fixup = p->fixups.data[i];
        p->code.data[fixup.code].d = out->block_start[fixup.block] - fixup.code;
    }
    for (uint32_t i = 0; i < p->function->switch_count; i++) prepare_switch(p, &p->function->switches[i], &out->switches[i]);
    out->const_first = p->function->register_count;
    out->const_count = p->consts.len;
    out->registers = p->function->register_count + p->consts.len;
    out->consts = keep(arena, p->consts.data, p->consts.len * sizeof *p->consts.data);
    out->origin = keep(arena, p->origin.data, p->origin.len * sizeof *p->origin.data);
    out->code_count = p->code.len;
    out->code = keep(arena, p->code.data, p->code.len * sizeof *p->code.data);
}

void vm__prepare(Vm *vm, Prepared *prepared)
{
    assert(!prepared->code && prepared->function->defined);
    const Function *f = prepared->function;
    Preparer p = {.vm = vm, .program = vm->program, .function = f, .out = prepared};
    p.uses = mem_alloc((f->register_count + 1) * sizeof *p.uses);
    p.address_of = mem_alloc((f->register_count + 1) * sizeof *p.address_of);
    prepared->block_start = arena_alloc(&vm->arena, (f->block_count + 1) * sizeof *prepared->block_start);
    prepared->calls = arena_alloc(&vm->arena, (f->call_count + 1) * sizeof *prepared->calls);
    prepared->switches = arena_alloc(&vm->arena, (f->switch_count + 1) * sizeof *prepared->switches);
    count_uses(&p);
    for (uint32_t block = 0; block < f->block_count; block++) translate_block(&p, block);
    finish(&p);
    free(p.uses);
    free(p.address_of);
    vec_release(&p.code);
    vec_release(&p.origin);
    vec_release(&p.fixups);
    vec_release(&p.consts);
    map_release(&p.const_registers);
}
