/* Calls: to functions, through pointers, and to inline assembly.  Arguments and results are flattened to scalars in order.
 *
 * Inline assembly without text only constrains the compiler: an output tied to an input has that input's value, other outputs have none,
 * memory is untouched.  With text it cannot be executed. */
#include "front/front_int.h"

#include <ctype.h>
#include <stdlib.h>

static const Shape *shape_of(Lower *l, LLVMValueRef value)
{
    return front__shape(l->t, LLVMTypeOf(value));
}

void front__add_call(Lower *l, CallSite site, uint32_t first, Operand computed)
{
    Instr *instr = front__emit(l, OP_CALL, site.result_count ? site.results[0].width : 0);
    instr->imm = l->calls.len;
    instr->a = computed;
    instr->dst = site.result_count ? first : OPERAND_NONE;
    vec_push(&l->calls, site);
}

/* ---- inline assembly ---- */

typedef struct Constraints {
    uint32_t outputs;       /* all of them, those in memory included */
    uint32_t results;       /* outputs that the call returns */
    Vec(int) tied;          /* for each argument of the call the output it is tied to, -1: none */
    Vec(int) result_output; /* for each result its output */
} Constraints;

static void add_constraint(Constraints *c, const char *text, size_t n)
{
    bool in_memory = memchr(text, '*', n);
    if (!n || text[0] == '~' || text[0] == '!') return;
    if (text[0] == '=') {
        if (in_memory) {
            vec_push(&c->tied, -1);
        } else {
            vec_push(&c->result_output, (int)c->outputs);
            c->results++;
        }
        c->outputs++;
        return;
    }
    while (n && (text[0] == '%' || text[0] == '&')) {
        text++;
        n--;
    }
    vec_push(&c->tied, n && isdigit((unsigned char)text[0]) ? atoi(text) : -1);
}

/* Constraints are separated by commas; `{…}` may hold none. */
static void parse_constraints(const char *text, size_t n, Constraints *c)
{
    for (size_t start = 0, end; start < n; start = end + 1) {
        for (end = start; end < n && text[end] != ','; end++) {
        }
        add_constraint(c, text + start, end - start);
    }
}

static bool is_blank(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)text[i]) && text[i] != ';') return false;
    return true;
}

static void asm_result(Lower *l, LLVMValueRef call, const Constraints *c, uint32_t number, const Leaf *leaf, uint32_t first)
{
    int output = vec_at(&c->result_output, number);
    for (uint32_t i = 0; i < c->tied.len && i < LLVMGetNumArgOperands(call); i++) {
        if (c->tied.data[i] != output) continue;
        LLVMValueRef argument = LLVMGetOperand(call, i);
        const Shape *shape = shape_of(l, argument);
        if (shape->count != 1) break;
        Operand value = front__resize(l, leaf->type.width, shape->leaves[0].type.width, front__operand(l, argument, 0));
        front__finish(l, first + leaf->reg, leaf->type.width, value);
        return;
    }
    front__emit(l, OP_UNDEF, leaf->type.width)->dst = first + leaf->reg;
}

static void lower_assembly(Lower *l, LLVMValueRef call, LLVMValueRef assembly, uint32_t first)
{
    size_t text_length, constraint_length;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &text_length);
    const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &constraint_length);
    const Shape *shape = shape_of(l, call);
    Constraints c = {0};
    parse_constraints(constraints, constraint_length, &c);
    if (!is_blank(text, text_length)) {
        front__trap(l, "inline assembly is not supported");
        front__undefine(l, first, shape);
    } else if (c.results != shape->count) { /* a vector or struct in one output */
        front__undefine(l, first, shape);
    } else {
        for (uint32_t i = 0; i < shape->count; i++) asm_result(l, call, &c, i, &shape->leaves[i], first);
    }
    vec_release(&c.tied);
    vec_release(&c.result_output);
}

/* ---- functions ---- */

static Argument argument_of(Lower *l, LLVMValueRef call, unsigned number, uint32_t leaf)
{
    Translator *t = l->t;
    LLVMValueRef value = LLVMGetOperand(call, number);
    Argument argument = {.value = front__operand(l, value, leaf), .type = shape_of(l, value)->leaves[leaf].type};
    argument.type.sign = LLVMGetCallSiteEnumAttribute(call, number + 1, t->attr_signext);
    LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, number + 1, t->attr_byval);
    if (byval) {
        LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
        LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, number + 1, t->attr_align);
        argument.byval_size = front__type_size(t, type);
        argument.byval_align = align ? (uint32_t)LLVMGetEnumAttributeValue(align) : front__type_align(t, type);
    }
    return argument;
}

static void add_arguments(Lower *l, LLVMValueRef call, LLVMTypeRef type, CallSite *site)
{
    Vec(Argument) arguments = {0};
    unsigned fixed = LLVMCountParamTypes(type);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        uint32_t n = shape_of(l, LLVMGetOperand(call, i))->count;
        if (i == fixed) site->fixed_count = arguments.len;
        for (uint32_t k = 0; k < n; k++) vec_push(&arguments, argument_of(l, call, i, k));
    }
    if (LLVMGetNumArgOperands(call) <= fixed) site->fixed_count = arguments.len;
    site->argument_count = arguments.len;
    site->arguments = front__keep(l->t, arguments.data, arguments.len * sizeof *arguments.data);
    vec_release(&arguments);
}

static void add_results(Lower *l, LLVMValueRef call, CallSite *site)
{
    const Shape *shape = shape_of(l, call);
    bool sign = LLVMGetCallSiteEnumAttribute(call, LLVMAttributeReturnIndex, l->t->attr_signext);
    site->result_count = shape->count;
    site->results = arena_alloc(&l->t->program->arena, shape->count * sizeof *site->results);
    for (uint32_t i = 0; i < shape->count; i++) {
        site->results[i] = shape->leaves[i].type;
        site->results[i].sign = sign;
    }
}

/* Floats that can only be moved may be passed between functions of the program, not to native ones. */
static const char *argument_problem(Lower *l, LLVMValueRef call, uint32_t callee)
{
    bool native = callee != UINT32_MAX && !l->t->function_list.data[callee].defined;
    if (native && shape_of(l, call)->exotic) return "a float of 16 or 128 bits";
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        const Shape *shape = shape_of(l, LLVMGetOperand(call, i));
        if (shape->problem) return shape->problem;
        if (native && shape->exotic) return "a float of 16 or 128 bits";
    }
    return NULL;
}

static uint32_t direct_callee(Lower *l, LLVMValueRef callee)
{
    Const address;
    if (!LLVMIsConstant(callee) || !front__fold(l->t, callee, 0, &address) || address.value || address.minus || address.undef)
        return UINT32_MAX;
    const Symbol *symbol = &vec_at(&l->t->symbols, address.symbol);
    return symbol->kind == SYMBOL_FUNCTION ? symbol->index : UINT32_MAX;
}

static void call_function(Lower *l, LLVMValueRef call, LLVMValueRef callee, uint32_t first)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    CallSite site = {.callee = direct_callee(l, callee), .variadic = LLVMIsFunctionVarArg(type)};
    const char *problem = argument_problem(l, call, site.callee);
    if (problem) {
        front__trap(l, "passing %s is not supported", problem);
        front__undefine(l, first, shape_of(l, call));
        return;
    }
    add_arguments(l, call, type, &site);
    add_results(l, call, &site);
    front__add_call(l, site, first, site.callee == UINT32_MAX ? front__operand(l, callee, 0) : OPERAND_NONE);
}

void front__lower_call(Lower *l, LLVMValueRef call, uint32_t first)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        lower_assembly(l, call, callee, first);
    } else if (LLVMIsAFunction(callee) && (LLVMGetIntrinsicID(callee) || strncmp(front__value_name(callee), "llvm.", 5) == 0)) {
        front__lower_intrinsic(l, call, callee, first);
    } else {
        call_function(l, call, callee, first);
    }
}
