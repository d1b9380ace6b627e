/* The last tier: Z3.  It alone knows the theory of floats, and it takes what the circuits of blast.c do not.
 *
 * Expressions become Z3 terms once and are kept until the context is dropped; a query walks over its nodes in the order of the Dag, so nothing
 * here recurses.  One bit is a Bool, more are a bit-vector, converted where one stands for the other.
 *
 * Floats.  Clew's floats are bit patterns, SMT-LIB's are values with a single NaN.  Between float operations the value is passed on; where
 * something reads the bits of a result, they are a new variable b with to_fp(b) = result.  Which NaN it is stays open, so a
 * model may be refuted by evaluation, but UNSAT is exact.  fmod and the x87 format have no counterpart: their results are free variables.
 *
 * Arrays.  Reading a table is a tree of choices over the bits of the index, reading through writes a chain of comparisons: up to a certain size these are
 * faster than the theory of arrays, which is for what is larger.
 *
 * Effort is Z3's own resource counter, so answers do not depend on the machine's speed.  Making circuits is not in it, nor is it interrupted for
 * memory: what a query will need is estimated first (cells_of), and too much is refused.  The parameter max_memory bounds the rest; memory_max_size does
 * not serve, it raises exceptions in destructors. */
#include "base/arith.h"
#include "solve/reference.h"
#include "solve/solve_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <z3.h>

enum {
    NODE_LIMIT = 4000000,     /* of one query */
    TABLE_LIMIT = 65536,      /* elements of an array */
    CHOICE_LIMIT = 1024,      /* elements read by choices, not as a Z3 array */
    CHAIN_LIMIT = 64,         /* writes read through by comparisons */
    TERM_LIMIT = 200000,      /* terms kept from query to query */
    UNITS_PER_RESOURCE = 300, /* nanoseconds for a unit of Z3's resource counter */
    UNITS_PER_CELL = 1000,    /* nanoseconds for a cell (see cells_of) before the search begins, which Z3 does not count */
    BYTES_PER_CELL = 3500,
    CORE_EFFORT = 10000000 /* for a core even where UNSAT was found at once */
};

/* What is known of an expression in Z3; fields are NULL until somebody asks for them. */
typedef struct Term {
    Expr e;
    Z3_ast bits;  /* Bool, bit-vector or array */
    Z3_ast real;  /* FloatingPoint */
    Z3_ast bound; /* what holds between the two, for results of float operations */
    bool selects; /* reads a Z3 array */
} Term;

typedef struct Bound { /* an asserted Term.bound and its level */
    Z3_ast bound;
    uint32_t level;
} Bound;

struct Z3 {
    ExprPool *pool;
    uint64_t seed, memory;
    Z3_context context;
    Dag dag;
    Map index; /* Expr -> its place in terms */
    Vec(Term) terms;
    Vec(uint32_t) at; /* by position in the dag: its place in terms */
    Vec(Z3_ast) leaves, literals;
    Map functions;           /* ExprFunction -> number */
    Expr newest;             /* largest expression in terms */
    bool too_large, selects; /* what select_term found */
    uint64_t resources;      /* Z3's counter after the last query */
    Z3_solver kept;          /* of z3_reference_incremental, with the conditions on its levels */
    Vec(Expr) kept_conditions;
    Vec(Bound) kept_bounds;
    Outcome scratch;
};

/* ---- the context ---- */

/* Errors are seen in what the functions return; the default would end the process. */
static void ignore_error(Z3_context context, Z3_error_code code)
{
    (void)context;
    (void)code;
}

static void open_context(Z3 *z3)
{
    Z3_config config = Z3_mk_config();
    z3->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3->context, ignore_error);
}

static void close_context(Z3 *z3)
{
    if (z3->kept) Z3_solver_dec_ref(z3->context, z3->kept);
    z3->kept = NULL;
    vec_clear(&z3->kept_conditions);
    vec_clear(&z3->kept_bounds);
    Z3_del_context(z3->context);
    map_release(&z3->index);
    map_release(&z3->functions);
    vec_clear(&z3->terms);
    z3->newest = 0;
    z3->resources = 0;
}

Z3 *z3_new(ExprPool *pool, uint64_t seed, uint64_t memory)
{
    Z3 *z3 = mem_alloc(sizeof *z3);
    z3->pool = pool;
    z3->seed = seed;
    z3->memory = memory;
    dag_init(&z3->dag, pool);
    open_context(z3);
    return z3;
}

void z3_free(Z3 *z3)
{
    close_context(z3);
    dag_release(&z3->dag);
    vec_release(&z3->terms);
    vec_release(&z3->at);
    vec_release(&z3->leaves);
    vec_release(&z3->literals);
    vec_release(&z3->kept_conditions);
    vec_release(&z3->kept_bounds);
    vec_release(&z3->scratch.values);
    free(z3);
}

/* Back to so many levels of the solver that z3_reference_incremental keeps. */
static void pop_kept(Z3 *z3, uint32_t depth)
{
    if (depth == z3->kept_conditions.len) return;
    Z3_solver_pop(z3->context, z3->kept, z3->kept_conditions.len - depth);
    z3->kept_conditions.len = depth;
    while (z3->kept_bounds.len && vec_top(&z3->kept_bounds).level > depth) (void)vec_pop(&z3->kept_bounds);
}

void z3_forget(Z3 *z3, uint32_t count)
{
    dag_forget(&z3->dag);
    if (z3->newest < count) return;
    uint32_t kept = 0;
    z3->newest = 0;
    for (uint32_t i = 0; i < z3->terms.len; i++) {
        Term term = z3->terms.data[i];
        map_remove(&z3->index, term.e);
        if (term.e >= count) continue;
        z3->terms.data[kept] = term;
        map_put(&z3->index, term.e, kept++);
        if (term.e > z3->newest) z3->newest = term.e;
    }
    z3->terms.len = kept;
    uint32_t depth = 0;
    while (depth < z3->kept_conditions.len && z3->kept_conditions.data[depth] < count) depth++;
    pop_kept(z3, depth);
}

/* ---- terms: small helpers; `at` is a position in the dag ---- */

static Term *term_at(Z3 *z3, uint32_t at)
{
    return &vec_at(&z3->terms, vec_at(&z3->at, at));
}

static const DagNode *node_at(const Z3 *z3, uint32_t at)
{
    assert(at < z3->dag.count);
    return &z3->dag.nodes[at];
}

static Z3_sort word(Z3 *z3, unsigned width)
{
    return Z3_mk_bv_sort(z3->context, width);
}

static Z3_ast constant(Z3 *z3, unsigned width, U128 value)
{
    if (width <= 64) return Z3_mk_unsigned_int64(z3->context, (uint64_t)value, word(z3, width));
    Z3_ast high = Z3_mk_unsigned_int64(z3->context, (uint64_t)(value >> 64), word(z3, width - 64));
    return Z3_mk_concat(z3->context, high, Z3_mk_unsigned_int64(z3->context, (uint64_t)value, word(z3, 64)));
}

/* Bits of one bit: Bool to bit-vector and back. */
static Z3_ast to_word(Z3 *z3, Z3_ast truth)
{
    return Z3_mk_ite(z3->context, truth, constant(z3, 1, 1), constant(z3, 1, 0));
}

static Z3_ast to_truth(Z3 *z3, Z3_ast bit)
{
    return Z3_mk_eq(z3->context, bit, constant(z3, 1, 1));
}

static Z3_ast from_word(Z3 *z3, unsigned width, Z3_ast bits)
{
    return width == 1 ? to_truth(z3, bits) : bits;
}

static Z3_ast resized(Z3 *z3, unsigned from, unsigned to, Z3_ast bits)
{
    if (to < from) return Z3_mk_extract(z3->context, to - 1, 0, bits);
    return to == from ? bits : Z3_mk_zero_ext(z3->context, to - from, bits);
}

static Z3_sort float_sort(Z3 *z3, unsigned width)
{
    assert(width == 32 || width == 64);
    return width == 32 ? Z3_mk_fpa_sort_32(z3->context) : Z3_mk_fpa_sort_64(z3->context);
}

static Z3_ast unknown(Z3 *z3, unsigned width)
{
    return Z3_mk_fresh_const(z3->context, "u", width == 1 ? Z3_mk_bool_sort(z3->context) : word(z3, width));
}

/* A node as Bool (one bit) or bit-vector. */
static Z3_ast value_of(Z3 *z3, uint32_t at)
{
    Term *term = term_at(z3, at);
    if (term->bits) return term->bits;
    assert(term->real); /* the result of a float operation whose bits nobody read so far */
    unsigned width = node_at(z3, at)->width;
    term->bits = unknown(z3, width);
    term->bound = Z3_mk_eq(z3->context, Z3_mk_fpa_to_fp_bv(z3->context, term->bits, float_sort(z3, width)), term->real);
    return term->bits;
}

/* A node as bit-vector. */
static Z3_ast word_of(Z3 *z3, uint32_t at)
{
    Z3_ast value = value_of(z3, at);
    return node_at(z3, at)->width == 1 ? to_word(z3, value) : value;
}

/* A node as float. */
static Z3_ast real_of(Z3 *z3, uint32_t at)
{
    Term *term = term_at(z3, at);
    if (!term->real) term->real = Z3_mk_fpa_to_fp_bv(z3->context, term->bits, float_sort(z3, node_at(z3, at)->width));
    return term->real;
}

/* ---- integers ---- */

static Z3_ast truth_operation(Z3 *z3, const DagNode *node)
{
    Z3_ast both[] = {value_of(z3, node->a), value_of(z3, node->b)};
    switch ((ExprKind)node->kind) {
    case EXPR_AND: return Z3_mk_and(z3->context, 2, both);
    case EXPR_OR: return Z3_mk_or(z3->context, 2, both);
    default: assert(node->kind == EXPR_XOR); return Z3_mk_xor(z3->context, both[0], both[1]);
    }
}

static Z3_ast arithmetic(Z3 *z3, const DagNode *node)
{
    Z3_context c = z3->context;
    Z3_ast a = word_of(z3, node->a), b = word_of(z3, node->b);
    switch ((ExprKind)node->kind) {
    case EXPR_ADD: return Z3_mk_bvadd(c, a, b);
    case EXPR_SUB: return Z3_mk_bvsub(c, a, b);
    case EXPR_MUL: return Z3_mk_bvmul(c, a, b);
    case EXPR_UDIV: return Z3_mk_bvudiv(c, a, b);
    case EXPR_SDIV: return Z3_mk_bvsdiv(c, a, b);
    case EXPR_UREM: return Z3_mk_bvurem(c, a, b);
    case EXPR_SREM: return Z3_mk_bvsrem(c, a, b);
    case EXPR_SHL: return Z3_mk_bvshl(c, a, b);
    case EXPR_LSHR: return Z3_mk_bvlshr(c, a, b);
    case EXPR_ASHR: return Z3_mk_bvashr(c, a, b);
    case EXPR_AND: return Z3_mk_bvand(c, a, b);
    case EXPR_OR: return Z3_mk_bvor(c, a, b);
    default: assert(node->kind == EXPR_XOR); return Z3_mk_bvxor(c, a, b);
    }
}

static Z3_ast comparison(Z3 *z3, const DagNode *node)
{
    Z3_context c = z3->context;
    if (node->kind == EXPR_EQ) return Z3_mk_eq(c, value_of(z3, node->a), value_of(z3, node->b));
    Z3_ast a = word_of(z3, node->a), b = word_of(z3, node->b);
    switch ((ExprKind)node->kind) {
    case EXPR_ULT: return Z3_mk_bvult(c, a, b);
    case EXPR_ULE: return Z3_mk_bvule(c, a, b);
    case EXPR_SLT: return Z3_mk_bvslt(c, a, b);
    default: assert(node->kind == EXPR_SLE); return Z3_mk_bvsle(c, a, b);
    }
}

static Z3_ast bit_test(Z3 *z3, Z3_ast bits, unsigned i)
{
    return to_truth(z3, Z3_mk_extract(z3->context, i, i, bits));
}

/* Leading or trailing zeros: the first bit set decides, so the choice made last is the one tested first. */
static Z3_ast count_zeros(Z3 *z3, const DagNode *node, Z3_ast bits)
{
    Z3_ast result = constant(z3, node->width, node->width);
    for (unsigned i = node->width; i-- > 0;) {
        unsigned tested = node->kind == EXPR_CTTZ ? i : node->width - 1 - i;
        result = Z3_mk_ite(z3->context, bit_test(z3, bits, tested), constant(z3, node->width, i), result);
    }
    return result;
}

static Z3_ast count_ones(Z3 *z3, const DagNode *node, Z3_ast bits)
{
    unsigned sum_width = node->width < 8 ? node->width : 8;
    Z3_ast sums[128] = {NULL};
    assert(node->width <= COUNT_OF(sums));
    for (unsigned i = 0; i < node->width; i++) sums[i] = resized(z3, 1, sum_width, Z3_mk_extract(z3->context, i, i, bits));
    for (unsigned n = node->width; n > 1; n = (n + 1) / 2)
        for (unsigned i = 0; i < n / 2; i++) sums[i] = Z3_mk_bvadd(z3->context, sums[i], sums[n - 1 - i]);
    return resized(z3, sum_width, node->width, sums[0]);
}

static Z3_ast structure(Z3 *z3, const DagNode *node)
{
    Z3_context c = z3->context;
    Z3_ast a = word_of(z3, node->a);
    switch ((ExprKind)node->kind) {
    case EXPR_CONCAT: return Z3_mk_concat(c, a, word_of(z3, node->b));
    case EXPR_EXTRACT: return Z3_mk_extract(c, node->b + node->width - 1, node->b, a);
    case EXPR_ZEXT: return Z3_mk_zero_ext(c, node->width - node->source, a);
    case EXPR_SEXT: return Z3_mk_sign_ext(c, node->width - node->source, a);
    case EXPR_CTPOP: return count_ones(z3, node, a);
    default: assert(node->kind == EXPR_CTLZ || node->kind == EXPR_CTTZ); return count_zeros(z3, node, a);
    }
}

/* ---- floats ---- */

static Z3_ast nearest(Z3 *z3)
{
    return Z3_mk_fpa_round_nearest_ties_to_even(z3->context);
}

static Z3_ast float_operation(Z3 *z3, const DagNode *node)
{
    Z3_context c = z3->context;
    Z3_sort sort = float_sort(z3, node->width);
    switch ((ExprKind)node->kind) {
    case EXPR_FADD: return Z3_mk_fpa_add(c, nearest(z3), real_of(z3, node->a), real_of(z3, node->b));
    case EXPR_FSUB: return Z3_mk_fpa_sub(c, nearest(z3), real_of(z3, node->a), real_of(z3, node->b));
    case EXPR_FMUL: return Z3_mk_fpa_mul(c, nearest(z3), real_of(z3, node->a), real_of(z3, node->b));
    case EXPR_FDIV: return Z3_mk_fpa_div(c, nearest(z3), real_of(z3, node->a), real_of(z3, node->b));
    case EXPR_FSQRT: return Z3_mk_fpa_sqrt(c, nearest(z3), real_of(z3, node->a));
    case EXPR_FCONVERT: return Z3_mk_fpa_to_fp_float(c, nearest(z3), real_of(z3, node->a), sort);
    case EXPR_SITOF: return Z3_mk_fpa_to_fp_signed(c, nearest(z3), word_of(z3, node->a), sort);
    default: assert(node->kind == EXPR_UITOF); return Z3_mk_fpa_to_fp_unsigned(c, nearest(z3), word_of(z3, node->a), sort);
    }
}

static Z3_ast float_comparison(Z3 *z3, const DagNode *node)
{
    Z3_context c = z3->context;
    Z3_ast a = real_of(z3, node->a), b = real_of(z3, node->b);
    switch ((ExprKind)node->kind) {
    case EXPR_FEQ: return Z3_mk_fpa_eq(c, a, b);
    case EXPR_FLT: return Z3_mk_fpa_lt(c, a, b);
    case EXPR_FLE: return Z3_mk_fpa_leq(c, a, b);
    default: assert(node->kind == EXPR_FUNO); break;
    }
    Z3_ast nans[] = {Z3_mk_fpa_is_nan(c, a), Z3_mk_fpa_is_nan(c, b)};
    return Z3_mk_or(c, 2, nans);
}

/* A constant that the format holds; 2^128 becomes infinity in single precision, below which all other numbers are. */
static Z3_ast float_constant(Z3 *z3, unsigned format, double value)
{
    Z3_ast bits = constant(z3, format, format == 32 ? arith_bits32((float)value) : arith_bits64(value));
    return Z3_mk_fpa_to_fp_bv(z3->context, bits, float_sort(z3, format));
}

static Z3_ast truncated(Z3 *z3, Z3_ast real, unsigned width, bool is_signed)
{
    Z3_ast toward_zero = Z3_mk_fpa_round_toward_zero(z3->context);
    return is_signed ? Z3_mk_fpa_to_sbv(z3->context, toward_zero, real, width) : Z3_mk_fpa_to_ubv(z3->context, toward_zero, real, width);
}

static Z3_ast both(Z3 *z3, Z3_ast a, Z3_ast b)
{
    return Z3_mk_and(z3->context, 2, (Z3_ast[]){a, b});
}

/* To `size` bits, 32, 64 or 128: the smallest number where it does not fit.  Doubles between -2^31-1 and -2^31 fit, they are cut; no float lies there,
 * nor does a double just below -2^63 or -2^127. */
static Z3_ast to_signed(Z3 *z3, Z3_ast real, unsigned format, unsigned size)
{
    Z3_context c = z3->context;
    double limit = ldexp(1, (int)size - 1);
    Z3_ast low = size == 32 && format == 64 ? Z3_mk_fpa_gt(c, real, float_constant(z3, format, -limit - 1))
                                            : Z3_mk_fpa_geq(c, real, float_constant(z3, format, -limit));
    Z3_ast fits = both(z3, low, Z3_mk_fpa_lt(c, real, float_constant(z3, format, limit)));
    return Z3_mk_ite(c, fits, truncated(z3, real, size, true), constant(z3, size, (U128)1 << (size - 1)));
}

static Z3_ast to_unsigned(Z3 *z3, Z3_ast real, unsigned format, unsigned size)
{
    Z3_context c = z3->context;
    assert(size == 64 || size == 128);
    Z3_ast low = size == 64 ? Z3_mk_fpa_geq(c, real, float_constant(z3, format, 0)) : Z3_mk_fpa_gt(c, real, float_constant(z3, format, -1));
    Z3_ast fits = both(z3, low, Z3_mk_fpa_lt(c, real, float_constant(z3, format, ldexp(1, (int)size))));
    Z3_ast other = size == 64 ? to_signed(z3, real, format, 64) : constant(z3, 128, ~(U128)0);
    return Z3_mk_ite(c, fits, truncated(z3, real, size, false), other);
}

/* As arith_fp_to_signed and arith_fp_to_unsigned: through the next machine size. */
static Z3_ast float_to_integer(Z3 *z3, const DagNode *node)
{
    Z3_ast real = real_of(z3, node->a);
    bool is_signed = node->kind == EXPR_FTOSI;
    unsigned size = node->width < 32 || (is_signed && node->width == 32) ? 32 : node->width <= 64 ? 64 : 128;
    bool convert_signed = is_signed || node->width <= 32;
    Z3_ast bits = convert_signed ? to_signed(z3, real, node->source, size) : to_unsigned(z3, real, node->source, size);
    return resized(z3, size, node->width, bits);
}

/* ---- arrays ---- */

static unsigned index_width(uint32_t length)
{
    unsigned width = 1;
    while ((uint64_t)1 << width < length) width++;
    return width;
}

static bool is_inside(const Z3 *z3, uint32_t index, uint32_t length)
{
    return expr_known(z3->pool, node_at(z3, index)->e).high < length;
}

static Z3_ast inside(Z3 *z3, uint32_t index, uint32_t length)
{
    return Z3_mk_bvult(z3->context, word_of(z3, index), constant(z3, 64, length));
}

/* Puts the elements of the ARRAY node into z3->leaves, as bit-vectors. */
static void read_table(Z3 *z3, const DagNode *array)
{
    const Expr *elements;
    uint32_t count = expr_elements(z3->pool, array->e, &elements);
    vec_clear(&z3->leaves);
    for (uint32_t i = 0; i < count; i++) {
        bool listed = array->a != UINT32_MAX;
        Z3_ast leaf = listed ? word_of(z3, z3->dag.list.data[array->a + i]) : constant(z3, array->width, expr_value(z3->pool, elements[i]));
        vec_push(&z3->leaves, leaf);
    }
}

/* The element at an index that is inside: halves the leaves, by the lowest bit first. */
static Z3_ast choose_leaf(Z3 *z3, uint32_t index)
{
    for (unsigned bit = 0; z3->leaves.len > 1; bit++) {
        uint32_t n = z3->leaves.len, half = (n + 1) / 2;
        Z3_ast *leaves = z3->leaves.data, test = bit_test(z3, word_of(z3, index), bit);
        for (uint32_t i = 0; i < half; i++) {
            Z3_ast even = leaves[2 * i], odd = 2 * i + 1 < n ? leaves[2 * i + 1] : even;
            leaves[i] = even == odd ? even : Z3_mk_ite(z3->context, test, odd, even);
        }
        z3->leaves.len = half;
    }
    return vec_at(&z3->leaves, 0);
}

static Z3_ast array_term(Z3 *z3, uint32_t at);

static Z3_ast table_term(Z3 *z3, const DagNode *node)
{
    Z3_sort keys = word(z3, index_width(node->b));
    Z3_ast zero = constant(z3, node->width, 0), result = Z3_mk_const_array(z3->context, keys, zero);
    read_table(z3, node);
    for (uint32_t i = 0; i < z3->leaves.len; i++)
        if (z3->leaves.data[i] != zero)
            result = Z3_mk_store(z3->context, result, Z3_mk_unsigned_int64(z3->context, i, keys), z3->leaves.data[i]);
    return result;
}

static Z3_ast key(Z3 *z3, uint32_t index, uint32_t length)
{
    return Z3_mk_extract(z3->context, index_width(length) - 1, 0, word_of(z3, index));
}

static Z3_ast store_term(Z3 *z3, const DagNode *node, Z3_ast before)
{
    uint32_t length = expr_array_length(z3->pool, node->e);
    Z3_ast written = Z3_mk_store(z3->context, before, key(z3, node->b, length), word_of(z3, node->c));
    return is_inside(z3, node->b, length) ? written : Z3_mk_ite(z3->context, inside(z3, node->b, length), written, before);
}

/* The array as a Z3 array: from the innermost write that has none yet. */
static Z3_ast array_term(Z3 *z3, uint32_t at)
{
    Vec(uint32_t) chain = {0};
    while (!term_at(z3, at)->bits && node_at(z3, at)->kind == EXPR_STORE) {
        vec_push(&chain, at);
        at = node_at(z3, at)->a;
    }
    Z3_ast array = term_at(z3, at)->bits;
    if (!array) array = term_at(z3, at)->bits = table_term(z3, node_at(z3, at));
    while (chain.len) {
        at = vec_pop(&chain);
        array = term_at(z3, at)->bits = store_term(z3, node_at(z3, at), array);
    }
    vec_release(&chain);
    return array;
}

/* Is this array better read by choices?  Finds the ARRAY at its root. */
static bool reads_by_choice(const Z3 *z3, uint32_t at, uint32_t *root)
{
    unsigned writes = 0;
    for (; node_at(z3, at)->kind == EXPR_STORE; at = node_at(z3, at)->a) writes++;
    *root = at;
    return writes <= CHAIN_LIMIT && node_at(z3, at)->b <= CHOICE_LIMIT;
}

/* The last write that fits decides, so the writes are gone through from the oldest. */
static Z3_ast choose_element(Z3 *z3, const DagNode *node, uint32_t root)
{
    uint32_t writes[CHAIN_LIMIT], count = 0;
    for (uint32_t at = node->a; at != root; at = node_at(z3, at)->a) writes[count++] = at;
    read_table(z3, node_at(z3, root));
    Z3_ast result = choose_leaf(z3, node->b);
    while (count--) {
        const DagNode *write = node_at(z3, writes[count]);
        Z3_ast same = Z3_mk_eq(z3->context, word_of(z3, node->b), word_of(z3, write->b));
        result = Z3_mk_ite(z3->context, same, word_of(z3, write->c), result);
    }
    return result;
}

static Z3_ast select_term(Z3 *z3, const DagNode *node)
{
    uint32_t length = dag_array_length(&z3->dag, node->a), root;
    if (length > TABLE_LIMIT) z3->too_large = true;
    if (length == 0 || z3->too_large) return constant(z3, node->width, 0);
    z3->selects = !reads_by_choice(z3, node->a, &root);
    Z3_ast element = z3->selects ? Z3_mk_select(z3->context, array_term(z3, node->a), key(z3, node->b, length))
                                 : choose_element(z3, node, root);
    if (is_inside(z3, node->b, length)) return element;
    return Z3_mk_ite(z3->context, inside(z3, node->b, length), element, constant(z3, node->width, 0));
}

/* ---- a node ---- */

static Z3_ast variable(Z3 *z3, const DagNode *node)
{
    Z3_symbol name = Z3_mk_int_symbol(z3->context, (int)expr_var_index(z3->pool, node->e));
    return Z3_mk_const(z3->context, name, node->width == 1 ? Z3_mk_bool_sort(z3->context) : word(z3, node->width));
}

/* Functions are numbered as they come: an address would make Z3's order of names differ from run to run. */
static Z3_ast application(Z3 *z3, const DagNode *node)
{
    uint64_t function = (uintptr_t)expr_function(z3->pool, node->e), *known = map_find(&z3->functions, function);
    uint64_t number = known ? *known : z3->functions.len;
    if (!known) map_put(&z3->functions, function, number);
    char name[32];
    snprintf(name, sizeof name, "f%llu", (unsigned long long)number);
    Z3_sort *domain = mem_alloc((node->b + 1) * sizeof *domain);
    vec_clear(&z3->leaves);
    for (uint32_t i = 0; i < node->b; i++) {
        uint32_t argument = z3->dag.list.data[node->a + i];
        domain[i] = word(z3, node_at(z3, argument)->width);
        vec_push(&z3->leaves, word_of(z3, argument));
    }
    Z3_func_decl declaration = Z3_mk_func_decl(z3->context, Z3_mk_string_symbol(z3->context, name), node->b, domain, word(z3, node->width));
    free(domain);
    return Z3_mk_app(z3->context, declaration, node->b, z3->leaves.data);
}

static bool gives_float(ExprKind kind)
{
    return (kind >= EXPR_FADD && kind <= EXPR_FSQRT) || kind == EXPR_FCONVERT || kind == EXPR_SITOF || kind == EXPR_UITOF;
}

static bool compares_floats(ExprKind kind)
{
    return kind >= EXPR_FEQ && kind <= EXPR_FUNO;
}

/* Float operations that Z3 has no counterpart for. */
static bool is_free(const DagNode *node)
{
    ExprKind kind = (ExprKind)node->kind;
    if (kind == EXPR_FREM) return true;
    if (gives_float(kind) && node->width == 80) return true;
    return (kind >= EXPR_FADD && kind <= EXPR_FTOUI) && node->source == 80;
}

static Z3_ast translate(Z3 *z3, const DagNode *node)
{
    switch ((ExprKind)node->kind) {
    case EXPR_CONST:
    case EXPR_UNDEF:
        return from_word(z3, node->width, constant(z3, node->width, node->kind == EXPR_CONST ? expr_value(z3->pool, node->e) : 0));
    case EXPR_VAR: return variable(z3, node);
    case EXPR_NOT:
        return node->width == 1 ? Z3_mk_not(z3->context, value_of(z3, node->a)) : Z3_mk_bvnot(z3->context, value_of(z3, node->a));
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: return node->width == 1 ? truth_operation(z3, node) : arithmetic(z3, node);
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return comparison(z3, node);
    case EXPR_CONCAT:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ: return from_word(z3, node->width, structure(z3, node));
    case EXPR_ITE: return Z3_mk_ite(z3->context, value_of(z3, node->a), value_of(z3, node->b), value_of(z3, node->c));
    case EXPR_FTOSI:
    case EXPR_FTOUI: return from_word(z3, node->width, float_to_integer(z3, node));
    case EXPR_SELECT: return from_word(z3, node->width, select_term(z3, node));
    case EXPR_APPLY: return from_word(z3, node->width, application(z3, node));
    default: break;
    }
    return compares_floats((ExprKind)node->kind) ? float_comparison(z3, node) : from_word(z3, node->width, arithmetic(z3, node));
}

static void translate_node(Z3 *z3, uint32_t at)
{
    const DagNode *node = node_at(z3, at);
    uint64_t *known = map_find(&z3->index, node->e);
    if (known) {
        vec_push(&z3->at, (uint32_t)*known);
        return;
    }
    uint32_t place = z3->terms.len;
    map_put(&z3->index, node->e, place);
    vec_push(&z3->at, place);
    vec_push(&z3->terms, ((Term){.e = node->e}));
    if (node->e > z3->newest) z3->newest = node->e;
    if (node->kind == EXPR_ARRAY || node->kind == EXPR_STORE) return; /* translated when read */
    if (is_free(node)) {
        z3->terms.data[place].bits = unknown(z3, node->width);
    } else if (gives_float((ExprKind)node->kind)) {
        Z3_ast real = float_operation(z3, node);
        z3->terms.data[place].real = real;
    } else {
        z3->selects = false;
        Z3_ast bits = translate(z3, node);
        z3->terms.data[place].bits = bits;
        z3->terms.data[place].selects = z3->selects;
    }
}

/* Terms for everything under the conditions; says why not. */
static const char *translate_query(Z3 *z3, const Query *query)
{
    if (z3->terms.len > TERM_LIMIT || Z3_get_estimated_alloc_size() > z3->memory / 2) {
        close_context(z3);
        open_context(z3);
    }
    z3->too_large = false;
    if (!dag_build(&z3->dag, query->conditions, query->count, NODE_LIMIT)) return "formula too large for Z3";
    vec_clear(&z3->at);
    vec_reserve(&z3->at, z3->dag.count);
    for (uint32_t i = 0; i < z3->dag.count && !z3->too_large; i++) translate_node(z3, i);
    if (!z3->too_large) return NULL;
    close_context(z3); /* the terms of this query are not what they should be */
    open_context(z3);
    return "table too large";
}

/* ---- solving ---- */

/* How much of a circuit Z3 makes of a node, in units of one full adder; measured.  Making circuits is neither counted nor bounded by Z3's core. */
static uint64_t cells_of(const Z3 *z3, const DagNode *node)
{
    uint64_t width = node->width > node->source ? node->width : node->source, square = width * width;
    switch ((ExprKind)node->kind) {
    case EXPR_MUL: return square;
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM: return 6 * square;
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ: return 8 * width;
    case EXPR_FADD:
    case EXPR_FSUB: return 3 * square;
    case EXPR_FMUL: return 8 * square;
    case EXPR_FDIV: return 20 * square;
    case EXPR_FSQRT: return 12 * square;
    case EXPR_FCONVERT:
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF: return 2 * square;
    case EXPR_SELECT: return width * dag_array_length(&z3->dag, node->a);
    case EXPR_CONST:
    case EXPR_CONCAT:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_ARRAY: return 0;
    default: return width;
    }
}

static uint64_t count_cells(const Z3 *z3)
{
    uint64_t cells = 0;
    for (uint32_t i = 0; i < z3->dag.count; i++)
        if (!is_free(&z3->dag.nodes[i])) cells += cells_of(z3, &z3->dag.nodes[i]);
    return cells;
}

typedef enum Theory { WORDS, FLOATS, OTHERS } Theory;

static Theory theory_of(Z3 *z3)
{
    Theory theory = WORDS;
    for (uint32_t i = 0; i < z3->dag.count; i++) {
        ExprKind kind = (ExprKind)z3->dag.nodes[i].kind;
        if (kind >= EXPR_FADD && kind <= EXPR_UITOF) return FLOATS;
        if (kind == EXPR_APPLY || term_at(z3, i)->selects) theory = OTHERS;
    }
    return theory;
}

/* Measured on random queries: for words alone the incremental SAT solver, which Z3 calls QF_FD; with floats the tactics for them; else its SMT core
 * without preprocessing.  The default solver takes up to seven times as long on small queries. */
static Z3_solver solver_for(Z3 *z3, Theory theory)
{
    if (theory == OTHERS) return Z3_mk_simple_solver(z3->context);
    return Z3_mk_solver_for_logic(z3->context, Z3_mk_string_symbol(z3->context, theory == FLOATS ? "QF_FPBV" : "QF_FD"));
}

/* At least one: none would be for ever. */
static unsigned milliseconds_until(double deadline)
{
    double left = (deadline - clock_seconds()) * 1000;
    return left < 1 ? 1 : left < 1e9 ? (unsigned)left : 1000000000;
}

static Z3_solver new_solver(Z3 *z3, Theory theory, const Query *query, uint64_t effort)
{
    Z3_context c = z3->context;
    Z3_solver solver = solver_for(z3, theory);
    Z3_solver_inc_ref(c, solver);
    Z3_params parameters = Z3_mk_params(c);
    Z3_params_inc_ref(c, parameters);
    uint64_t resources = effort / UNITS_PER_RESOURCE, megabytes = query->memory >> 20;
    Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "rlimit"), resources < UINT32_MAX ? (unsigned)resources + 1 : UINT32_MAX);
    Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "max_memory"), megabytes < UINT32_MAX ? (unsigned)megabytes + 1 : UINT32_MAX);
    Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "random_seed"), (unsigned)z3->seed);
    if (query->deadline > 0) Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "timeout"), milliseconds_until(query->deadline));
    Z3_solver_set_params(c, solver, parameters);
    Z3_params_dec_ref(c, parameters);
    return solver;
}

static uint64_t resources_used(Z3 *z3, Z3_solver solver)
{
    Z3_stats statistics = Z3_solver_get_statistics(z3->context, solver);
    uint64_t count = 0;
    if (!statistics) return 0;
    Z3_stats_inc_ref(z3->context, statistics);
    for (unsigned i = 0; i < Z3_stats_size(z3->context, statistics); i++)
        if (!strcmp(Z3_stats_get_key(z3->context, statistics, i), "rlimit count"))
            count = Z3_stats_get_uint_value(z3->context, statistics, i);
    Z3_stats_dec_ref(z3->context, statistics);
    uint64_t used = count > z3->resources ? count - z3->resources : 0;
    z3->resources = count;
    return used;
}

static U128 numeral(Z3 *z3, Z3_ast value, unsigned width)
{
    if (width == 1) return Z3_get_bool_value(z3->context, value) == Z3_L_TRUE;
    const char *digits = Z3_get_numeral_binary_string(z3->context, value);
    U128 result = 0;
    for (; digits && *digits; digits++) result = result << 1 | (*digits == '1');
    return result;
}

/* Variables the model says nothing of may have any value: they keep theirs. */
static void read_model(Z3 *z3, Z3_solver solver, const Query *query, Outcome *outcome)
{
    Z3_context c = z3->context;
    Z3_model model = Z3_solver_get_model(c, solver);
    if (!model) {
        outcome->reason = "Z3 has no model";
        return;
    }
    Z3_model_inc_ref(c, model);
    for (uint32_t i = 0; i < z3->dag.vars.len; i++) {
        uint32_t at = z3->dag.vars.data[i];
        const DagNode *node = node_at(z3, at);
        Z3_ast value = Z3_model_get_const_interp(c, model, Z3_get_app_decl(c, Z3_to_app(c, value_of(z3, at))));
        if (!value) continue;
        SolveValue change = {node->e, numeral(z3, value, node->width)};
        if (!query->start || expr_model_get(query->start, node->e) != change.value) vec_push(&outcome->values, change);
    }
    Z3_model_dec_ref(c, model);
    outcome->answer = SOLVE_SAT;
}

static void assert_all(Z3 *z3, Z3_solver solver)
{
    for (uint32_t i = 0; i < z3->dag.roots.len; i++) Z3_solver_assert(z3->context, solver, value_of(z3, z3->dag.roots.data[i]));
    for (uint32_t i = 0; i < z3->dag.count; i++)
        if (term_at(z3, i)->bound) Z3_solver_assert(z3->context, solver, term_at(z3, i)->bound);
}

static void start_outcome(Outcome *outcome)
{
    outcome->answer = SOLVE_UNKNOWN;
    outcome->spent = 0;
    outcome->reason = NULL;
    vec_clear(&outcome->values);
    vec_clear(&outcome->core);
}

/* Each condition under a literal of its own, so that UNSAT comes with those that were needed. */
static Z3_lbool check_with_literals(Z3 *z3, Z3_solver solver)
{
    Z3_context c = z3->context;
    vec_clear(&z3->literals);
    for (uint32_t i = 0; i < z3->dag.roots.len; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%u", i);
        Z3_ast literal = Z3_mk_const(c, Z3_mk_string_symbol(c, name), Z3_mk_bool_sort(c));
        vec_push(&z3->literals, literal);
        Z3_solver_assert(c, solver, Z3_mk_implies(c, literal, value_of(z3, z3->dag.roots.data[i])));
    }
    return Z3_solver_check_assumptions(c, solver, z3->literals.len, z3->literals.data);
}

static void read_core(Z3 *z3, Z3_solver solver, const Query *query, Outcome *outcome)
{
    Z3_context c = z3->context;
    Z3_ast_vector core = Z3_solver_get_unsat_core(c, solver);
    if (!core) return;
    Z3_ast_vector_inc_ref(c, core);
    Map needed = {0};
    for (unsigned i = 0; i < Z3_ast_vector_size(c, core); i++) map_put(&needed, (uintptr_t)Z3_ast_vector_get(c, core, i), 1);
    for (uint32_t i = 0; i < query->count; i++)
        if (map_find(&needed, (uintptr_t)z3->literals.data[i])) vec_push(&outcome->core, query->conditions[i]);
    map_release(&needed);
    Z3_ast_vector_dec_ref(c, core);
}

/* The conditions that suffice for UNSAT, at about the price at which UNSAT was found; else all.  Asking with literals from the start would take
 * from Z3 what it simplifies by equations with constants, up to a hundred times the work; the tactics for floats have no cores worth the name. */
static void find_core(Z3 *z3, Theory theory, const Query *query, uint64_t making, Outcome *outcome)
{
    uint64_t price = outcome->spent - making + CORE_EFFORT;
    if (theory != FLOATS && query->count > 1 && making <= price) {
        Z3_solver solver = new_solver(z3, theory, query, price);
        if (check_with_literals(z3, solver) == Z3_L_FALSE) read_core(z3, solver, query, outcome);
        outcome->spent += making + resources_used(z3, solver) * UNITS_PER_RESOURCE;
        Z3_solver_dec_ref(z3->context, solver);
    }
    bool whole = outcome->core.len == 0;
    for (uint32_t i = 0; i < query->count && whole; i++) vec_push(&outcome->core, query->conditions[i]);
}

/* `making` is the part of the effort that making circuits takes. */
static void run(Z3 *z3, const Query *query, uint64_t making, Outcome *outcome)
{
    Theory theory = theory_of(z3);
    Z3_solver solver = new_solver(z3, theory, query, query->effort - making);
    assert_all(z3, solver);
    Z3_lbool answer = Z3_solver_check(z3->context, solver);
    if (answer == Z3_L_TRUE) read_model(z3, solver, query, outcome);
    if (answer == Z3_L_UNDEF) outcome->reason = "Z3 gave up";
    outcome->spent = making + resources_used(z3, solver) * UNITS_PER_RESOURCE;
    Z3_solver_dec_ref(z3->context, solver);
    if (answer != Z3_L_FALSE) return;
    outcome->answer = SOLVE_UNSAT;
    find_core(z3, theory, query, making, outcome);
}

void z3_solve(Z3 *z3, const Query *query, Outcome *outcome)
{
    start_outcome(outcome);
    outcome->reason = translate_query(z3, query);
    if (outcome->reason) return;
    uint64_t cells = count_cells(z3), making = cells * UNITS_PER_CELL;
    if (making > query->effort || cells * BYTES_PER_CELL > query->memory) {
        outcome->reason = "formula too large for Z3";
        return;
    }
    run(z3, query, making, outcome);
}

/* ---- plain Z3, for comparison ---- */

static Z3_solver default_solver(Z3 *z3, unsigned milliseconds)
{
    Z3_context c = z3->context;
    Z3_solver solver = Z3_mk_solver(c);
    Z3_solver_inc_ref(c, solver);
    if (!milliseconds) return solver;
    Z3_params parameters = Z3_mk_params(c);
    Z3_params_inc_ref(c, parameters);
    Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "timeout"), milliseconds);
    Z3_solver_set_params(c, solver, parameters);
    Z3_params_dec_ref(c, parameters);
    return solver;
}

static uint64_t nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static SolveAnswer check_with_model(Z3 *z3, Z3_solver solver, const Query *query)
{
    Z3_lbool answer = Z3_solver_check(z3->context, solver);
    if (answer != Z3_L_TRUE) return answer == Z3_L_FALSE ? SOLVE_UNSAT : SOLVE_UNKNOWN;
    start_outcome(&z3->scratch);
    read_model(z3, solver, query, &z3->scratch);
    return z3->scratch.answer;
}

SolveAnswer z3_reference_fresh(Z3 *z3, const Query *query, unsigned milliseconds, uint64_t *nanoseconds)
{
    *nanoseconds = 0;
    if (translate_query(z3, query)) return SOLVE_UNKNOWN;
    uint64_t before = nanoseconds_now();
    Z3_solver solver = default_solver(z3, milliseconds);
    assert_all(z3, solver);
    SolveAnswer answer = check_with_model(z3, solver, query);
    *nanoseconds = nanoseconds_now() - before;
    Z3_solver_dec_ref(z3->context, solver);
    return answer;
}

static bool is_kept(const Z3 *z3, Z3_ast bound)
{
    for (uint32_t i = 0; i < z3->kept_bounds.len; i++)
        if (z3->kept_bounds.data[i].bound == bound) return true;
    return false;
}

static void push_condition(Z3 *z3, Expr condition, uint32_t at)
{
    Z3_solver_push(z3->context, z3->kept);
    Z3_solver_assert(z3->context, z3->kept, value_of(z3, at));
    vec_push(&z3->kept_conditions, condition);
}

SolveAnswer z3_reference_incremental(Z3 *z3, const Query *query, unsigned milliseconds, uint64_t *nanoseconds)
{
    *nanoseconds = 0;
    if (translate_query(z3, query)) return SOLVE_UNKNOWN;
    uint64_t before = nanoseconds_now();
    if (!z3->kept) z3->kept = default_solver(z3, milliseconds);
    uint32_t common = 0;
    while (common < query->count && common < z3->kept_conditions.len && query->conditions[common] == z3->kept_conditions.data[common])
        common++;
    pop_kept(z3, common);
    for (uint32_t i = common; i < query->count; i++) push_condition(z3, query->conditions[i], z3->dag.roots.data[i]);
    for (uint32_t i = 0; i < z3->dag.count; i++) {
        Z3_ast bound = term_at(z3, i)->bound;
        if (!bound || is_kept(z3, bound)) continue;
        Z3_solver_assert(z3->context, z3->kept, bound);
        vec_push(&z3->kept_bounds, ((Bound){bound, z3->kept_conditions.len}));
    }
    SolveAnswer answer = check_with_model(z3, z3->kept, query);
    *nanoseconds = nanoseconds_now() - before;
    return answer;
}
