/* Reading back the logs that smtlib.c writes: the same expressions, the same levels, the same checks. */
#ifndef CLEW_SOLVE_SMTLIB_H
#define CLEW_SOLVE_SMTLIB_H

#include "solve/solve.h"

/* What is done with what is read.  Expressions are made in `pool`. */
typedef struct SmtReader {
    ExprPool *pool;
    void *data; /* handed to the functions */
    /* The input of that name (index among those of the log); NULL: a new one each time. */
    Expr (*variable)(void *data, const char *name, unsigned width);
    /* The real function of that name, to live as long as the pool; NULL if there is none.  What applies it, and what contains that, is then expression 0. */
    const ExprFunction *(*function)(void *data, const char *name, uint32_t arguments, unsigned width);
    void (*add)(void *data, Expr condition);    /* one more level */
    void (*remove)(void *data, uint32_t count); /* so many levels fewer */
    void (*check)(void *data, const Expr *assumptions, uint32_t count, SolveAnswer recorded);
} SmtReader;

/* Fails, with the line, on what smtlib.c does not write. */
Status smtlib_read(const char *path, const SmtReader *reader, Error *error);

#endif
