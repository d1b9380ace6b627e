/* What the files of the bounds tier share: domains, and the contraction of one node.
 *
 * A domain says which bits are known and which values remain in either half of the range (sign bit clear, sign bit set).  Two intervals
 * hold this: [low, high] in the unsigned order, and [least, most] in the signed one.  The signed one is kept with the sign bit flipped,
 * so that both compare as unsigned.  Where both halves remain, the four ends are the ends of the halves; where one does, the intervals
 * are the same one.  `domain_settle` makes all parts agree. */
#ifndef CLEW_SOLVE_BOUNDS_INT_H
#define CLEW_SOLVE_BOUNDS_INT_H

#include "base/arith.h"
#include "solve/solve_int.h"

typedef struct Domain {
    U128 zeros, ones;
    U128 low, high;
    U128 least, most; /* sign bit flipped */
} Domain;

/* Values first, first + 1, … first + size, modulo 2^width; size = mask: all of them. */
typedef struct Circle {
    U128 first, size;
} Circle;

/* A window on the values: bit i stands for base + i. */
typedef struct Window {
    U128 base;
    uint64_t bits[4];
} Window;

/* The numbers of a float of 32 or 64 bits: low <= x <= high, none if low > high; or NaN.  Zeros of both signs are equal. */
typedef struct Numbers {
    double low, high;
    bool nan;
} Numbers;

typedef struct Place {
    Domain d;
    U128 reasons;              /* the conditions that it rests on, bit by bit; condition i is bit i modulo 128 */
    uint32_t changed, visited; /* by the clock */
    uint32_t window, numbers;  /* 1 + index, 0: none */
} Place;

/* What a condition says of the only term of up to 8 bits that it depends on. */
typedef struct Fact {
    Expr condition, leaf; /* leaf 0: there is no such term */
    uint64_t allowed[4];
} Fact;

/* A leaf within the query at hand. */
typedef struct Leaf {
    Expr e;
    uint32_t first; /* of its conditions, see next[] */
    uint64_t allowed[4];
} Leaf;

typedef struct Vertex {
    uint32_t at;
    uint8_t reading; /* how its bits are a number, see bounds_order.c */
    I128 potential;
} Vertex;

typedef struct Edge { /* value(to) <= value(from) + weight */
    uint32_t from, to;
    I128 weight;
    U128 reasons;
} Edge;

typedef struct Twins { /* positions */
    uint32_t narrow, wide;
} Twins;

struct Bounds {
    ExprPool *pool;
    Dag dag;   /* of the conditions that have no fact; before, of one condition while its fact is found */
    Place *at; /* by position in the dag */
    uint32_t capacity;
    uint32_t clock;
    bool empty;    /* some domain is empty … */
    U128 conflict; /* … because of these conditions */
    uint64_t work;
    Vec(Window) windows;
    Vec(Numbers) numbers;
    Vec(Vertex) vertices;
    Vec(Edge) edges;
    Vec(uint32_t) stack; /* of searches in the graph */
    Vec(Twins) twins;

    /* facts */
    Vec(Fact) facts;
    uint32_t *fact_at; /* by Expr: 1 + index */
    uint32_t fact_reserved, fact_end;
    Vec(uint8_t) needed; /* by position in the dag */
    uint64_t *columns;   /* 256 values for each node of the dag */
    uint32_t column_capacity;

    /* the query at hand */
    const Query *query;
    Vec(Leaf) leaves;
    uint32_t *leaf_slot, *leaf_stamp, stamp, leaf_reserved; /* by Expr */
    Vec(uint32_t) next;                                     /* by condition: the next one on the same leaf, UINT32_MAX at the end */
    Vec(uint32_t) fact_of;                                  /* by condition: index of its fact */
    Vec(Expr) rest;                                         /* conditions without a fact … */
    Vec(uint32_t) rest_index;                               /* … and their indexes in the query */
    Vec(uint8_t) active;                                    /* by condition */
};

/* ---- bounds_domain.c ---- */
static inline U128 half_of(unsigned width) /* the sign bit */
{
    return (U128)1 << (width - 1);
}
static inline unsigned bit_length(U128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high ? 128 - (unsigned)__builtin_clzll(high) : low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}
static inline unsigned low_zeros(U128 x) /* 128 for zero */
{
    uint64_t low = (uint64_t)x, high = (uint64_t)(x >> 64);
    return low ? (unsigned)__builtin_ctzll(low) : high ? 64 + (unsigned)__builtin_ctzll(high) : 128;
}
static inline bool domain_single(const Domain *d)
{
    return d->low == d->high;
}
static inline Domain domain_all(unsigned width)
{
    U128 mask = arith_mask(width);
    return (Domain){.high = mask, .most = mask};
}
static inline Domain domain_value(unsigned width, U128 value)
{
    U128 mask = arith_mask(width), flipped = value ^ half_of(width);
    return (Domain){~value & mask, value, value, value, flipped, flipped};
}
static inline Domain domain_between(unsigned width, U128 low, U128 high)
{
    return (Domain){.low = low, .high = high, .most = arith_mask(width)};
}
/* By ends of the signed order, flipped. */
static inline Domain domain_signed(unsigned width, U128 least, U128 most)
{
    return (Domain){.high = arith_mask(width), .least = least, .most = most};
}
bool domain_settle(unsigned width, Domain *d); /* false: empty */
bool domain_has(unsigned width, const Domain *d, U128 value);
bool domain_disjoint(unsigned width, const Domain *a, const Domain *b);
Domain domain_union(unsigned width, const Domain *a, const Domain *b);
Circle domain_circle(unsigned width, const Domain *d);
/* The hull of what of d lies in the circle; false: nothing. */
bool domain_cut(unsigned width, Domain *d, Circle circle);

bool window_has(const Window *window, unsigned width, U128 value);
/* Makes the window and the domain agree; false: empty. */
bool window_settle(Window *window, unsigned width, Domain *d);

/* ---- bounds.c: what contraction does to the node at a position.  Reasons are those of what was learnt, the node's own are added. ---- */
void bounds__sharpen(Bounds *bounds, uint32_t at, const Domain *with, U128 reasons);
void bounds__cut(Bounds *bounds, uint32_t at, Circle circle, U128 reasons);
void bounds__exclude(Bounds *bounds, uint32_t at, U128 value, U128 reasons);
void bounds__decide(Bounds *bounds, uint32_t at, bool value, U128 reasons); /* of one bit */
void bounds__conflict(Bounds *bounds, U128 reasons);
static inline const Domain *bounds_at(const Bounds *bounds, uint32_t at)
{
    return &bounds->at[at].d;
}
static inline U128 bounds_reasons(const Bounds *bounds, uint32_t at)
{
    return bounds->at[at].reasons;
}
static inline unsigned bounds_width(const Bounds *bounds, uint32_t at)
{
    return bounds->dag.nodes[at].width;
}
/* Of one bit: 0, 1, or -1 for unknown. */
static inline int bounds_truth(const Bounds *bounds, uint32_t at)
{
    const Domain *d = &bounds->at[at].d;
    assert(bounds_width(bounds, at) == 1);
    return d->low == d->high ? (int)d->low : -1;
}

/* ---- bounds_forward.c, bounds_backward.c, bounds_table.c, bounds_float.c: contraction of one node ---- */
void bounds__forward(Bounds *bounds, uint32_t at);  /* operands to result */
void bounds__backward(Bounds *bounds, uint32_t at); /* result to operands */
void bounds__sum(Bounds *bounds, uint32_t into, uint32_t a, uint32_t b, bool subtract, U128 reasons);
bool bounds__product_fits(unsigned width, U128 a, U128 b);
I128 domain_signed_low(unsigned width, const Domain *d);
I128 domain_signed_high(unsigned width, const Domain *d);
Domain domain_of_signed(unsigned width, I128 low, I128 high);
void bounds__contract_select(Bounds *bounds, uint32_t at);
/* Both, for the kinds of floats; and what a changed domain of bits means for the numbers already kept. */
void bounds__contract_float(Bounds *bounds, uint32_t at);
void bounds__contract_sign(Bounds *bounds, uint32_t at); /* of XOR and ZEXT: where they are the negation or the absolute value of a float */
void bounds__numbers_follow(Bounds *bounds, uint32_t at);
const Numbers *bounds__numbers(Bounds *bounds, uint32_t at); /* width 32 or 64 */

/* ---- bounds_twins.c ---- */
void bounds__find_twins(Bounds *bounds); /* of the dag */
bool bounds__join_twins(Bounds *bounds);

/* ---- bounds_order.c: chains of comparisons that lead back to where they began ---- */
void bounds__order(Bounds *bounds);

/* ---- bounds_facts.c ---- */
const Fact *bounds__fact(Bounds *bounds, Expr condition);  /* valid until the next call */
void bounds__facts_forget(Bounds *bounds, uint32_t count); /* those of conditions from `count` on */
void bounds__facts_limit(Bounds *bounds);                  /* all, where they have become too many */

static inline bool set_empty(const uint64_t *set)
{
    return !(set[0] | set[1] | set[2] | set[3]);
}
static inline void set_meet(uint64_t *set, const uint64_t *with)
{
    for (int i = 0; i < 4; i++) set[i] &= with[i];
}
static inline unsigned set_count(const uint64_t *set)
{
    unsigned count = 0;
    for (int i = 0; i < 4; i++) count += (unsigned)__builtin_popcountll(set[i]);
    return count;
}

#endif
