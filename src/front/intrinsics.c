/* Intrinsics of LLVM: a table from names to what they become, and the lowerings of those that are single instructions, library calls, or
 * nothing.  Arithmetic that has to be spelled out is in expand.c.  Work on vectors goes element by element. */
#include "front/front_int.h"
#include "front/intrinsics.h"

#include <stdio.h>

static const Shape *shape_of(Lower *l, LLVMValueRef value)
{
    return front__shape(l->t, LLVMTypeOf(value));
}

static LLVMValueRef argument(const IntrinsicCall *c, unsigned number)
{
    return LLVMGetOperand(c->call, number);
}

static Operand leaf(Lower *l, const IntrinsicCall *c, unsigned number, uint32_t i)
{
    const Shape *shape = shape_of(l, argument(c, number));
    return front__operand(l, argument(c, number), shape->count > 1 || i == 0 ? i : 0);
}

static void define(Lower *l, const IntrinsicCall *c, uint32_t i, Operand value)
{
    front__finish(l, c->first + c->shape->leaves[i].reg, c->shape->leaves[i].type.width, value);
}

static void lower_nothing(Lower *l, const IntrinsicCall *c)
{
    front__undefine(l, c->first, c->shape);
}

static void lower_same(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++) define(l, c, i, leaf(l, c, 0, i));
}

static void lower_constant(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++)
        define(l, c, i, front__const_int(l->t, c->shape->leaves[i].type.width, (U128)c->entry->number));
}

/* __builtin_object_size: unknown is -1, or 0 if the minimum is asked for. */
static void lower_object_size(Lower *l, const IntrinsicCall *c)
{
    bool minimum = LLVMIsAConstantInt(argument(c, 1)) && LLVMConstIntGetZExtValue(argument(c, 1));
    define(l, c, 0, front__const_int(l->t, c->shape->leaves[0].type.width, minimum ? 0 : ~(U128)0));
}

static void lower_unary(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i);
        define(l, c, i, front__unary(l, (Opcode)c->entry->number, c->shape->leaves[i].type.width, a));
    }
}

static void lower_binary(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i), b = leaf(l, c, 1, i);
        define(l, c, i, front__binary(l, (Opcode)c->entry->number, c->shape->leaves[i].type.width, a, b));
    }
}

static void lower_funnel(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i), b = leaf(l, c, 1, i), by = leaf(l, c, 2, i);
        Operand result = front__binary(l, (Opcode)c->entry->number, c->shape->leaves[i].type.width, a, b);
        vec_top(&vec_at(&l->blocks, l->current)).c = by;
        define(l, c, i, result);
    }
}

static void lower_convert(Lower *l, const IntrinsicCall *c)
{
    const Shape *from = shape_of(l, argument(c, 0));
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i);
        define(l, c, i, front__convert(l, (Opcode)c->entry->number, c->shape->leaves[i].type.width, from->leaves[i].type.width, a));
    }
}

/* Comparisons that may raise floating-point exceptions carry their predicate as text. */
static void lower_constrained_comparison(Lower *l, const IntrinsicCall *c)
{
    static const char names[16][4] = {"",    "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                      "uno", "ueq", "ugt", "uge", "ult", "ule", "une", ""};
    unsigned length = 0;
    const char *text = LLVMGetMDString(argument(c, 2), &length);
    uint32_t predicate = 0;
    for (uint32_t i = 1; i < 15; i++)
        if (text && length == 3 && memcmp(text, names[i], 3) == 0) predicate = i;
    const Shape *from = shape_of(l, argument(c, 0));
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i), b = leaf(l, c, 1, i);
        define(l, c, i, front__compare(l, OP_FCMP, predicate, from->leaves[i].type.width, a, b));
    }
}

/* Result and overflow bit lie side by side as the two parts of the returned struct; of vectors, first all results, then all bits. */
static void lower_overflow(Lower *l, const IntrinsicCall *c)
{
    uint32_t n = c->shape->count / 2;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t width = c->shape->leaves[i].type.width, pair = n == 1 ? c->first : front__new_registers(l, width > 64 ? 3 : 2);
        Operand a = leaf(l, c, 0, i), b = leaf(l, c, 1, i);
        Instr *instr = front__emit(l, (Opcode)c->entry->number, width);
        instr->a = a;
        instr->b = b;
        instr->dst = pair;
        if (n == 1) continue;
        front__move(l, c->first + c->shape->leaves[i].reg, width, pair);
        front__move(l, c->first + c->shape->leaves[n + i].reg, 1, pair + (width > 64 ? 2 : 1));
    }
}

/* ---- memory and stack ---- */

static void lower_copy(Lower *l, const IntrinsicCall *c)
{
    Operand to = leaf(l, c, 0, 0), from = leaf(l, c, 1, 0), length = leaf(l, c, 2, 0);
    length = front__resize(l, 64, shape_of(l, argument(c, 2))->leaves[0].type.width, length);
    Instr *instr = front__emit(l, (Opcode)c->entry->number, c->entry->number == OP_MEMSET ? 8 : 64);
    instr->a = to;
    instr->b = from;
    instr->c = length;
    if (LLVMIsAConstantInt(argument(c, 3)) && LLVMConstIntGetZExtValue(argument(c, 3))) instr->flags = FLAG_VOLATILE;
}

static void lower_stack_save(Lower *l, const IntrinsicCall *c)
{
    front__emit(l, OP_STACKSAVE, 64)->dst = c->first;
}

static void lower_effect(Lower *l, const IntrinsicCall *c)
{
    Operand a = leaf(l, c, 0, 0);
    Operand b = c->entry->number == OP_VACOPY ? leaf(l, c, 1, 0) : OPERAND_NONE;
    Instr *instr = front__emit(l, (Opcode)c->entry->number, 64);
    instr->a = a;
    instr->b = b;
}

/* ---- library functions ---- */

static const char *libm_name(const char *base, uint32_t width, char buffer[32])
{
    snprintf(buffer, 32, "%s%s", base, width == 32 ? "f" : width == 80 ? "l" : "");
    return buffer;
}

static Operand call_library(Lower *l, const char *name, Scalar result, uint32_t n, const Scalar *types, const Operand *values)
{
    CallSite site = {
        .callee = front__declare_library(l->t, name, 1, &result, n, types), .argument_count = n, .fixed_count = n, .result_count = 1};
    site.results = front__keep(l->t, &result, sizeof result);
    site.arguments = arena_alloc(&l->t->program->arena, n * sizeof *site.arguments);
    for (uint32_t i = 0; i < n; i++) site.arguments[i] = (Argument){.value = values[i], .type = types[i]};
    uint32_t to = front__new_register(l, result.width);
    front__add_call(l, site, to, OPERAND_NONE);
    l->fresh = to;
    return to;
}

/* The first argument says which of f, f-less and l it is; `number` arguments are passed. */
static void lower_libm(Lower *l, const IntrinsicCall *c)
{
    char buffer[32];
    uint32_t n = (uint32_t)c->entry->number;
    assert(n <= 3);
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Scalar types[3] = {{0}}, result = c->shape->leaves[i].type;
        Operand values[3];
        for (uint32_t k = 0; k < n; k++) {
            const Shape *shape = shape_of(l, argument(c, k));
            types[k] = shape->leaves[shape->count > 1 ? i : 0].type;
            types[k].lanes = 0;
            values[k] = leaf(l, c, k, i);
        }
        result.lanes = 0;
        define(l, c, i, call_library(l, libm_name(c->entry->text, types[0].width, buffer), result, n, types, values));
    }
}

/* frexp returns the exponent through memory in C. */
static void lower_frexp(Lower *l, const IntrinsicCall *c)
{
    char buffer[32];
    uint32_t n = c->shape->count / 2;
    for (uint32_t i = 0; i < n; i++) {
        Scalar result = c->shape->leaves[i].type, exponent = c->shape->leaves[n + i].type;
        result.lanes = 0;
        Operand size = front__const_int(l->t, 64, 4), value = leaf(l, c, 0, i);
        Operand where = front__unary(l, OP_ALLOCA, 64, OPERAND_NONE);
        Instr *instr = &vec_top(&vec_at(&l->blocks, l->current));
        instr->imm = 4;
        instr->b = size;
        Scalar types[2] = {result, front__scalar(SCALAR_POINTER, 64)};
        Operand values[2] = {value, where};
        define(l, c, i, call_library(l, libm_name("frexp", result.width, buffer), result, 2, types, values));
        Operand loaded = front__load(l, 32, where);
        define(l, c, n + i, front__resize(l, exponent.width, 32, loaded));
    }
}

static void lower_trap(Lower *l, const IntrinsicCall *c)
{
    CallSite site = {.callee = front__declare_library(l->t, c->entry->text, 0, NULL, 0, NULL)};
    front__add_call(l, site, c->first, OPERAND_NONE);
}

/* __builtin_setjmp and __builtin_longjmp: a buffer, and for the first a result. */
static void lower_jump(Lower *l, const IntrinsicCall *c)
{
    Scalar pointer = {.kind = SCALAR_POINTER, .width = 64}, result = {.kind = SCALAR_INT, .width = 32};
    Operand buffer = leaf(l, c, 0, 0), value = call_library(l, c->entry->text, result, 1, &pointer, &buffer);
    if (c->shape->count) define(l, c, 0, value);
}

/* The own frame has an address like a local variable's; further frames have none. */
static void lower_frame_address(Lower *l, const IntrinsicCall *c)
{
    if (LLVMConstIntGetZExtValue(argument(c, 0))) {
        lower_constant(l, c);
        return;
    }
    Instr *instr = front__emit(l, OP_ALLOCA, 64);
    instr->dst = c->first;
    instr->imm = 16;
    instr->b = front__const_int(l->t, 64, 16);
}

/* ---- table ---- */

static const Intrinsic table[] = {
#define INTRINSIC(name, lower, number, text) {"llvm." name, lower, number, text},
#include "front/intrinsics.def"
#undef INTRINSIC
};

static const Intrinsic *find_entry(LLVMValueRef function)
{
    unsigned id = LLVMGetIntrinsicID(function);
    if (!id) return NULL;
    size_t length;
    const char *name = LLVMIntrinsicGetName(id, &length);
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (strncmp(table[i].name, name, length) == 0 && !table[i].name[length]) return &table[i];
    return NULL;
}

static const Intrinsic *known_entry(Translator *t, LLVMValueRef function)
{
    const uint64_t *known = map_find(&t->intrinsics, (uintptr_t)function);
    if (known) return (const Intrinsic *)(uintptr_t)*known;
    const Intrinsic *entry = find_entry(function);
    map_put(&t->intrinsics, (uintptr_t)function, (uintptr_t)entry);
    return entry;
}

const char *front__intrinsic_symbol(LLVMValueRef function, char buffer[32])
{
    const Intrinsic *entry = find_entry(function);
    if (!entry || !entry->text) return NULL;
    if (entry->lower == lower_trap || entry->lower == lower_jump) return entry->text;
    if (!LLVMCountParams(function)) return NULL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, 0));
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return libm_name(entry->text, kind == LLVMFloatTypeKind ? 32 : kind == LLVMX86_FP80TypeKind ? 80 : 64, buffer);
}

static const char *problem_of(Lower *l, const IntrinsicCall *c)
{
    if (c->shape->problem) return c->shape->problem;
    bool moves = c->entry && (c->entry->lower == lower_same || c->entry->lower == lower_nothing || c->entry->lower == lower_constant);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
        const Shape *shape = shape_of(l, argument(c, i));
        if (shape->problem && !(c->entry && c->entry->lower == lower_nothing)) return shape->problem;
        if (shape->wide && !moves) return "an integer of more than 128 bits";
        if (shape->exotic && !moves) return "a float of 16 or 128 bits";
    }
    return c->shape->exotic && !moves ? "a float of 16 or 128 bits" : NULL;
}

void front__lower_intrinsic(Lower *l, LLVMValueRef call, LLVMValueRef callee, uint32_t first)
{
    IntrinsicCall c = {.call = call, .first = first, .shape = shape_of(l, call), .entry = known_entry(l->t, callee)};
    const char *problem = problem_of(l, &c);
    if (c.entry && !problem) {
        c.entry->lower(l, &c);
        return;
    }
    if (problem) {
        front__trap(l, "%s is not supported (%s)", problem, front__value_name(callee));
    } else {
        front__trap(l, "intrinsic %s is not supported", front__value_name(callee));
    }
    front__undefine(l, first, c.shape);
}
