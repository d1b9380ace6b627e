/* The reference interpreter: one program instruction at a time, on constants and on expressions, with every check.
 *
 * It defines what instructions do; the dispatch loop is a faster way to do the same on constants, and hands over here whenever it meets anything
 * else.  `clew run` on the reference interpreter alone must give the same results (tests/fuzz compares them). */
#include "base/arith.h"
#include "meaning/meaning.h"
#include "vm/vm_int.h"

#include <signal.h>

/* ---- registers ---- */

Value vm__operand(Vm *vm, Operand operand, unsigned width)
{
    if (operand == OPERAND_NONE) return (Value){0};
    uint32_t index = operand_index(operand);
    if (operand_is_const(operand)) {
        if (vm->program->consts[index].undef) return (Value){.e = vm__undef(vm, width)};
        return (Value){.bits = vm->consts[index]};
    }
    const Frame *frame = vm__frame(vm);
    assert(index < frame->code->registers);
    uint64_t at = frame->base + index;
    if (frame->mixed && vm->expressions[at]) return (Value){.e = vm->expressions[at]};
    U128 bits = vm->stack[at];
    if (width > 64) bits |= (U128)vm->stack[at + 1] << 64;
    return (Value){.bits = bits};
}

void vm__set(Vm *vm, uint32_t reg, unsigned width, Value value)
{
    if (reg == OPERAND_NONE) return;
    Frame *frame = vm__frame(vm);
    assert(reg < frame->code->registers);
    uint64_t at = frame->base + reg;
    if (value.e && expr_is_const(vm->pool, value.e)) value = (Value){.bits = expr_value(vm->pool, value.e)};
    if (value.e && vm->evaluating) { /* on values alone */
        vm->evaluated_more |= !expr_has_undef(vm->pool, value.e);
        value = (Value){.bits = expr_eval(vm->model, value.e)};
    }
    assert(!value.e || expr_width(vm->pool, value.e) == width);
    if (value.e && !frame->mixed) {
        memset(vm->expressions + frame->base, 0, frame->code->registers * sizeof(Expr));
        frame->mixed = true;
    }
    if (frame->mixed) vm->expressions[at] = value.e;
    vm->stack[at] = (uint64_t)value.bits;
    if (width > 64) {
        vm->stack[at + 1] = (uint64_t)(value.bits >> 64);
        if (frame->mixed) vm->expressions[at + 1] = 0;
    }
}

/* ---- computing ---- */

static unsigned operand_width(const Instr *i)
{
    switch (i->op) {
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
    case OP_FTOF:
    case OP_FTOUI:
    case OP_FTOSI:
    case OP_UITOF:
    case OP_SITOF: return i->width2;
    case OP_SELECT: return 1;
    case OP_ADDRESS: return 64;
    default: return i->width;
    }
}

static unsigned result_width(const Instr *i)
{
    return i->op == OP_ICMP || i->op == OP_FCMP ? 1 : i->op == OP_ADDRESS ? 64 : i->width;
}

static U128 shift(unsigned op, unsigned width, U128 a, U128 b)
{
    I128 number = arith_sext(a, width);
    if (b >= width) return op == OP_ASHR && number < 0 ? arith_mask(width) : 0;
    if (op == OP_SHL) return a << b & arith_mask(width);
    return op == OP_LSHR ? a >> b : (U128)(number >> b) & arith_mask(width);
}

static U128 divide(unsigned op, unsigned width, U128 a, U128 b)
{
    U128 mask = arith_mask(width);
    if (op == OP_UDIV) return b ? a / b : mask;
    if (op == OP_UREM) return b ? a % b : a;
    I128 x = arith_sext(a, width), y = arith_sext(b, width);
    if (op == OP_SDIV) return y == 0 ? (x < 0 ? 1 : mask) : y == -1 ? ((U128)0 - (U128)x) & mask : (U128)(x / y) & mask;
    return y == 0 ? a : y == -1 ? 0 : (U128)(x % y) & mask;
}

static U128 reverse_bits(unsigned width, U128 a)
{
    U128 result = 0;
    for (unsigned i = 0; i < width; i++) result |= (a >> i & 1) << (width - 1 - i);
    return result;
}

static U128 swap_bytes(unsigned width, U128 a)
{
    U128 result = 0;
    for (unsigned i = 0; i < width; i += 8) result |= (a >> i & 0xff) << (width - 8 - i);
    return result;
}

static unsigned count_bits(unsigned op, unsigned width, U128 a)
{
    uint64_t low = (uint64_t)a, high = (uint64_t)(a >> 64);
    if (op == OP_CTPOP) return (unsigned)(__builtin_popcountll(low) + __builtin_popcountll(high));
    if (a == 0) return width;
    if (op == OP_CTTZ) return (unsigned)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll(high));
    unsigned leading = (unsigned)(high ? __builtin_clzll(high) : 64 + __builtin_clzll(low));
    return leading - (128 - width);
}

static bool compare(unsigned predicate, unsigned width, U128 a, U128 b)
{
    I128 x = arith_sext(a, width), y = arith_sext(b, width);
    switch (predicate) {
    case PRED_EQ: return a == b;
    case PRED_NE: return a != b;
    case PRED_UGT: return a > b;
    case PRED_UGE: return a >= b;
    case PRED_ULT: return a < b;
    case PRED_ULE: return a <= b;
    case PRED_SGT: return x > y;
    case PRED_SGE: return x >= y;
    case PRED_SLT: return x < y;
    default: return x <= y;
    }
}

/* Floats of the three widths meet in long double, which holds each of the others exactly; arithmetic is done in the width itself. */
static long double to_long(U128 bits, unsigned width)
{
    return width == 32 ? (long double)arith_f32((uint64_t)bits) : width == 64 ? (long double)arith_f64((uint64_t)bits) : arith_f80(bits);
}

static U128 from_long(long double value, unsigned width)
{
    return width == 32 ? arith_bits32((float)value) : width == 64 ? arith_bits64((double)value) : arith_bits80(value);
}

static U128 float_arithmetic(unsigned op, unsigned width, U128 x, U128 y)
{
#define BY_OP(a, b, rem) \
    (op == OP_FADD ? (a) + (b) : op == OP_FSUB ? (a) - (b) : op == OP_FMUL ? (a) * (b) : op == OP_FDIV ? (a) / (b) : rem((a), (b)))
    if (width == 32) return arith_bits32(BY_OP(arith_f32((uint64_t)x), arith_f32((uint64_t)y), fmodf));
    if (width == 64) return arith_bits64(BY_OP(arith_f64((uint64_t)x), arith_f64((uint64_t)y), fmod));
    return arith_bits80(BY_OP(arith_f80(x), arith_f80(y), fmodl));
#undef BY_OP
}

static bool float_compare(unsigned admits, unsigned width, U128 x, U128 y)
{
    long double a = to_long(x, width), b = to_long(y, width);
    unsigned outcome = a < b ? FPRED_LT : a > b ? FPRED_GT : a == b ? FPRED_EQ : FPRED_UNO;
    return admits & outcome;
}

/* An integer of up to 128 bits to a float: rounded once, directly to the target width. */
static U128 from_integer(bool is_signed, unsigned from, unsigned to, U128 a)
{
    I128 number = arith_sext(a, from);
    if (to == 32) return is_signed ? arith_bits32((float)number) : arith_bits32((float)a);
    if (to == 64) return is_signed ? arith_bits64((double)number) : arith_bits64((double)a);
    return is_signed ? arith_bits80((long double)number) : arith_bits80((long double)a);
}

static U128 convert(const Instr *i, U128 a)
{
    switch (i->op) {
    case OP_TRUNC: return a & arith_mask(i->width);
    case OP_ZEXT: return a;
    case OP_SEXT: return (U128)arith_sext(a, i->width2) & arith_mask(i->width);
    case OP_FTOF: return from_long(to_long(a, i->width2), i->width);
    case OP_FTOUI: return arith_fp_to_unsigned(to_long(a, i->width2), i->width);
    case OP_FTOSI: return arith_fp_to_signed(to_long(a, i->width2), i->width);
    default: return from_integer(i->op == OP_SITOF, i->width2, i->width, a);
    }
}

static bool overflows(unsigned op, unsigned width, U128 a, U128 b)
{
    I128 x = arith_sext(a, width), y = arith_sext(b, width), s;
    U128 u, mask = arith_mask(width);
    bool wrapped;
    switch (op) {
    case OP_ADD:
    case OP_SADDO: wrapped = __builtin_add_overflow(x, y, &s); break;
    case OP_SUB:
    case OP_SSUBO: wrapped = __builtin_sub_overflow(x, y, &s); break;
    case OP_MUL:
    case OP_SMULO: wrapped = __builtin_mul_overflow(x, y, &s); break;
    case OP_UADDO: return __builtin_add_overflow(a, b, &u) || u > mask;
    case OP_USUBO: return a < b;
    default: return __builtin_mul_overflow(a, b, &u) || u > mask;
    }
    return wrapped || arith_sext((U128)s & mask, width) != s;
}

static U128 funnel(const Instr *i, U128 a, U128 b, U128 c)
{
    unsigned width = i->width, by = (unsigned)(c % width);
    if (i->op == OP_FSHL) return ((a << by) | (by ? b >> (width - by) : 0)) & arith_mask(width);
    return ((b >> by) | (by ? a << (width - by) : 0)) & arith_mask(width);
}

static U128 compute(const Instr *i, U128 a, U128 b, U128 c, uint64_t scale)
{
    unsigned width = i->width;
    U128 mask = arith_mask(width);
    switch (i->op) {
    case OP_MOV: return a;
    case OP_ADD:
    case OP_SADDO:
    case OP_UADDO: return (a + b) & mask;
    case OP_SUB:
    case OP_SSUBO:
    case OP_USUBO: return (a - b) & mask;
    case OP_MUL:
    case OP_SMULO:
    case OP_UMULO: return a * b & mask;
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: return divide(i->op, width, a, b);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return shift(i->op, width, a, b);
    case OP_AND: return a & b;
    case OP_OR: return a | b;
    case OP_XOR: return a ^ b;
    case OP_CTPOP:
    case OP_CTLZ:
    case OP_CTTZ: return count_bits(i->op, width, a);
    case OP_BSWAP: return swap_bytes(width, a);
    case OP_BITREVERSE: return reverse_bits(width, a);
    case OP_FSHL:
    case OP_FSHR: return funnel(i, a, b, c);
    case OP_ICMP: return compare(i->predicate, width, a, b);
    case OP_FCMP: return float_compare(i->predicate, width, a, b);
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
    case OP_FDIV:
    case OP_FREM: return float_arithmetic(i->op, width, a, b);
    case OP_FNEG: return a ^ (U128)1 << (width - 1);
    case OP_FABS: return a & arith_mask(width - 1);
    case OP_SELECT: return a ? b : c;
    case OP_ADDRESS: {
        uint64_t index = i->b == OPERAND_NONE ? 0 : i->width2 < 64 ? (uint64_t)arith_sext64((uint64_t)b, i->width2) : (uint64_t)b;
        return (uint64_t)a + index * scale + (uint64_t)i->imm;
    }
    default: return convert(i, a);
    }
}

/* ---- checks ---- */

/* `bad` decides on constants, `holds` is the condition on expressions. */
static bool check_constant(Vm *vm, const Instr *i, U128 a, U128 b)
{
    switch (i->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        if ((i->flags & FLAG_NSW) && overflows(i->op, i->width, a, b))
            vm__report(vm, BUG_SIGNED_OVERFLOW, "the result of this %s does not fit %u bits", opcode_name(i->op), i->width);
        return true;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        if (b >= i->width) vm__report(vm, BUG_SHIFT, "shift by %llu, at least the width %u", (unsigned long long)b, i->width);
        return true;
    case OP_SDIV:
    case OP_SREM:
        if (arith_sext(b, i->width) == -1 && a == (U128)1 << (i->width - 1)) {
            vm__report(vm, BUG_SIGNED_OVERFLOW, "the smallest number divided by -1 does not fit");
            if (vm->stop.kind == VM_RUNNING) vm__stop(vm, VM_SIGNAL, SIGFPE, "the processor traps on this division");
            return false;
        }
        __attribute__((fallthrough));
    case OP_UDIV:
    case OP_UREM:
        if (b == 0) vm__report(vm, BUG_DIVISION_BY_ZERO, "division by zero");
        return b != 0;
    default: return true;
    }
}

static BugKind bug_of(MeaningCheck check)
{
    return check == CHECK_DIVISOR ? BUG_DIVISION_BY_ZERO : check == CHECK_SHIFT ? BUG_SHIFT : BUG_SIGNED_OVERFLOW;
}

/* Under the model the check holds or fails as on constants; either way the other side is one more thing to look for. */
static bool check_symbolic(Vm *vm, const Instr *i, Expr a, Expr b)
{
    MeaningCheck kind;
    Expr holds = meaning_check(vm->pool, i, a, b, &kind);
    if (!holds) return true;
    bool is = vm__check(vm, holds, bug_of(kind), kind == CHECK_DIVISOR);
    if (is && (i->op == OP_SDIV || i->op == OP_SREM)) vm__check(vm, meaning_check_quotient(vm->pool, i, a, b), BUG_SIGNED_OVERFLOW, true);
    return check_constant(vm, i, expr_eval(vm->model, a), expr_eval(vm->model, b)) && vm->stop.kind == VM_RUNNING;
}

static uint32_t overflow_register(const Instr *i)
{
    return i->dst + (i->width > 64 ? 2 : 1);
}

static bool is_float_arithmetic(Opcode op)
{
    return op == OP_FADD || op == OP_FSUB || op == OP_FMUL || op == OP_FDIV || op == OP_FREM;
}

static void step_compute(Vm *vm, const Instr *i)
{
    unsigned width = operand_width(i), wb = i->op == OP_SELECT ? i->width : i->op == OP_ADDRESS ? i->width2 : width;
    Value a = vm__operand(vm, i->a, width), b = vm__operand(vm, i->b, wb);
    Value c = i->op == OP_ADDRESS ? (Value){0} : vm__operand(vm, i->c, i->width);
    uint64_t scale = i->op == OP_ADDRESS && i->b != OPERAND_NONE ? (uint64_t)vm->consts[operand_index(i->c)] : 0;
    bool with_overflow = i->op >= OP_SADDO && i->op <= OP_UMULO;
    if (!(a.e | b.e | c.e)) {
        if (!check_constant(vm, i, a.bits, b.bits)) return;
        vm__set(vm, i->dst, result_width(i), (Value){.bits = compute(i, a.bits, b.bits, c.bits, scale)});
        if (with_overflow) vm__set(vm, overflow_register(i), 1, (Value){.bits = overflows(i->op, i->width, a.bits, b.bits)});
        return;
    }
    vm->stats.symbolic_instructions++;
    if (vm__isolated(vm) && is_float_arithmetic(i->op) &&
        !vm->observer.outside(vm->observer.data, OUTSIDE_FLOATS, "it calculates with floating-point numbers"))
        return;
    Expr ea = vm__expr(vm, a, width), eb = i->b == OPERAND_NONE ? 0 : vm__expr(vm, b, wb), ec = c.e;
    if (!ec && i->c != OPERAND_NONE && i->op != OP_ADDRESS) ec = vm__expr(vm, c, i->width);
    if (!check_symbolic(vm, i, ea, eb)) return;
    Expr value = meaning_value(vm->pool, i, ea, eb, ec, scale);
    if (!value) { /* long double: no theory for it, so it is computed for real */
        U128 x = vm__concretize(vm, a, width), y = vm__concretize(vm, b, wb);
        vm__set(vm, i->dst, result_width(i), (Value){.bits = compute(i, x, y, 0, 0)});
        return;
    }
    vm__set(vm, i->dst, result_width(i), (Value){.e = value});
    if (with_overflow) vm__set(vm, overflow_register(i), 1, (Value){.e = meaning_overflow(vm->pool, i, ea, eb)});
}

/* A `?:` of the source is a branch though clang made it a select; one of the library's stays a value. */
static void step_select(Vm *vm, const Instr *i)
{
    if (i->imm < 0) {
        step_compute(vm, i);
        return;
    }
    Value condition = vm__operand(vm, i->a, 1);
    uint32_t branch = (uint32_t)i->imm;
    bool yes = condition.e ? vm__decide(vm, condition.e, branch, branch + 1) : condition.bits != 0;
    if (!condition.e) vm__seen(vm, yes ? branch : branch + 1);
    vm__set(vm, i->dst, i->width, vm__operand(vm, yes ? i->b : i->c, i->width));
}

/* ---- control ---- */

static void go_to_block(Vm *vm, uint32_t block)
{
    Frame *frame = vm__frame(vm);
    frame->pc = frame->code->code + frame->code->block_start[block];
}

static void step_branch(Vm *vm, const Instr *i)
{
    const CondBranch *branch = &vm__frame(vm)->code->function->branches[i->imm];
    Value condition = vm__operand(vm, i->a, 1);
    bool yes = condition.e ? vm__decide(vm, condition.e, branch->branch, branch->branch + 1) : condition.bits != 0;
    if (!condition.e) vm__seen(vm, yes ? branch->branch : branch->branch + 1);
    go_to_block(vm, yes ? branch->yes : branch->no);
}

/* The condition of a symbolic switch is the case it takes: v == case, or v differs from all of them. */
static void step_switch(Vm *vm, const Instr *i)
{
    const Switch *s = &vm__frame(vm)->code->function->switches[i->imm];
    Value value = vm__operand(vm, i->a, i->width);
    U128 v = vm__concrete(vm, value);
    uint32_t taken = 0;
    while (taken < s->case_count && s->cases[taken].value != v) taken++;
    if (value.e) {
        Expr condition = expr_const(vm->pool, 1, 1);
        if (taken < s->case_count) {
            condition = expr_eq(vm->pool, value.e, expr_const(vm->pool, i->width, v));
        } else {
            for (uint32_t k = 0; k < s->case_count; k++) {
                Expr equal = expr_eq(vm->pool, value.e, expr_const(vm->pool, i->width, s->cases[k].value));
                condition = expr_and(vm->pool, condition, expr_not(vm->pool, equal));
            }
        }
        vm__check_decided(vm, value.e, "switch");
        vm__condition(vm, value.e, condition, CONDITION_BRANCH, BUG_NONE, s->branch + taken, true);
        if (vm->stop.kind != VM_RUNNING) return;
    }
    vm__seen(vm, s->branch + taken);
    go_to_block(vm, taken < s->case_count ? s->cases[taken].block : s->default_block);
}

static void step_indirect(Vm *vm, const Instr *i)
{
    uint64_t address = (uint64_t)vm__concretize(vm, vm__operand(vm, i->a, 64), 64);
    uint64_t symbol = (address - CODE_BASE) / 16;
    const Symbol *label = address >= CODE_BASE && symbol < vm->program->symbol_count ? &vm->program->symbols[symbol] : NULL;
    if (!label || label->kind != SYMBOL_LABEL || label->index != vm__frame(vm)->code->index) {
        vm__report(vm, BUG_OUT_OF_BOUNDS, "jump to %#llx, which is no label of this function", (unsigned long long)address);
        return;
    }
    go_to_block(vm, label->block);
}

/* ---- memory ---- */

/* From the ADDRESS that made the access's address: in the same code, or, for an access that has no code of its own, in the same block. */
static Value base_of(Vm *vm, const Code *code, const Instr *first, const Instr *i)
{
    if (code->op == CODE_STEP) first = vm__frame(vm)->code->function->code;
    for (const Instr *before = i; before-- > first && !opcode_is_terminator(before->op);)
        if (before->op == OP_ADDRESS && before->dst == i->a) return vm__operand(vm, before->a, 64);
    return (Value){0};
}

/* The pointer the address was computed from, where the code itself knows it (the …_BASE forms). */
static Value known_base(Vm *vm, const Code *code, const Instr *first, const Instr *i)
{
    for (unsigned op = CODE_LOAD8_BASE; op <= CODE_STORE64_BASE; op += 4)
        if (code->op == op) {
            const Frame *frame = vm__frame(vm);
            if (frame->mixed && vm->expressions[frame->base + code->b]) return (Value){.e = vm->expressions[frame->base + code->b]};
            return (Value){.bits = vm->stack[frame->base + code->b]};
        }
    return base_of(vm, code, first, i);
}

static void step_alloca(Vm *vm, const Instr *i)
{
    uint64_t count = i->a == OPERAND_NONE ? 1 : (uint64_t)vm__concretize(vm, vm__operand(vm, i->a, i->width2), i->width2);
    uint64_t size, align = i->b == OPERAND_NONE ? 16 : (uint64_t)vm->consts[operand_index(i->b)];
    if (__builtin_mul_overflow((uint64_t)i->imm, count, &size)) size = UINT64_MAX;
    uint64_t address = vm__alloca(vm, size, (uint32_t)align);
    if (!address) return;
    if (i->c != OPERAND_NONE) vm__clear_padding(address, vm->consts[operand_index(i->c)]);
    vm__set(vm, i->dst, 64, (Value){.bits = address});
}

/* One address, whatever it depends on. */
static uint64_t address_of(Vm *vm, Operand operand)
{
    Value value = vm__operand(vm, operand, 64);
    if (!value.e) vm__tell_place(vm, PLACE_NAMED, (uint64_t)value.bits, 0);
    return (uint64_t)vm__concretize(vm, value, 64);
}

static void step_bulk(Vm *vm, const Instr *i)
{
    uint64_t to = address_of(vm, i->a), n = (uint64_t)vm__concretize(vm, vm__operand(vm, i->c, 64), 64);
    if (i->op == OP_MEMSET) {
        vm__fill(vm, to, vm__operand(vm, i->b, 8), n);
        return;
    }
    vm__copy(vm, to, address_of(vm, i->b), n);
}

/* The call has made the list already (call.c). */
static void step_va_start(Vm *vm, const Instr *i)
{
    uint64_t list = address_of(vm, i->a), made = vm__frame(vm)->varargs;
    if (made) vm__copy(vm, list, made, 24);
}

static void step_load(Vm *vm, const Code *code, const Instr *first, const Instr *i)
{
    Value base = known_base(vm, code, first, i), address = vm__operand(vm, i->a, 64), value = {0};
    if (vm__load(vm, address, base, i->width, &value)) vm__set(vm, i->dst, i->width, value);
    vm->stats.symbolic_instructions += (address.e | value.e) != 0;
}

static void step_store(Vm *vm, const Code *code, const Instr *first, const Instr *i)
{
    Value base = known_base(vm, code, first, i), address = vm__operand(vm, i->a, 64), value = vm__operand(vm, i->b, i->width);
    vm__store(vm, address, base, i->width, value);
    vm->stats.symbolic_instructions += (address.e | value.e) != 0;
}

static void step_memory(Vm *vm, const Code *code, const Instr *first, const Instr *i)
{
    switch (i->op) {
    case OP_LOAD: step_load(vm, code, first, i); break;
    case OP_STORE: step_store(vm, code, first, i); break;
    case OP_ALLOCA: step_alloca(vm, i); break;
    case OP_STACKSAVE: vm__set(vm, i->dst, 64, (Value){.bits = vm->allocas.len}); break;
    case OP_STACKRESTORE: {
        uint64_t down_to = (uint64_t)vm__concrete(vm, vm__operand(vm, i->a, 64));
        if (down_to >= vm__frame(vm)->allocas && down_to <= vm->allocas.len) vm__leave_allocas(vm, (uint32_t)down_to);
        break;
    }
    case OP_VASTART: step_va_start(vm, i); break;
    case OP_VACOPY: {
        uint64_t to = address_of(vm, i->a);
        vm__copy(vm, to, address_of(vm, i->b), 24);
        break;
    }
    default: step_bulk(vm, i); break;
    }
}

/* ---- dispatch ---- */

static void step_instr(Vm *vm, const Code *code, const Instr *first, const Instr *i)
{
    switch (i->op) {
    case OP_NOP: break;
    case OP_UNDEF: vm__set(vm, i->dst, i->width, (Value){.e = vm__undef(vm, i->width)}); break;
    case OP_SELECT: step_select(vm, i); break;
    case OP_LOAD:
    case OP_STORE:
    case OP_ALLOCA:
    case OP_MEMCPY:
    case OP_MEMMOVE:
    case OP_MEMSET:
    case OP_STACKSAVE:
    case OP_STACKRESTORE:
    case OP_VASTART:
    case OP_VACOPY: step_memory(vm, code, first, i); break;
    case OP_CALL: vm__call(vm, i); break;
    case OP_JUMP: go_to_block(vm, (uint32_t)i->imm); break;
    case OP_BRANCH: step_branch(vm, i); break;
    case OP_SWITCH: step_switch(vm, i); break;
    case OP_INDIRECT: step_indirect(vm, i); break;
    case OP_RETURN: vm__return(vm, i); break;
    case OP_UNREACHABLE: vm__report(vm, BUG_UNREACHABLE, "code that must not be reached was reached"); break;
    case OP_TRAP: vm__stop(vm, VM_UNSUPPORTED, 0, "%s", vm->program->messages[i->imm]); break;
    default: step_compute(vm, i); break;
    }
}

void vm__step(Vm *vm)
{
    Frame *frame = vm__frame(vm);
    const Code *code = frame->pc;
    vm_begin_step(vm);
    Origin origin = frame->code->origin[code - frame->code->code];
    const Instr *first = &frame->code->function->code[origin.instr], *last = first + origin.instrs - 1;
    bool control = opcode_is_terminator(last->op) || last->op == OP_CALL;
    if (control || code->op == CODE_STEP) vm->stats.instructions += code->x;
    for (const Instr *i = first; i <= last && vm->stop.kind == VM_RUNNING; i++) step_instr(vm, code, first, i);
    if (!control && vm->stop.kind == VM_RUNNING) frame->pc = code + origin.codes;
}
