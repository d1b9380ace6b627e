/* What one instruction does, five ways: by the dispatch loop on constants (alone, with a mark behind it, and in a frame that holds
 * an expression elsewhere), by the reference interpreter, and as an expression that is then evaluated.  All must agree on results,
 * overflow bits and reported faults, for random opcodes, widths and operands with the corner cases in them.
 *
 *   meaning [--seed N] [--count N]     N checks (one check: one instruction on one set of operands)
 *
 * Programs are built by hand, a few hundred one-instruction functions at a time.  An operand is a parameter or a constant; a
 * function's symbolic run is made once, under its first set of operands, and its result evaluated under all sets.  So the expression
 * must be right for every model, and the conditions of the path must hold exactly where nothing is reported. Any NaN equals any
 * NaN.  Long doubles have no expressions: there the symbolic run is compared under its own model alone. */
#include "base/arith.h"
#include "vm/vm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS = 400, SETS = 8, OPERANDS = 3, OUT_BYTES = 32, RESULT = 8, SCRATCH = 12, REGISTERS = 16, TAINT = 6 };

typedef struct Outcome {
    U128 value;
    uint8_t overflow, bug;
    VmStopKind stop;
} Outcome;

typedef struct Case {
    Instr instr;
    unsigned operands, widths[OPERANDS], result_width;
    bool floats[OPERANDS], float_result, with_overflow, branch, extend, extend_sign;
    bool parameter[OPERANDS], frozen[OPERANDS]; /* frozen: the same in all sets, constant in the symbolic run too */
    U128 value[SETS][OPERANDS];
    Outcome expected[SETS];
    Function *function;
} Case;

typedef struct Run {
    Random random;
    Program *program;
    Vec(Const) consts;
    Vec(Function) functions;
    Vec(Symbol) symbols;
    Vec(Loc) locs;
    Vec(Branch) branches;
    Case cases[FUNCTIONS];
    uint8_t reported;
    uint64_t passed, failed, seed;
} Run;

static uint64_t below(Run *r, uint64_t n)
{
    return random_below(&r->random, n);
}

static U128 random_bits(Run *r)
{
    U128 high = random_next(&r->random);
    return high << 64 | random_next(&r->random);
}

/* ---- operands ---- */

static U128 integer_operand(Run *r, unsigned width)
{
    U128 mask = arith_mask(width), one = 1;
    switch (below(r, 10)) {
    case 0: return 0;
    case 1: return 1 & mask;
    case 2: return mask;
    case 3: return one << (width - 1);
    case 4: return mask >> 1;
    case 5: return (U128)below(r, 2 * width + 2) & mask; /* about the widths: shifts */
    case 6: return ((one << below(r, width)) + below(r, 3) - 1) & mask;
    case 7: return ((U128)0 - below(r, 300)) & mask;
    default: return random_bits(r) >> below(r, 128) & mask;
    }
}

static double plain_number(Run *r)
{
    switch (below(r, 4)) {
    case 0: return (double)below(r, 2000) / 8 - 100;
    case 1: return ldexp(1, (int)below(r, 140) - 8) + (double)below(r, 3) - 1;
    case 2: return -ldexp(1, (int)below(r, 140) - 8) + (double)below(r, 3) - 1;
    default: return arith_f64(random_next(&r->random));
    }
}

static U128 float_operand(Run *r, unsigned width)
{
    static const double corners[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     0.5,
                                     INFINITY,
                                     -INFINITY,
                                     NAN,
                                     2147483647.5,
                                     -2147483648.9,
                                     9223372036854775808.0,
                                     18446744073709551616.0,
                                     4294967295.5,
                                     1e-310,
                                     1e-45,
                                     1.7976931348623157e308,
                                     3.4028234663852886e38,
                                     65504.0};
    double number = below(r, 3) == 0 ? corners[below(r, COUNT_OF(corners))] : plain_number(r);
    if (width == 80) return arith_bits80(below(r, 2) ? (long double)number / 3 : (long double)number);
    if (below(r, 4) == 0) return random_bits(r) & arith_mask(width);
    return width == 32 ? arith_bits32((float)number) : arith_bits64(number);
}

/* ---- choosing an instruction ---- */

static unsigned integer_width(Run *r)
{
    static const uint8_t usual[] = {1, 8, 16, 32, 32, 64, 64, 128};
    return below(r, 3) ? usual[below(r, COUNT_OF(usual))] : 1 + (unsigned)below(r, 128);
}

static unsigned float_width(Run *r)
{
    static const uint8_t widths[] = {32, 32, 64, 64, 64, 80};
    return widths[below(r, COUNT_OF(widths))];
}

static void choose_widths(Run *r, Case *c)
{
    Instr *i = &c->instr;
    switch (i->op) {
    case OP_TRUNC:
        i->width2 = (uint16_t)(2 + below(r, 127));
        i->width = (uint16_t)(1 + below(r, i->width2 - 1u));
        break;
    case OP_ZEXT:
    case OP_SEXT:
        i->width = (uint16_t)(below(r, 2) ? 2 + below(r, 127) : below(r, 2) ? 32 : 64);
        i->width2 = (uint16_t)(below(r, 2)      ? 1 + below(r, i->width - 1u)
                               : i->width == 64 ? 32
                                                : 1 + below(r, i->width < 17 ? i->width - 1u : 16));
        break;
    case OP_FTOF:
        i->width = (uint16_t)float_width(r);
        do i->width2 = (uint16_t)float_width(r);
        while (i->width2 == i->width);
        break;
    case OP_FTOUI:
    case OP_FTOSI:
        i->width = (uint16_t)integer_width(r);
        i->width2 = (uint16_t)float_width(r);
        break;
    case OP_UITOF:
    case OP_SITOF:
        i->width = (uint16_t)float_width(r);
        i->width2 = (uint16_t)integer_width(r);
        break;
    case OP_ADDRESS:
        i->width = 64;
        i->width2 = (uint16_t)(below(r, 2) ? 32 : below(r, 2) ? 64 : 1 + below(r, 64));
        break;
    case OP_BSWAP: i->width = (uint16_t)(16 * (1 + below(r, 8))); break;
    default: i->width = (uint16_t)integer_width(r); break;
    }
}

static bool is_float_op(unsigned op)
{
    return op >= OP_FADD && op <= OP_FCMP;
}

static void describe_operands(Run *r, Case *c)
{
    const Instr *i = &c->instr;
    static const uint8_t reads[OPCODES] = {
#define OP(NAME, text, operands, writes) operands,
#include "program/opcodes.def"
#undef OP
    };
    c->operands = reads[i->op];
    c->result_width = i->op == OP_ICMP || i->op == OP_FCMP ? 1 : i->width;
    bool converts = i->op >= OP_TRUNC && i->op <= OP_SITOF;
    for (unsigned k = 0; k < c->operands; k++) c->widths[k] = converts ? i->width2 : i->width;
    if (i->op == OP_SELECT) c->widths[0] = 1;
    if (i->op == OP_ADDRESS) {
        c->widths[1] = i->width2;
        if (below(r, 4) == 0) c->operands = 1; /* without an index */
        if (c->operands == 2 && i->width2 < 64 && below(r, 2)) c->extend = true, c->extend_sign = below(r, 2);
    }
    bool from_float = is_float_op(i->op) || (i->op >= OP_FTOF && i->op <= OP_FTOSI);
    for (unsigned k = 0; k < c->operands; k++) c->floats[k] = from_float;
    c->float_result = (is_float_op(i->op) && i->op != OP_FNEG && i->op != OP_FABS && i->op != OP_FCMP) || i->op == OP_FTOF;
    c->with_overflow = i->op >= OP_SADDO && i->op <= OP_UMULO;
}

static void choose_operands(Run *r, Case *c)
{
    for (unsigned k = 0; k < c->operands; k++) {
        c->parameter[k] = below(r, 3) != 0;
        c->frozen[k] = !c->parameter[k] || below(r, 5) == 0;
    }
    if (below(r, 8)) c->parameter[0] = true, c->frozen[0] = false;
    bool same = c->operands >= 2 && c->widths[0] == c->widths[1] && below(r, 12) == 0;
    for (unsigned s = 0; s < SETS; s++)
        for (unsigned k = 0; k < c->operands; k++) {
            if (s > 0 && c->frozen[k]) c->value[s][k] = c->value[0][k];
            else c->value[s][k] = c->floats[k] ? float_operand(r, c->widths[k]) : integer_operand(r, c->widths[k]);
            if (same && k == 1 && !c->frozen[1]) c->value[s][1] = c->value[s][0];
        }
}

static void choose(Run *r, Case *c)
{
    *c = (Case){0};
    Instr *i = &c->instr;
    do i->op = (uint8_t)(OP_MOV + below(r, OP_ADDRESS - OP_MOV + 1));
    while (i->op == OP_UNDEF);
    if (i->op >= OP_ADD && i->op <= OP_MUL && below(r, 2)) i->flags = FLAG_NSW;
    choose_widths(r, c);
    if (is_float_op(i->op)) i->width = (uint16_t)float_width(r);
    if (i->op == OP_ICMP) i->predicate = (uint16_t)below(r, PRED_SLE + 1), c->branch = below(r, 2);
    if (i->op == OP_FCMP) i->predicate = (uint16_t)below(r, 16);
    i->imm = i->op == OP_SELECT ? -1 : 0;
    if (i->op == OP_ADDRESS && below(r, 2)) i->imm = (int64_t)below(r, 2000) - 1000;
    if (i->op == OP_ADDRESS && below(r, 16) == 0) i->imm = (int64_t)random_next(&r->random);
    describe_operands(r, c);
    choose_operands(r, c);
}

/* ---- building the program ---- */

static Operand constant(Run *r, unsigned width, U128 value, uint32_t symbol)
{
    vec_push(&r->consts, ((Const){.value = value, .width = (uint16_t)width, .symbol = symbol}));
    return OPERAND_CONST | (r->consts.len - 1);
}

static uint32_t register_of(unsigned operand)
{
    return operand * 2;
}

static void add_params(Run *r, const Case *c, Function *f)
{
    f->params = arena_alloc(&r->program->arena, (OPERANDS + 1) * sizeof *f->params);
    for (unsigned k = 0; k < c->operands; k++)
        if (c->parameter[k])
            f->params[f->param_count++] =
                (Param){.name = "", .type = {.kind = SCALAR_INT, .width = (uint16_t)c->widths[k]}, .reg = register_of(k)};
    f->params[f->param_count++] = (Param){.name = "", .type = {.kind = SCALAR_INT, .width = 32}, .reg = TAINT};
}

typedef struct Body {
    Vec(Instr) code;
    Vec(Block) blocks;
} Body;

static void end_block(Body *body, uint32_t *first)
{
    vec_push(&body->blocks, ((Block){.first = *first, .count = body->code.len - *first}));
    *first = body->code.len;
}

static void add_store(Run *r, Body *body, unsigned width, Operand value, uint64_t at, uint32_t loc)
{
    Instr store = {.op = OP_STORE,
                   .width = (uint16_t)width,
                   .dst = OPERAND_NONE,
                   .a = constant(r, 64, at, 1),
                   .b = value,
                   .c = OPERAND_NONE,
                   .loc = loc};
    vec_push(&body->code, store);
}

static void add_computation(Run *r, Case *c, Body *body, uint32_t loc)
{
    Instr i = c->instr;
    Operand *const operands[] = {&i.a, &i.b, &i.c};
    i.dst = RESULT;
    i.loc = loc;
    for (unsigned k = 0; k < OPERANDS; k++) {
        *operands[k] = OPERAND_NONE;
        if (k >= c->operands) continue;
        *operands[k] = c->parameter[k] ? register_of(k) : constant(r, c->widths[k], c->value[0][k], 0);
    }
    if (i.op == OP_ADDRESS && c->operands == 2) i.c = constant(r, 64, below(r, 4) ? (U128)1 << below(r, 5) : below(r, 100000), 0);
    if (c->extend) {
        Instr extend = {.op = c->extend_sign ? OP_SEXT : OP_ZEXT,
                        .width = 64,
                        .width2 = i.width2,
                        .dst = SCRATCH,
                        .a = i.b,
                        .b = OPERAND_NONE,
                        .c = OPERAND_NONE,
                        .loc = loc};
        vec_push(&body->code, extend);
        i.b = SCRATCH;
        i.width2 = 64;
    }
    vec_push(&body->code, i);
}

/* if (comparison) out = 1; else out = 0; as the compare-and-jump codes see it */
static void add_branch(Run *r, Body *body, Function *f, uint32_t *first, uint32_t loc)
{
    f->branches = arena_alloc(&r->program->arena, sizeof *f->branches);
    f->branch_count = 1;
    f->branches[0] = (CondBranch){.yes = 1, .no = 2, .branch = r->branches.len};
    for (unsigned k = 0; k < 2; k++)
        vec_push(&r->branches,
                 ((Branch){.function = r->functions.len, .loc = loc, .target = 1 + k, .outcome = k ? OUTCOME_FALSE : OUTCOME_TRUE}));
    Instr branch = {.op = OP_BRANCH, .width = 1, .dst = OPERAND_NONE, .a = RESULT, .b = OPERAND_NONE, .c = OPERAND_NONE, .loc = loc};
    vec_push(&body->code, branch);
    end_block(body, first);
    for (unsigned k = 0; k < 2; k++) {
        add_store(r, body, 1, constant(r, 1, k == 0, 0), 0, loc);
        Instr jump = {.op = OP_JUMP, .dst = OPERAND_NONE, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE, .imm = 3, .loc = loc};
        vec_push(&body->code, jump);
        end_block(body, first);
    }
}

static void add_function(Run *r, Case *c)
{
    Arena *arena = &r->program->arena;
    char name[32];
    snprintf(name, sizeof name, "f%u", r->functions.len);
    Function f = {.name = arena_strdup(arena, name), .file = "", .defined = true, .register_count = REGISTERS};
    uint32_t loc = r->locs.len, first = 0;
    vec_push(&r->locs, ((Loc){.file = "generated", .line = loc, .column = 1}));
    Body body = {0};
    add_params(r, c, &f);
    add_computation(r, c, &body, loc);
    if (c->branch) {
        add_branch(r, &body, &f, &first, loc);
    } else {
        add_store(r, &body, c->result_width, RESULT, 0, loc);
        if (c->with_overflow) add_store(r, &body, 1, RESULT + (c->instr.width > 64 ? 2 : 1), 16, loc);
    }
    Instr end = {.op = OP_RETURN, .dst = OPERAND_NONE, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE, .loc = loc};
    vec_push(&body.code, end);
    end_block(&body, &first);
    f.code_count = body.code.len;
    f.code = arena_alloc(arena, body.code.len * sizeof *f.code);
    memcpy(f.code, body.code.data, body.code.len * sizeof *f.code);
    f.block_count = body.blocks.len;
    f.blocks = arena_alloc(arena, body.blocks.len * sizeof *f.blocks);
    memcpy(f.blocks, body.blocks.data, body.blocks.len * sizeof *f.blocks);
    vec_release(&body.code);
    vec_release(&body.blocks);
    f.symbol = r->symbols.len;
    vec_push(&r->symbols, ((Symbol){.kind = SYMBOL_FUNCTION, .index = r->functions.len}));
    names_put(&r->program->function_names, f.name, r->functions.len);
    vec_push(&r->functions, f);
}

/* The last function tells where the results are. */
static void add_teller(Run *r)
{
    Arena *arena = &r->program->arena;
    Function f = {.name = "where", .file = "", .defined = true, .register_count = 1, .code_count = 1, .block_count = 1, .result_count = 1};
    f.results = arena_alloc(arena, sizeof *f.results);
    f.results[0] = (Scalar){.kind = SCALAR_POINTER, .width = 64};
    f.code = arena_alloc(arena, sizeof *f.code);
    f.code[0] =
        (Instr){.op = OP_RETURN, .width = 64, .dst = OPERAND_NONE, .a = constant(r, 64, 0, 1), .b = OPERAND_NONE, .c = OPERAND_NONE};
    f.blocks = arena_alloc(arena, sizeof *f.blocks);
    f.blocks[0] = (Block){.count = 1};
    f.symbol = r->symbols.len;
    vec_push(&r->symbols, ((Symbol){.kind = SYMBOL_FUNCTION, .index = r->functions.len}));
    names_put(&r->program->function_names, f.name, r->functions.len);
    vec_push(&r->functions, f);
}

static void build(Run *r)
{
    Program *p = r->program = mem_alloc(sizeof *p);
    vec_clear(&r->consts);
    vec_clear(&r->functions);
    vec_clear(&r->symbols);
    vec_clear(&r->locs);
    vec_clear(&r->branches);
    vec_push(&r->symbols, ((Symbol){.kind = SYMBOL_NONE}));
    vec_push(&r->symbols, ((Symbol){.kind = SYMBOL_GLOBAL, .index = 0}));
    vec_push(&r->locs, (Loc){0});
    p->globals = arena_alloc(&p->arena, sizeof *p->globals);
    p->global_count = 1;
    p->globals[0] = (Global){.name = "out", .symbol = 1, .size = OUT_BYTES, .align = 16, .defined = true};
    names_put(&p->global_names, "out", 0);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        choose(r, &r->cases[i]);
        add_function(r, &r->cases[i]);
    }
    add_teller(r);
    p->consts = r->consts.data, p->const_count = r->consts.len;
    p->functions = r->functions.data, p->function_count = r->functions.len;
    p->symbols = r->symbols.data, p->symbol_count = r->symbols.len;
    p->locs = r->locs.data, p->loc_count = r->locs.len;
    p->branches = r->branches.data, p->branch_count = r->branches.len;
    for (unsigned i = 0; i < FUNCTIONS; i++) r->cases[i].function = &p->functions[i];
    program_analyse(p);
    program_check(p);
}

/* ---- running ---- */

typedef enum Mode { MODE_PLAIN, MODE_TRAIL, MODE_MIXED, MODE_REFERENCE, MODE_SYMBOLIC, MODES } Mode;
static const char *const mode_names[] = {"plain", "trail", "mixed", "reference", "symbolic"};

static void on_report(void *data, const VmReport *report)
{
    ((Run *)data)->reported = (uint8_t)report->bug;
}

static Vm *new_vm(Run *r, ExprPool *pool, bool reference)
{
    VmOptions options = {.reference = reference, .on_report = on_report, .on_report_data = r, .exploring = true};
    Vm *vm;
    Error error;
    if (vm_new(&vm, r->program, pool, &options, &error) != OK) {
        fprintf(stderr, "meaning: %s\n", error.text);
        exit(2);
    }
    return vm;
}

static uint64_t where(Run *r, Vm *vm)
{
    Error error;
    if (vm_start_function(vm, program_function(r->program, "where"), NULL, 0, &error) != OK || vm_run(vm).kind != VM_EXIT) {
        fprintf(stderr, "meaning: the simplest function does not run\n");
        exit(2);
    }
    return vm_result(vm, NULL);
}

/* What was stored, under the current model. */
static void read_result(Vm *vm, const Case *c, uint64_t out, Outcome *o)
{
    Status status = vm_read_guest(vm, out, &o->value, (c->result_width + 7) / 8);
    if (c->with_overflow) status |= vm_read_guest(vm, out + 16, &o->overflow, 1);
    REQUIRE(status == OK, "the results cannot be read");
}

static Outcome look(Run *r, Vm *vm, const Case *c, VmStop stop, uint64_t out)
{
    Outcome o = {.stop = stop.kind, .bug = stop.kind == VM_BUG ? (uint8_t)stop.bug : r->reported};
    if (stop.kind == VM_EXIT) read_result(vm, c, out, &o);
    return o;
}

static Outcome execute(Run *r, Vm *vm, const Case *c, const Expr *arguments, Mode mode, uint64_t out)
{
    Error error;
    r->reported = BUG_NONE;
    if (vm_start_function_values(vm, c->function, arguments, c->function->param_count, &error) != OK) {
        fprintf(stderr, "meaning: %s\n", error.text);
        exit(2);
    }
    if (mode == MODE_TRAIL) vm_mark(vm);
    return look(r, vm, c, vm_run(vm), out);
}

static bool is_nan(U128 bits, unsigned width)
{
    if (width == 32) return isnan(arith_f32((uint64_t)bits));
    return width == 64 ? isnan(arith_f64((uint64_t)bits)) : isnan(arith_f80(bits));
}

static bool agree(const Case *c, Outcome a, Outcome b)
{
    if (a.stop != b.stop || a.bug != b.bug || a.overflow != b.overflow) return false;
    return a.value == b.value || (c->float_result && is_nan(a.value, c->result_width) && is_nan(b.value, c->result_width));
}

static void show(const char *what, U128 value)
{
    printf(" %s 0x%llx%016llx", what, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static void complain(Run *r, const Case *c, unsigned set, const char *mode, Outcome got)
{
    StrBuf text = {0};
    r->failed++;
    if (r->failed > 50) return;
    for (uint32_t k = 0; k + 1 < c->function->code_count; k++) {
        program_print_instr(r->program, c->function, &c->function->code[k], &text);
        strbuf_add(&text, "; ");
    }
    printf("FAIL seed %llu, %s: %s\n ", (unsigned long long)r->seed, mode, text.text);
    for (unsigned k = 0; k < c->operands; k++) show(c->parameter[k] ? (c->frozen[k] ? "fixed" : "operand") : "constant", c->value[set][k]);
    const Outcome *e = &c->expected[set];
    printf("\n  expected stop %d %s, overflow %u,", (int)e->stop, bug_name(e->bug), e->overflow);
    show("value", e->value);
    printf("\n  but      stop %d %s, overflow %u,", (int)got.stop, bug_name(got.bug), got.overflow);
    show("value", got.value);
    printf("\n");
    strbuf_release(&text);
}

static uint32_t arguments_of(const Case *c, ExprPool *pool, unsigned set, Expr taint, Expr *arguments)
{
    uint32_t n = 0;
    for (unsigned k = 0; k < c->operands; k++)
        if (c->parameter[k]) arguments[n++] = expr_const(pool, c->widths[k], c->value[set][k]);
    arguments[n++] = taint ? taint : expr_const(pool, 32, 0);
    return n;
}

static void run_constants(Run *r, Mode mode)
{
    ExprPool *pool = expr_pool_new();
    Expr taint = mode == MODE_MIXED ? expr_var(pool, 32, "taint") : 0;
    uint32_t nodes = expr_pool_count(pool);
    uint64_t out;
    Vm *vm = NULL;
    for (unsigned s = 0; s < SETS;
         s++) { /* a fault is reported once for each place: a new machine for each set, so that each can report again */
        if (vm) vm_free(vm);
        expr_pool_rewind(pool, nodes);
        vm = new_vm(r, pool, mode == MODE_REFERENCE);
        out = where(r, vm);
        for (unsigned i = 0; i < FUNCTIONS; i++) {
            Case *c = &r->cases[i];
            Expr arguments[OPERANDS + 1];
            arguments_of(c, pool, s, taint, arguments);
            Outcome o = execute(r, vm, c, arguments, mode, out);
            if (mode == MODE_PLAIN) c->expected[s] = o;
            else if (!agree(c, c->expected[s], o)) complain(r, c, s, mode_names[mode], o);
            bool trapped = o.stop == VM_SIGNAL && o.bug == BUG_SIGNED_OVERFLOW; /* the smallest number divided by -1 */
            if (mode == MODE_PLAIN && o.stop != VM_EXIT && o.stop != VM_BUG && !trapped) complain(r, c, s, "plain run stopped", o);
        }
    }
    vm_free(vm);
    expr_pool_free(pool);
}

/* Do all conditions of the path hold under the model? */
static bool path_holds(Vm *vm)
{
    for (uint32_t i = 0; i < vm_path_length(vm); i++)
        if (!expr_eval(vm_model(vm), vm_condition(vm, i)->condition)) return false;
    return true;
}

static void set_model(Vm *vm, const Case *c, const Expr *vars, unsigned set)
{
    for (unsigned k = 0; k < c->operands; k++)
        if (vars[k]) expr_model_set(vm_model(vm), vars[k], c->value[set][k]);
}

/* Under the models of the other sets: the stored result has their value; the path holds iff nothing is reported and, at a branch,
 * the same side is taken. */
static void evaluate_others(Run *r, Vm *vm, const Case *c, const Expr *vars, uint64_t out)
{
    bool clean = c->expected[0].bug == BUG_NONE;
    for (unsigned s = 1; s < SETS; s++) {
        const Outcome *e = &c->expected[s];
        set_model(vm, c, vars, s);
        bool holds = path_holds(vm), same_side = !c->branch || e->value == c->expected[0].value;
        Outcome o = {.stop = e->stop, .bug = e->bug};
        read_result(vm, c, out, &o);
        if (c->branch) o.value = e->value;
        if (e->stop == VM_EXIT && !agree(c, *e, o)) complain(r, c, s, "the expression under another model", o);
        if (clean && holds != (e->bug == BUG_NONE && same_side)) complain(r, c, s, "the path's conditions under another model", o);
    }
}

static bool has_long_double(const Case *c)
{
    const Instr *i = &c->instr;
    bool converts = i->op >= OP_FTOF && i->op <= OP_SITOF;
    return (is_float_op(i->op) && i->width == 80) || (converts && (i->width == 80 || i->width2 == 80));
}

static void run_symbolic(Run *r)
{
    ExprPool *pool = expr_pool_new();
    Vm *vm = new_vm(r, pool, false);
    uint64_t out = where(r, vm);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        Case *c = &r->cases[i];
        Expr arguments[OPERANDS + 1], vars[OPERANDS] = {0};
        uint32_t n = arguments_of(c, pool, 0, 0, arguments);
        for (unsigned k = 0, at = 0; k < c->operands; k++) {
            if (!c->parameter[k]) continue;
            if (!c->frozen[k]) arguments[at] = vars[k] = expr_var(pool, c->widths[k], "operand");
            at++;
        }
        arguments[n - 1] = expr_var(pool, 32, "taint");
        set_model(vm, c, vars, 0);
        Outcome o = execute(r, vm, c, arguments, MODE_SYMBOLIC, out);
        if (!agree(c, c->expected[0], o)) complain(r, c, 0, mode_names[MODE_SYMBOLIC], o);
        if (!path_holds(vm)) complain(r, c, 0, "the path's conditions", o);
        if (o.stop == VM_EXIT && !has_long_double(c)) evaluate_others(r, vm, c, vars, out);
    }
    vm_free(vm);
    expr_pool_free(pool);
}

static void batch(Run *r, uint64_t seed)
{
    uint64_t failed = r->failed;
    r->seed = seed;
    random_seed(&r->random, seed);
    build(r);
    run_constants(r, MODE_PLAIN);
    run_constants(r, MODE_TRAIL);
    run_constants(r, MODE_MIXED);
    run_constants(r, MODE_REFERENCE);
    run_symbolic(r);
    program_free(r->program);
    uint64_t checks = (uint64_t)FUNCTIONS * SETS, wrong = r->failed - failed;
    r->passed += wrong > checks ? 0 : checks - wrong;
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, count = 50000;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0) seed = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
    }
    Run *r = mem_alloc(sizeof *r);
    for (uint64_t i = 0; i * FUNCTIONS * SETS < count; i++) batch(r, seed + i);
    printf("%llu passed, %llu failed\n", (unsigned long long)r->passed, (unsigned long long)r->failed);
    return r->failed != 0;
}
