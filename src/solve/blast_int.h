/* What the files of the bit-blasting tier share: words of literals, their circuits, and the clauses of gates. */
#ifndef CLEW_SOLVE_BLAST_INT_H
#define CLEW_SOLVE_BLAST_INT_H

#include "solve/gates.h"
#include "solve/sat.h"
#include "solve/solve_int.h"

/* ---- blast_words.c: circuits over words, bit 0 first.  Binary operators take words of one width. ---- */
enum { WORD_BITS = 132 }; /* the widest word anything needs: the sum of a 128-bit product and a rest */
typedef struct Word {
    unsigned width;
    Lit bit[WORD_BITS];
} Word;
Word word_const(unsigned width, U128 value);
bool word_is_const(const Word *a, U128 *value); /* only words of up to 128 bits */
Word word_extract(const Word *a, unsigned low, unsigned width);
Word word_concat(const Word *high, const Word *low);
Word word_zext(const Word *a, unsigned width);
Word word_sext(const Word *a, unsigned width);
Word word_resize(const Word *a, unsigned width); /* cut or zero-extended */
Word word_not(const Word *a);
Word word_map(Gates *gates, Lit (*gate)(Gates *, Lit, Lit), const Word *a, const Word *b);
Word word_mask(Gates *gates, const Word *a, Lit keep);
Word word_mux(Gates *gates, Lit condition, const Word *yes, const Word *no);
Lit word_any(Gates *gates, const Word *a); /* is it not zero? */
Lit word_eq(Gates *gates, const Word *a, const Word *b);
Lit word_ult(Gates *gates, const Word *a, const Word *b);
Lit word_slt(Gates *gates, const Word *a, const Word *b);
Word word_add(Gates *gates, const Word *a, const Word *b, Lit carry);
Word word_sub(Gates *gates, const Word *a, const Word *b);
Word word_negate_if(Gates *gates, Lit condition, const Word *a);
Word word_shift(Gates *gates, ExprKind kind, const Word *a, const Word *amount); /* the amount may have any width */
Word word_shift_right_sticky(Gates *gates, const Word *a, const Word *amount);   /* the lowest bit tells of all that fell out */
Word word_normalize(Gates *gates, const Word *a, Word *zeros); /* shifted left until the top bit is 1; zeros: by how much, unless a = 0 */
Word word_ctpop(Gates *gates, const Word *a);
Word word_ctlz(Gates *gates, const Word *a);
Word word_reverse(const Word *a);

/* ---- blast_multiply.c ---- */
Word word_mul(Gates *gates, const Word *a, const Word *b);
/* SMT-LIB's unsigned division; `b_positive`: b is known not to be 0. */
void word_divide(Gates *gates, const Word *a, const Word *b, bool b_positive, Word *quotient, Word *rest);
bool word_cone_is_weak(const Gates *gates); /* are there divisions in the last cone that can be made stronger? */
void word_reinforce_cone(Gates *gates);
Word word_square_root(Gates *gates, const Word *a, Lit *inexact); /* of an even number of bits; the root has half as many */

/* ---- blast_float.c ---- */
bool float_has_circuit(ExprKind kind, unsigned width, unsigned source);
/* `payload` gives free literals for the sign and the payload of a NaN that results, each at its place. */
Word float_circuit(Gates *gates, ExprKind kind, unsigned width, const Word *a, const Word *b, const Word *payload);

/* ---- blast_cnf.c: clauses of gates, only of those that are needed ---- */
typedef struct Cnf {
    Sat *sat;             /* NULL until something is needed */
    int32_t *literal;     /* by gate: its literal in the solver, 0: none.  Its sign is such that true is the value it is expected to have */
    uint32_t capacity;    /* of `literal` */
    Vec(uint32_t) gates;  /* by variable - 1: its gate */
    Vec(int) clause;      /* being put together */
    Vec(uint32_t) leaves; /* of an and */
    uint64_t work;        /* literals of clauses ever added */
    uint64_t literals;    /* of clauses in the solver */
    uint64_t waste;       /* assignments since the last drop that no query needed */
} Cnf;
void cnf_release(Cnf *cnf);
void cnf_drop(Cnf *cnf); /* the solver and all its clauses */
/* Clauses for the gates of the last cone, over which gates_simulate has given the values expected. */
void cnf_emit(Cnf *cnf, const Gates *gates, const Lit *roots, uint32_t count);
bool cnf_has(const Cnf *cnf, Lit a); /* has it got its clauses? */
int cnf_literal(const Cnf *cnf, Lit a);
uint64_t cnf_memory(const Cnf *cnf);

#endif
