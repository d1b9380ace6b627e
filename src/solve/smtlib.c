/* The log of queries as SMT-LIB 2, for `--log-queries`: what Z3 and other solvers read, and what smtlib_read.c turns back into expressions.
 *
 * Every node becomes one definition, written when it is first needed and valid to the end of the log (:global-declarations), so that neither sharing nor
 * long paths make the text grow faster than the expressions.  One bit is a Bool.  Names: |x!3| is the input x with index 3, e!7 a value, a!7 an
 * array, f!7 a float and bits!7 its bits, |sin!f0| a real function.  What takes more than one operator of SMT-LIB is a function `clew.…` of
 * its own, so that a reader knows what it was.
 *
 * Floats are values in SMT-LIB and bit patterns in Clew: the bits of a result are declared and bound by (= ((_ to_fp …) bits!7) f!7).  These
 * bindings are assertions and so belong to a level; `held` says which nodes have all of theirs on the levels that stand. */
#include "base/arith.h"
#include "solve/solve_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Written {
    Expr e;
    uint32_t number;
    bool has_bits;   /* a float whose bits are declared */
    bool has_floats; /* a float operation is in it or below */
} Written;

typedef struct Held {
    uint64_t key;
    uint32_t level;
} Held;

struct SmtLog {
    ExprPool *pool;
    FILE *file;
    uint32_t depth;
    Map index; /* Expr -> its place in written */
    Vec(Written) written;
    uint32_t number, forgotten; /* of the next definition; how often something was forgotten */
    Expr newest;
    NameMap helpers; /* functions clew.… and signatures of real functions -> number */
    Map held;        /* keys of `trail` */
    Vec(Held) trail; /* 2e: the bits of e are bound; 2e + 1: everything below e is */
    Vec(Expr) work;
    StrBuf body; /* of the definition being written */
};

static ExprKind kind_of(const SmtLog *log, Expr e)
{
    return expr_kind(log->pool, e);
}

static unsigned width_of(const SmtLog *log, Expr e)
{
    return expr_width(log->pool, e);
}

static Written *written_of(const SmtLog *log, Expr e)
{
    uint64_t *place = map_find(&log->index, e);
    return place ? &log->written.data[*place] : NULL;
}

/* Operands, elements or arguments. */
static uint32_t children_of(const SmtLog *log, Expr e, const Expr **list, Expr few[3])
{
    ExprKind kind = kind_of(log, e);
    if (kind == EXPR_ARRAY || kind == EXPR_APPLY) return expr_elements(log->pool, e, list);
    for (unsigned i = 0; i < expr_operand_count(kind); i++) few[i] = expr_operand(log->pool, e, i);
    *list = few;
    return expr_operand_count(kind);
}

/* ---- floats: which nodes are float values in the log ---- */

static bool gives_float(ExprKind kind)
{
    return (kind >= EXPR_FADD && kind <= EXPR_FSQRT) || kind == EXPR_FCONVERT || kind == EXPR_SITOF || kind == EXPR_UITOF;
}

/* fmod and the x87 format: uninterpreted functions on bits. */
static bool is_opaque(const SmtLog *log, Expr e)
{
    ExprKind kind = kind_of(log, e);
    if (kind < EXPR_FADD || kind > EXPR_UITOF) return false;
    bool reads_float = kind != EXPR_SITOF && kind != EXPR_UITOF;
    return kind == EXPR_FREM || (gives_float(kind) && width_of(log, e) == 80) ||
           (reads_float && width_of(log, expr_operand(log->pool, e, 0)) == 80);
}

static bool is_float(const SmtLog *log, Expr e)
{
    return gives_float(kind_of(log, e)) && !is_opaque(log, e);
}

static const char *float_sizes(unsigned width)
{
    assert(width == 32 || width == 64);
    return width == 32 ? "8 24" : "11 53";
}

/* ---- text of the parts ---- */

static void add_literal(StrBuf *out, unsigned width, U128 value)
{
    strbuf_add(out, width % 4 ? "#b" : "#x");
    unsigned step = width % 4 ? 1 : 4;
    for (unsigned at = width; at > 0; at -= step) strbuf_addf(out, "%x", (unsigned)(value >> (at - step)) & ((1u << step) - 1));
}

static void add_sort(StrBuf *out, unsigned width, bool truth)
{
    if (width == 1 && truth) strbuf_add(out, "Bool");
    else strbuf_addf(out, "(_ BitVec %u)", width);
}

static void add_array_sort(StrBuf *out, unsigned width)
{
    strbuf_addf(out, "(Array (_ BitVec 64) (_ BitVec %u))", width);
}

static void add_float_sort(StrBuf *out, unsigned width)
{
    strbuf_addf(out, "(_ FloatingPoint %s)", float_sizes(width));
}

/* A name between bars, without what must not stand there. */
static void add_name(StrBuf *out, const char *name)
{
    for (; *name; name++) strbuf_addf(out, "%c", *name == '|' || *name == '\\' || (unsigned char)*name < 32 ? '_' : *name);
}

static void add_var(const SmtLog *log, StrBuf *out, Expr e)
{
    uint32_t generation = written_of(log, e)->number;
    strbuf_add(out, "|");
    add_name(out, expr_var_name(log->pool, e));
    strbuf_addf(out, "!%u", expr_var_index(log->pool, e));
    if (generation) strbuf_addf(out, ".%u", generation);
    strbuf_add(out, "|");
}

/* Puts a line into the log; what is being composed in `body` is not disturbed. */
static void put(SmtLog *log, StrBuf *line)
{
    fputs(line->text, log->file);
    fputc('\n', log->file);
    strbuf_release(line);
}

static void declare_bits(SmtLog *log, Expr e)
{
    Written *written = written_of(log, e);
    if (written->has_bits) return;
    written->has_bits = true;
    fprintf(log->file, "(declare-fun bits!%u () (_ BitVec %u))\n", written->number, width_of(log, e));
}

/* A node where a Bool, a bit-vector of more bits, or an array is wanted. */
static void add_value(SmtLog *log, Expr e)
{
    StrBuf *out = &log->body;
    ExprKind kind = kind_of(log, e);
    uint32_t number = kind == EXPR_CONST ? 0 : written_of(log, e)->number;
    if (kind == EXPR_CONST && width_of(log, e) == 1) strbuf_add(out, expr_value(log->pool, e) ? "true" : "false");
    else if (kind == EXPR_CONST) add_literal(out, width_of(log, e), expr_value(log->pool, e));
    else if (kind == EXPR_VAR) add_var(log, out, e);
    else if (is_float(log, e)) declare_bits(log, e), strbuf_addf(out, "bits!%u", number);
    else strbuf_addf(out, "%s!%u", kind == EXPR_UNDEF ? "undef" : kind == EXPR_ARRAY || kind == EXPR_STORE ? "a" : "e", number);
}

/* A node where a bit-vector is wanted. */
static void add_word(SmtLog *log, Expr e)
{
    ExprKind kind = kind_of(log, e);
    if (width_of(log, e) > 1 || kind == EXPR_ARRAY || kind == EXPR_STORE) {
        add_value(log, e);
    } else if (kind == EXPR_CONST) {
        add_literal(&log->body, 1, expr_value(log->pool, e));
    } else {
        strbuf_add(&log->body, "(ite ");
        add_value(log, e);
        strbuf_add(&log->body, " #b1 #b0)");
    }
}

static void add_float(SmtLog *log, Expr e)
{
    if (is_float(log, e)) {
        strbuf_addf(&log->body, "f!%u", written_of(log, e)->number);
        return;
    }
    strbuf_addf(&log->body, "((_ to_fp %s) ", float_sizes(width_of(log, e)));
    add_value(log, e);
    strbuf_add(&log->body, ")");
}

/* ---- functions clew.… ---- */

static void add_float_constant(StrBuf *out, unsigned format, double value)
{
    strbuf_addf(out, "((_ to_fp %s) ", float_sizes(format));
    add_literal(out, format, format == 32 ? arith_bits32((float)value) : arith_bits64(value));
    strbuf_add(out, ")");
}

/* (ite (and (LOW x low) (fp.lt x high)) (to_sbv or to_ubv x) other */
static void add_conversion(StrBuf *out, unsigned format, unsigned size, bool is_signed)
{
    double limit = ldexp(1, (int)size - is_signed);
    bool strict = is_signed ? size == 32 && format == 64 : size == 128;
    strbuf_addf(out, "(ite (and (%s x ", strict ? "fp.gt" : "fp.geq");
    add_float_constant(out, format, is_signed ? (strict ? -limit - 1 : -limit) : (strict ? -1 : 0));
    strbuf_add(out, ") (fp.lt x ");
    add_float_constant(out, format, limit);
    strbuf_addf(out, ")) ((_ fp.to_%cbv %u) RTZ x) ", is_signed ? 's' : 'u', size);
    if (!is_signed && size == 64) add_conversion(out, format, 64, true);
    else add_literal(out, size, is_signed ? (U128)1 << (size - 1) : ~(U128)0);
    strbuf_add(out, ")");
}

/* As arith_fp_to_signed and arith_fp_to_unsigned: through the next machine size. */
static void add_conversion_body(StrBuf *out, ExprKind kind, unsigned format, unsigned width)
{
    bool is_signed = kind == EXPR_FTOSI;
    unsigned size = width < 32 || (is_signed && width == 32) ? 32 : width <= 64 ? 64 : 128;
    if (size > width) strbuf_addf(out, "((_ extract %u 0) ", width - 1);
    add_conversion(out, format, size, is_signed || width <= 32);
    if (size > width) strbuf_add(out, ")");
}

static void add_zeros_body(StrBuf *out, ExprKind kind, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned tested = kind == EXPR_CTTZ ? i : width - 1 - i;
        strbuf_addf(out, "(ite (= ((_ extract %u %u) x) #b1) ", tested, tested);
        add_literal(out, width, i);
        strbuf_add(out, " ");
    }
    add_literal(out, width, width);
    for (unsigned i = 0; i < width; i++) strbuf_add(out, ")");
}

static void add_ones_body(StrBuf *out, unsigned width)
{
    strbuf_add(out, "(bvadd");
    for (unsigned i = 0; i < width; i++) {
        if (width == 1) strbuf_add(out, " x");
        else strbuf_addf(out, " ((_ zero_extend %u) ((_ extract %u %u) x))", width - 1, i, i);
    }
    strbuf_add(out, " ");
    add_literal(out, width, 0);
    strbuf_add(out, ")");
}

static void add_access_body(StrBuf *out, ExprKind kind, unsigned width, uint32_t length)
{
    strbuf_add(out, "(ite (bvult i ");
    add_literal(out, 64, length);
    if (kind == EXPR_STORE) {
        strbuf_add(out, ") (store a i x) a)");
    } else {
        strbuf_add(out, ") (select a i) ");
        add_literal(out, width, 0);
        strbuf_add(out, ")");
    }
}

/* clew.select.WIDTH.LENGTH, clew.ftosi.FORMAT.WIDTH, clew.ctpop.WIDTH …: the name; what it depends on is all in it. */
static void name_helper(const SmtLog *log, Expr e, StrBuf *name)
{
    ExprKind kind = kind_of(log, e);
    unsigned source = width_of(log, expr_operand(log->pool, e, 0)), width = width_of(log, e);
    strbuf_addf(name, "clew.%s.%u", expr_kind_name(kind), source);
    if (kind == EXPR_SELECT) strbuf_addf(name, ".%u", expr_array_length(log->pool, expr_operand(log->pool, e, 0)));
    else if (kind == EXPR_STORE) strbuf_addf(name, ".%u", expr_array_length(log->pool, e));
    else if (is_opaque(log, e) || kind == EXPR_FTOSI || kind == EXPR_FTOUI) strbuf_addf(name, ".%u", width);
}

static void add_parameters(const SmtLog *log, Expr e, StrBuf *out)
{
    unsigned source = width_of(log, expr_operand(log->pool, e, 0));
    switch (kind_of(log, e)) {
    case EXPR_SELECT:
    case EXPR_STORE:
        strbuf_add(out, "((a ");
        add_array_sort(out, source);
        strbuf_add(out, ") (i (_ BitVec 64))");
        if (kind_of(log, e) == EXPR_STORE) strbuf_addf(out, " (x (_ BitVec %u))", source);
        strbuf_add(out, ")");
        return;
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ: strbuf_addf(out, "((x (_ BitVec %u)))", source); return;
    default: break;
    }
    strbuf_add(out, "((x ");
    add_float_sort(out, source);
    if (kind_of(log, e) == EXPR_FUNO) {
        strbuf_add(out, ") (y ");
        add_float_sort(out, source);
    }
    strbuf_add(out, "))");
}

static void define_helper(const SmtLog *log, Expr e, StrBuf *line)
{
    ExprKind kind = kind_of(log, e);
    unsigned source = width_of(log, expr_operand(log->pool, e, 0)), width = width_of(log, e);
    add_parameters(log, e, line);
    strbuf_add(line, " ");
    if (kind == EXPR_STORE) add_array_sort(line, width);
    else add_sort(line, width, kind == EXPR_FUNO);
    strbuf_add(line, " ");
    switch (kind) {
    case EXPR_SELECT:
    case EXPR_STORE: add_access_body(line, kind, width, expr_array_length(log->pool, expr_operand(log->pool, e, 0))); break;
    case EXPR_CTPOP: add_ones_body(line, width); break;
    case EXPR_CTLZ:
    case EXPR_CTTZ: add_zeros_body(line, kind, width); break;
    case EXPR_FUNO: strbuf_add(line, "(or (fp.isNaN x) (fp.isNaN y))"); break;
    default: add_conversion_body(line, kind, source, width); break;
    }
    strbuf_add(line, ")");
}

static void declare_opaque(const SmtLog *log, Expr e, StrBuf *line)
{
    strbuf_add(line, "(");
    for (unsigned i = 0; i < expr_operand_count(kind_of(log, e)); i++) {
        if (i) strbuf_add(line, " ");
        add_sort(line, width_of(log, expr_operand(log->pool, e, i)), false);
    }
    strbuf_add(line, ") ");
    add_sort(line, width_of(log, e), false);
    strbuf_add(line, ")");
}

/* Begins "(clew.… " in the body; the function is written to the log before its first use. */
static void begin_helper(SmtLog *log, Expr e)
{
    StrBuf name = {0};
    name_helper(log, e, &name);
    if (!names_find(&log->helpers, name.text)) {
        StrBuf line = {0};
        strbuf_addf(&line, "(%s %s ", is_opaque(log, e) ? "declare-fun" : "define-fun", name.text);
        if (is_opaque(log, e)) declare_opaque(log, e, &line);
        else define_helper(log, e, &line);
        names_put(&log->helpers, name.text, 0);
        put(log, &line);
    }
    strbuf_addf(&log->body, "(%s", name.text);
    strbuf_release(&name);
}

/* The same for a real function: functions of the same name, and one function with other widths, get numbers of their own. */
static void begin_function(SmtLog *log, Expr e)
{
    const Expr *arguments;
    uint32_t count = expr_elements(log->pool, e, &arguments);
    const ExprFunction *function = expr_function(log->pool, e);
    StrBuf signature = {0}, line = {0};
    strbuf_addf(&signature, "%p", (const void *)function);
    for (uint32_t i = 0; i < count; i++) strbuf_addf(&signature, " %u", width_of(log, arguments[i]));
    strbuf_addf(&signature, " %u", width_of(log, e));
    uint32_t *known = names_find(&log->helpers, signature.text), number = known ? *known : log->helpers.len;
    if (!known) {
        strbuf_add(&line, "(declare-fun |");
        add_name(&line, function->name);
        strbuf_addf(&line, "!f%u| (", number);
        for (uint32_t i = 0; i < count; i++) strbuf_addf(&line, "%s(_ BitVec %u)", i ? " " : "", width_of(log, arguments[i]));
        strbuf_addf(&line, ") (_ BitVec %u))", width_of(log, e));
        names_put(&log->helpers, signature.text, number);
        put(log, &line);
    }
    strbuf_add(&log->body, count ? "(|" : "|");
    add_name(&log->body, function->name);
    strbuf_addf(&log->body, "!f%u|", number);
    strbuf_release(&signature);
}

/* ---- bodies of definitions ---- */

static const char *operator_name(ExprKind kind)
{
    static const char *const names[EXPR_KINDS] = {
        [EXPR_ADD] = "bvadd",   [EXPR_SUB] = "bvsub",   [EXPR_MUL] = "bvmul",   [EXPR_UDIV] = "bvudiv", [EXPR_SDIV] = "bvsdiv",
        [EXPR_UREM] = "bvurem", [EXPR_SREM] = "bvsrem", [EXPR_SHL] = "bvshl",   [EXPR_LSHR] = "bvlshr", [EXPR_ASHR] = "bvashr",
        [EXPR_AND] = "bvand",   [EXPR_OR] = "bvor",     [EXPR_XOR] = "bvxor",   [EXPR_NOT] = "bvnot",   [EXPR_EQ] = "=",
        [EXPR_ULT] = "bvult",   [EXPR_ULE] = "bvule",   [EXPR_SLT] = "bvslt",   [EXPR_SLE] = "bvsle",   [EXPR_CONCAT] = "concat",
        [EXPR_FADD] = "fp.add", [EXPR_FSUB] = "fp.sub", [EXPR_FMUL] = "fp.mul", [EXPR_FDIV] = "fp.div", [EXPR_FSQRT] = "fp.sqrt",
        [EXPR_FEQ] = "fp.eq",   [EXPR_FLT] = "fp.lt",   [EXPR_FLE] = "fp.leq",  [EXPR_ITE] = "ite",
    };
    assert(names[kind]);
    return names[kind];
}

static const char *truth_name(ExprKind kind)
{
    return kind == EXPR_AND ? "and" : kind == EXPR_OR ? "or" : kind == EXPR_XOR ? "xor" : kind == EXPR_NOT ? "not" : operator_name(kind);
}

typedef void AddOperand(SmtLog *log, Expr e);

/* The operands, and the bracket that closes the term. */
static void add_operands(SmtLog *log, Expr e, AddOperand *add)
{
    Expr few[3] = {0};
    const Expr *list;
    uint32_t count = children_of(log, e, &list, few);
    for (uint32_t i = 0; i < count; i++) {
        strbuf_add(&log->body, " ");
        add(log, list[i]);
    }
    strbuf_add(&log->body, ")");
}

static void add_table(SmtLog *log, Expr e)
{
    const Expr *elements;
    uint32_t count = expr_elements(log->pool, e, &elements);
    unsigned width = width_of(log, e);
    for (uint32_t i = 0; i < count; i++) strbuf_add(&log->body, "(store ");
    strbuf_add(&log->body, "((as const ");
    add_array_sort(&log->body, width);
    strbuf_add(&log->body, ") ");
    add_literal(&log->body, width, 0);
    strbuf_add(&log->body, ")");
    for (uint32_t i = 0; i < count; i++) {
        strbuf_add(&log->body, " ");
        add_literal(&log->body, 64, i);
        strbuf_add(&log->body, " ");
        add_word(log, elements[i]);
        strbuf_add(&log->body, ")");
    }
}

static void add_float_operation(SmtLog *log, Expr e)
{
    ExprKind kind = kind_of(log, e);
    const char *sizes = float_sizes(width_of(log, e));
    if (kind == EXPR_FCONVERT || kind == EXPR_SITOF) strbuf_addf(&log->body, "((_ to_fp %s) RNE", sizes);
    else if (kind == EXPR_UITOF) strbuf_addf(&log->body, "((_ to_fp_unsigned %s) RNE", sizes);
    else strbuf_addf(&log->body, "(%s RNE", operator_name(kind));
    add_operands(log, e, kind == EXPR_SITOF || kind == EXPR_UITOF ? add_word : add_float);
}

/* Kinds whose operands and result are Bools where they have one bit. */
static bool is_logical(ExprKind kind)
{
    return kind == EXPR_AND || kind == EXPR_OR || kind == EXPR_XOR || kind == EXPR_NOT || kind == EXPR_ITE || kind == EXPR_EQ;
}

static bool compares(ExprKind kind)
{
    return (kind >= EXPR_EQ && kind <= EXPR_SLE) || (kind >= EXPR_FEQ && kind <= EXPR_FUNO);
}

/* Terms that are bit-vectors even where they have one bit. */
static void add_word_term(SmtLog *log, Expr e)
{
    ExprKind kind = kind_of(log, e);
    StrBuf *out = &log->body;
    if (is_opaque(log, e)) {
        begin_helper(log, e);
        add_operands(log, e, add_word);
        return;
    }
    switch (kind) {
    case EXPR_EXTRACT: {
        unsigned low = expr_extract_low(log->pool, e);
        strbuf_addf(out, "((_ extract %u %u)", low + width_of(log, e) - 1, low);
        break;
    }
    case EXPR_ZEXT:
    case EXPR_SEXT: {
        unsigned more = width_of(log, e) - width_of(log, expr_operand(log->pool, e, 0));
        strbuf_addf(out, "((_ %s %u)", kind == EXPR_ZEXT ? "zero_extend" : "sign_extend", more);
        break;
    }
    case EXPR_APPLY:
        begin_function(log, e);
        if (expr_elements(log->pool, e, &(const Expr *){NULL}) == 0) return;
        break;
    case EXPR_FTOSI:
    case EXPR_FTOUI:
        begin_helper(log, e);
        add_operands(log, e, add_float);
        return;
    case EXPR_SELECT:
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ: begin_helper(log, e); break;
    default: strbuf_addf(out, "(%s", operator_name(kind)); break;
    }
    add_operands(log, e, add_word);
}

static void add_truth_term(SmtLog *log, Expr e)
{
    ExprKind kind = kind_of(log, e);
    if (is_logical(kind)) {
        strbuf_addf(&log->body, "(%s", truth_name(kind));
        add_operands(log, e, add_value);
    } else if (kind >= EXPR_FEQ && kind <= EXPR_FUNO && !is_opaque(log, e)) {
        if (kind == EXPR_FUNO) begin_helper(log, e);
        else strbuf_addf(&log->body, "(%s", operator_name(kind));
        add_operands(log, e, add_float);
    } else if (compares(kind) && !is_opaque(log, e)) {
        strbuf_addf(&log->body, "(%s", operator_name(kind));
        add_operands(log, e, add_word);
    } else {
        strbuf_add(&log->body, "(= ");
        add_word_term(log, e);
        strbuf_add(&log->body, " #b1)");
    }
}

static void add_body(SmtLog *log, Expr e)
{
    ExprKind kind = kind_of(log, e);
    if (kind == EXPR_ARRAY) {
        add_table(log, e);
    } else if (kind == EXPR_STORE) {
        begin_helper(log, e);
        add_operands(log, e, add_word);
    } else if (is_float(log, e)) {
        add_float_operation(log, e);
    } else if (width_of(log, e) == 1) {
        add_truth_term(log, e);
    } else if (kind == EXPR_ITE) {
        strbuf_add(&log->body, "(ite");
        add_operands(log, e, add_value);
    } else {
        add_word_term(log, e);
    }
}

/* ---- definitions ---- */

static bool has_floats(const SmtLog *log, Expr e)
{
    const Written *written = written_of(log, e);
    return written && written->has_floats;
}

static void note_written(SmtLog *log, Expr e, uint32_t number)
{
    Written written = {.e = e, .number = number, .has_floats = is_float(log, e)};
    Expr few[3] = {0};
    const Expr *list;
    uint32_t count = children_of(log, e, &list, few);
    for (uint32_t i = 0; i < count && !written.has_floats; i++) written.has_floats = has_floats(log, list[i]);
    map_put(&log->index, e, log->written.len);
    vec_push(&log->written, written);
    if (e > log->newest) log->newest = e;
}

/* All children are written. */
static void write_node(SmtLog *log, Expr e)
{
    ExprKind kind = kind_of(log, e);
    StrBuf line = {0};
    if (kind == EXPR_VAR) {
        note_written(log, e, log->forgotten);
        strbuf_add(&line, "(declare-fun ");
        add_var(log, &line, e);
        strbuf_add(&line, " () ");
        add_sort(&line, width_of(log, e), true);
        strbuf_add(&line, ")");
        put(log, &line);
        return;
    }
    strbuf_clear(&log->body);
    bool array = kind == EXPR_ARRAY || kind == EXPR_STORE;
    if (kind == EXPR_UNDEF && width_of(log, e) == 1) strbuf_add(&log->body, "false");
    else if (kind == EXPR_UNDEF) add_literal(&log->body, width_of(log, e), 0);
    else add_body(log, e);
    uint32_t number = log->number++;
    strbuf_addf(&line, "(define-fun %s!%u () ", kind == EXPR_UNDEF ? "undef" : array ? "a" : is_float(log, e) ? "f" : "e", number);
    if (array) add_array_sort(&line, width_of(log, e));
    else if (is_float(log, e)) add_float_sort(&line, width_of(log, e));
    else add_sort(&line, width_of(log, e), true);
    strbuf_addf(&line, " %s)", log->body.text);
    note_written(log, e, number);
    put(log, &line);
}

/* Writes what is below e and not yet written, operands first. */
static void write_definitions(SmtLog *log, Expr e)
{
    vec_clear(&log->work);
    vec_push(&log->work, e);
    while (log->work.len) {
        Expr top = vec_top(&log->work), few[3] = {0};
        const Expr *list;
        uint32_t before = log->work.len;
        if (kind_of(log, top) != EXPR_CONST && !map_find(&log->index, top)) {
            uint32_t count = children_of(log, top, &list, few);
            for (uint32_t i = 0; i < count; i++)
                if (kind_of(log, list[i]) != EXPR_CONST && !map_find(&log->index, list[i])) vec_push(&log->work, list[i]);
            if (log->work.len > before) continue;
            write_node(log, top);
        }
        (void)vec_pop(&log->work);
    }
}

/* ---- bindings of bits ---- */

static bool hold(SmtLog *log, uint64_t key, uint32_t level)
{
    if (map_find(&log->held, key)) return false;
    map_put(&log->held, key, level);
    vec_push(&log->trail, ((Held){key, level}));
    return true;
}

static void release_levels(SmtLog *log, uint32_t depth)
{
    while (log->trail.len && vec_top(&log->trail).level > depth) map_remove(&log->held, vec_pop(&log->trail).key);
}

static void bind_bits(SmtLog *log, Expr e, uint32_t level)
{
    const Written *written = written_of(log, e);
    if (!is_float(log, e) || !written->has_bits || !hold(log, (uint64_t)e * 2, level)) return;
    fprintf(log->file, "(assert (= ((_ to_fp %s) bits!%u) f!%u))\n", float_sizes(width_of(log, e)), written->number, written->number);
}

static void bind_below(SmtLog *log, Expr e, uint32_t level)
{
    vec_clear(&log->work);
    vec_push(&log->work, e);
    while (log->work.len) {
        Expr next = vec_pop(&log->work), few[3] = {0};
        const Expr *list;
        if (!has_floats(log, next)) continue;
        bind_bits(log, next, level);
        if (!hold(log, (uint64_t)next * 2 + 1, level)) continue;
        uint32_t count = children_of(log, next, &list, few);
        for (uint32_t i = 0; i < count; i++) vec_push(&log->work, list[i]);
    }
}

/* ---- the log ---- */

Status smtlog_open(SmtLog **result, ExprPool *pool, const char *path, Error *error)
{
    FILE *file = fopen(path, "w");
    if (!file) return fail(error, "cannot write the log of queries to '%s': %s", path, strerror(errno));
    SmtLog *log = mem_alloc(sizeof *log);
    log->pool = pool;
    log->file = file;
    log->newest = 0;
    fputs("; queries of Clew\n(set-option :global-declarations true)\n(set-logic ALL)\n", file);
    *result = log;
    return OK;
}

void smtlog_close(SmtLog *log)
{
    fclose(log->file);
    map_release(&log->index);
    map_release(&log->held);
    names_release(&log->helpers);
    vec_release(&log->written);
    vec_release(&log->trail);
    vec_release(&log->work);
    strbuf_release(&log->body);
    free(log);
}

static void write_assertion(SmtLog *log, Expr condition, uint32_t level)
{
    bind_below(log, condition, level);
    strbuf_clear(&log->body);
    add_value(log, condition);
    fprintf(log->file, "(assert %s)\n", log->body.text);
}

void smtlog_assert(SmtLog *log, Expr condition)
{
    assert(width_of(log, condition) == 1);
    write_definitions(log, condition);
    fputs("(push 1)\n", log->file);
    log->depth++;
    write_assertion(log, condition, log->depth);
}

void smtlog_return(SmtLog *log, uint32_t depth)
{
    assert(depth <= log->depth);
    if (depth == log->depth) return;
    fprintf(log->file, "(pop %u)\n", log->depth - depth);
    log->depth = depth;
    release_levels(log, depth);
}

void smtlog_check(SmtLog *log, const Expr *assumptions, uint32_t count, SolveAnswer answer)
{
    const char *text = answer == SOLVE_SAT ? "sat" : answer == SOLVE_UNSAT ? "unsat" : "unknown";
    for (uint32_t i = 0; i < count; i++) write_definitions(log, assumptions[i]);
    fprintf(log->file, "(set-info :status %s)\n(set-info :assumptions %u)\n(push 1)\n", text, count);
    for (uint32_t i = 0; i < count; i++) write_assertion(log, assumptions[i], log->depth + 1);
    fprintf(log->file, "(check-sat)\n; %s\n(pop 1)\n", text);
    release_levels(log, log->depth);
}

/* What stands on the levels stays; names are not used again. */
void smtlog_forget(SmtLog *log, uint32_t count)
{
    if (log->newest < count) return;
    uint32_t kept = 0, held = 0;
    log->forgotten++;
    log->newest = 0;
    for (uint32_t i = 0; i < log->written.len; i++) {
        Written written = log->written.data[i];
        map_remove(&log->index, written.e);
        if (written.e >= count) continue;
        log->written.data[kept] = written;
        map_put(&log->index, written.e, kept++);
        if (written.e > log->newest) log->newest = written.e;
    }
    log->written.len = kept;
    for (uint32_t i = 0; i < log->trail.len; i++) {
        Held entry = log->trail.data[i];
        if (entry.key / 2 >= count) map_remove(&log->held, entry.key);
        else log->trail.data[held++] = entry;
    }
    log->trail.len = held;
}
