/* What the files of expr share: the node, the pool, and the rule functions by operator family.
 *
 * A node is 24 bytes: kind, flags, width, its hash, and 16 bytes that hold either up to four 32-bit operands or a 128-bit constant.
 * Operands have smaller ids than the node, so the newest nodes can be forgotten at any time.  Elements of ARRAY and arguments of APPLY
 * lie in a side table in the order of their nodes; known bits of a node, where anything is known, in another one, also in that order. */
#ifndef CLEW_EXPR_INT_H
#define CLEW_EXPR_INT_H

#include "base/arith.h"
#include "base/base.h"
#include "expr/expr.h"

enum {
    FLAG_UNDEF = 1,   /* depends on an UNDEF */
    FLAG_APPLY = 2,   /* contains an APPLY */
    FLAG_UNIFORM = 4, /* an ARRAY whose elements are all the same expression */
    FLAG_IN_LINE = 8, /* found through its newest operand's line, not through the hash table */
    FLAG_INHERITED = FLAG_UNDEF | FLAG_APPLY
};

typedef struct Node {
    uint8_t kind, flags;
    uint16_t width;
    uint32_t hash;
    union {
        struct {
            Expr a, b, c, d; /* EXTRACT: b is the low bit; STORE: d is the array's length; ARRAY, APPLY: a is the start, b the count */
        };
        uint64_t word[2]; /* CONST: low, high; APPLY: word[1] is the ExprFunction */
    };
} Node;
_Static_assert(sizeof(Node) == 24, "a node is 24 bytes");

enum {
    ID_BITS = 28, /* the upper four bits of a hash slot hold bits of the hash */
    ID_LIMIT = 1 << ID_BITS,
    RULE_DEPTH = 200 /* rules nested deeper than this are not applied */
};

typedef struct KnownNarrow {
    uint64_t zeros, ones, low, high;
} KnownNarrow;

/* One entry for a rewind; `count` and `vars` grow strictly with `generation`: a later, deeper rewind removes the entries it covers. */
typedef struct Rewind {
    uint64_t generation;
    uint32_t count, vars;
} Rewind;

typedef struct Variable {
    Expr id;
    char *name;
} Variable;

struct ExprPool {
    Node *nodes; /* reserved address space, touched as it fills: pointers into it stay valid */
    uint32_t count;
    uint32_t *lines; /* sixteen slots for every eight ids, see pool.c */
    uint32_t *table; /* slots: id, and four bits of its hash above; 0 is empty */
    uint32_t table_size, table_used;
    Expr *elements; /* reserved as well */
    uint32_t element_count;
    uint32_t *known_at; /* reserved as well; per node 0, or 1 + the index into narrow (width <= 64) or wide */
    Vec(KnownNarrow) narrow;
    Vec(ExprKnown) wide;
    Vec(Variable) vars;
    uint32_t undefs;
    unsigned depth; /* of nested rules */
    uint64_t generation, work, evaluated;
    Vec(Rewind) rewinds;
};

/* ---- pool.c ---- */
static inline const Node *expr__node(const ExprPool *pool, Expr e)
{
    assert(e > 0 && e < pool->count);
    return &pool->nodes[e];
}

static inline bool is_kind(const ExprPool *pool, Expr e, ExprKind kind)
{
    return expr__node(pool, e)->kind == kind;
}

static inline bool is_const(const ExprPool *pool, Expr e)
{
    return expr__node(pool, e)->kind == EXPR_CONST;
}

static inline unsigned width_of(const ExprPool *pool, Expr e)
{
    return expr__node(pool, e)->width;
}

static inline U128 node_value(const Node *node)
{
    assert(node->kind == EXPR_CONST);
    return (U128)node->word[1] << 64 | node->word[0];
}

static inline U128 const_value(const ExprPool *pool, Expr e)
{
    return node_value(expr__node(pool, e));
}

static inline bool is_value(const ExprPool *pool, Expr e, U128 value)
{
    return is_const(pool, e) && const_value(pool, e) == value;
}

static inline bool is_zero(const ExprPool *pool, Expr e)
{
    return is_value(pool, e, 0);
}

static inline bool is_ones(const ExprPool *pool, Expr e)
{
    return is_value(pool, e, arith_mask(width_of(pool, e)));
}

/* Does e have this kind with a constant as its second operand? */
static inline bool has_const(const ExprPool *pool, Expr e, ExprKind kind)
{
    return is_kind(pool, e, kind) && is_const(pool, expr__node(pool, e)->b);
}

static inline Expr operand_a(const ExprPool *pool, Expr e)
{
    return expr__node(pool, e)->a;
}

static inline Expr operand_b(const ExprPool *pool, Expr e)
{
    return expr__node(pool, e)->b;
}

bool expr__commutes(ExprKind kind);
/* The node itself, made if it is new; a constant where its known bits decide it.  No other rule is applied. */
Expr expr__intern(ExprPool *pool, ExprKind kind, unsigned width, Expr a, Expr b, Expr c);
Expr expr__intern_list(ExprPool *pool, ExprKind kind, unsigned width, const Expr *list, uint32_t count, const ExprFunction *function);
/* expr_pool_rewind for nodes that no model can have seen. */
void expr__forget(ExprPool *pool, uint32_t count);
uint32_t expr__hash(const ExprPool *pool, const Node *node);
void expr__expect(const ExprPool *pool, Expr a, Expr b);
Expr expr__find(const ExprPool *pool, const Node *node);

/* ---- known.c, known_arith.c ---- */
ExprKnown expr__known(const ExprPool *pool, Expr e);
ExprKnown expr__known_of_node(const ExprPool *pool, const Node *node);
void expr__known_add(ExprPool *pool, Expr e, const ExprKnown *known); /* e is the newest node */
void expr__known_drop(ExprPool *pool, Expr e);                        /* e is the newest node */
ExprKnown known_nothing(unsigned width);
ExprKnown known_value(unsigned width, U128 value);
ExprKnown known_arith(ExprKind kind, unsigned width, const ExprKnown *a, const ExprKnown *b);
ExprKnown known_shift(ExprKind kind, unsigned width, const ExprKnown *a, const ExprKnown *b);
static inline bool known_full(const ExprKnown *known)
{
    return known->low == known->high;
}
/* Is nothing at all known of e? */
static inline bool expr__unknown(const ExprPool *pool, Expr e)
{
    return !pool->known_at[e] && expr__node(pool, e)->kind != EXPR_CONST;
}
bool expr__nonnegative(const ExprPool *pool, Expr e);

/* ---- rules: the simplified expression, or 0 where no rule applies.  Not all operands are constants; a constant stands second where the
 * kind commutes. ---- */
Expr rule_add(ExprPool *pool, Expr a, Expr b);
Expr rule_sub(ExprPool *pool, Expr a, Expr b);
Expr rule_mul(ExprPool *pool, Expr a, Expr b);
Expr rule_divide(ExprPool *pool, ExprKind kind, Expr a, Expr b);
Expr rule_shift(ExprPool *pool, ExprKind kind, Expr a, Expr b);
Expr rule_bitwise(ExprPool *pool, ExprKind kind, Expr a, Expr b);
Expr rule_not(ExprPool *pool, Expr a);
Expr rule_eq(ExprPool *pool, Expr a, Expr b);
Expr rule_less(ExprPool *pool, ExprKind kind, Expr a, Expr b);
Expr rule_concat(ExprPool *pool, Expr high, Expr low);
Expr rule_extract(ExprPool *pool, Expr a, unsigned low, unsigned width);
Expr rule_zext(ExprPool *pool, Expr a, unsigned width);
Expr rule_sext(ExprPool *pool, Expr a, unsigned width);
Expr rule_ite(ExprPool *pool, Expr condition, Expr yes, Expr no);
Expr rule_float(ExprPool *pool, ExprKind kind, Expr a, Expr b);
Expr rule_store(ExprPool *pool, Expr array, Expr index, Expr element);
Expr rule_select(ExprPool *pool, Expr array, Expr index);

/* Does !a equal b, seen without building anything? */
bool expr__complements(const ExprPool *pool, Expr a, Expr b);

/* ---- bits of 128 ---- */
static inline unsigned count_ones(U128 x)
{
    return (unsigned)__builtin_popcountll((uint64_t)x) + (unsigned)__builtin_popcountll((uint64_t)(x >> 64));
}

/* Leading zeros of a value of that width. */
static inline unsigned leading_zeros(U128 x, unsigned width)
{
    if (!x) return width;
    uint64_t high = (uint64_t)(x >> 64);
    unsigned zeros = high ? (unsigned)__builtin_clzll(high) : 64 + (unsigned)__builtin_clzll((uint64_t)x);
    return zeros - (128 - width);
}

static inline unsigned trailing_zeros(U128 x, unsigned width)
{
    if (!x) return width;
    uint64_t low = (uint64_t)x;
    return low ? (unsigned)__builtin_ctzll(low) : 64 + (unsigned)__builtin_ctzll((uint64_t)(x >> 64));
}

static inline bool is_power_of_two(U128 x)
{
    return x && !(x & (x - 1));
}

static inline U128 sign_bit(unsigned width)
{
    return (U128)1 << (width - 1);
}

#endif
