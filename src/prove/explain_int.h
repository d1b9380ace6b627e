/* What explain.c, explain_text.c and explain_values.c share. */
#ifndef CLEW_EXPLAIN_INT_H
#define CLEW_EXPLAIN_INT_H

#include "prove/prove_int.h"

#include <jansson.h>

/* Names of what predicates speak of, as keys of a set: "f:v3.1" a value of function f, "f:p0" a parameter, "f:l0.2" a local variable, "f:result", "g:x" a
 * global variable; "g:x@8" only its bytes from 8 on. */
typedef struct Terms {
    NameMap set;
    Vec(char *) list;
} Terms;

struct Explainer {
    char *directory;
    Program *program;
    FrontNames *names;
    uint64_t hash;     /* of the bitcode */
    NameMap files;     /* path -> index into texts */
    Vec(char *) texts; /* NULL: the file cannot be read */
};

/* A place from which a predicate is read. */
typedef struct View {
    Explainer *explainer;
    const Function *function;
    const json_t *calls;  /* of the node; NULL: none */
    const json_t *shared; /* of the certificate; NULL: none */
} View;

enum {
    LONGEST = 200,  /* characters of a condition that still reads well; guess */
    DEEPEST = 8,    /* operators inside each other in a term; guess */
    MOST_VALUES = 6 /* that are listed one by one; guess */
};

/* ---- explain_values.c ---- */
bool terms_add(Terms *terms, char *key);       /* takes the key; false: it was there */
bool terms_has(const Terms *terms, char *key); /* takes the key */
void terms_release(Terms *terms);
void explain__cell_key(Terms *terms, char *object, uint64_t offset); /* part of an object, by four bytes; takes the object's key */

extern const char *const explain__comparisons[];                  /* by Predicate: as in C */
extern const Predicate explain__opposites[], explain__mirrored[]; /* !(a < b) is a >= b; a < b is b > a */
I128 explain__signed(U128 value, unsigned width);
U128 explain__ones(unsigned width);
void explain__number(StrBuf *out, I128 value);

uint32_t explain__origin(const Function *f, uint64_t block, uint64_t instr); /* as Instr.origin; 0: there is no such instruction */
uint32_t explain__register(const Function *f, uint32_t origin);              /* UINT32_MAX: none */
const Instr *explain__instr(const Function *f, uint32_t origin);             /* that computes it; NULL: a phi, or nothing is left of it */
const char *explain__function_name(const char *name, size_t *length);        /* as in C: without the number that linking adds */

/* Each appends the name, or the expression in C; false: there is none, and `out` may have part of one. */
bool explain__truth(Explainer *explainer, const Function *f, Operand condition, bool negated, unsigned depth, StrBuf *out);
bool explain__value(Explainer *explainer, const Function *f, uint32_t origin, unsigned depth, StrBuf *out);
bool explain__param(Explainer *explainer, const Function *f, uint32_t index, StrBuf *out);
bool explain__global(Explainer *explainer, const char *global, uint64_t offset, uint64_t size, StrBuf *out);
/* The condition under which a conditional, switch or choice goes one way, and what it speaks of. */
bool explain__condition(Explainer *explainer, const Function *f, const Instr *instr, uint32_t which, StrBuf *out, Terms *terms);
/* ", where `x` was set to `y + 1`", if the condition compares a variable that an expression was just assigned to. */
void explain__definition(Explainer *explainer, const Function *f, Operand condition, StrBuf *out);
/* What the value of an operand depends on, up to values that other blocks give, parameters, calls and memory. */
void explain__terms(Explainer *explainer, const Function *f, Operand operand, Terms *terms);

/* ---- explain_text.c ---- */
/* What holds at a location: one sentence without its beginning ("`x` is always 3", "`x < y` never holds"). */
typedef struct Fact {
    char *text;
    Terms terms;
    bool weak; /* it is said only where there is nothing else to say */
} Fact;
typedef Vec(Fact) FactList;
void facts_release(FactList *facts);
/* Appends what it means that none of the states occurs; predicates that cannot be read or are too long are left out.  `states` is a list of predicates. */
void explain__facts(const View *view, const json_t *const *states, uint32_t count, FactList *facts);

#endif
