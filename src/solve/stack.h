/* stack: the asserted conditions, and independence slicing.
 *
 * Conditions are taken apart at conjunctions.  Each variable has a list of the conditions that depend on it, newest first, so that what
 * a question depends on is found by walking from its variables, at a cost of what is found; going back on the stack takes the newest
 * links off again. */
#ifndef CLEW_STACK_H
#define CLEW_STACK_H

#include "solve/solve_int.h"
#include "solve/support.h"

typedef Vec(Expr) Exprs;
void exprs_sort(Exprs *list); /* ascending, each once */

typedef struct StackEntry {
    Expr condition;
    VarSet set;
    uint32_t links;   /* length of `links` before this entry */
    uint32_t visited; /* stamp of the slice it is in */
} StackEntry;

typedef struct StackLink {
    uint32_t entry, next; /* next: 1 + index of the next link, 0: none */
} StackLink;

typedef struct StackVar {
    uint32_t head; /* 1 + index of the newest link */
    uint32_t visited;
} StackVar;

typedef struct Stack {
    ExprPool *pool;
    Support support;
    Vec(StackEntry) entries;
    Vec(uint32_t) levels; /* per asserted condition: the number of entries before it */
    Vec(StackLink) links;
    Vec(StackVar) by_var;
    uint32_t stamp;
    Exprs slice;         /* ascending, each once */
    Vec(uint32_t) reach; /* numbers of the variables of the slice */
    Exprs parts;         /* for taking apart */
} Stack;

void stack_init(Stack *stack, ExprPool *pool);
void stack_release(Stack *stack);
void stack_assert(Stack *stack, Expr condition);
void stack_return(Stack *stack, uint32_t depth);
/* The conjuncts of a condition are appended; constants are kept. */
void stack_conjuncts(ExprPool *pool, Expr condition, Exprs *into);
/* Into stack->slice and stack->reach: the questions (none constant) and all asserted conditions that depend on them (all: every
 * asserted condition that depends on anything). */
void stack_slice(Stack *stack, const Expr *questions, uint32_t count, bool all);

#endif
