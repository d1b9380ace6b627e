/* What the files of the backward analysis share: backward.c, conditions.c, rstates.c, steps.c, write.c. */
#ifndef CLEW_BACKWARD_INT_H
#define CLEW_BACKWARD_INT_H

#include "prove/prove_int.h"

#define UNFINISHED "its backward analysis has not come to an end"

typedef Vec(Expr) Exprs;

enum { MOST_DEPTH = 24 /* calls of a stack that are known; the rest is cut off.  A guess. */ };

typedef struct Places { /* the locations of a function: starts of blocks, what follows their calls, and the exit */
    uint32_t *first;    /* per block: the location at its start; then the exit */
    Segment *segments;  /* per location: the code that follows it */
    uint32_t *order;    /* per block: its place in reverse postorder, by which R-states are followed */
} Places;

typedef struct LoopLemmas LoopLemmas;

typedef Vec(uint64_t) Keys;
typedef struct Precision { /* what R-states speak of (precision.c) */
    Keys keys;             /* names of variables */
    uint32_t depth;        /* calls of a stack that are known, beside those of functions that are called from one place only */
    bool keeps_demands;    /* R-states also say what must hold for the code to be defined */
    bool all;              /* other variables are not left out, but noted */
    Keys seen;
} Precision;
typedef struct ChainPlace {
    uint32_t function, location, stack;
} ChainPlace;
typedef struct Chain {      /* a way to a branch */
    Vec(ChainPlace) places; /* the branch's own is the last one */
    uint32_t at;            /* how far it was followed, from the branch on */
    uint32_t first;         /* R-state at the place that is looked at */
} Chain;

/* What leads into `state` (a number of an R-state, or REST_BRANCH + a number of a branch) was looked at and rests on the R-state `on`, or on REST_FACTS: the facts of the
 * abstract interpreter.  A certificate needs only what its branches rest on. */
typedef struct Rest {
    uint32_t state, on;
} Rest;
#define REST_BRANCH 0x80000000u
#define REST_FACTS UINT32_MAX

typedef struct Context { /* code where the stack is known */
    uint32_t function, location, stack;
    bool made;
    Segment segment;
} Context;

struct Backward {
    const Program *program;
    BackwardOptions options;
    Memory memory;
    Vars vars;
    Solver *solver;
    Places *places; /* per function, made when needed */
    Vec(Stack) stacks;
    Map stack_numbers;
    Map sizes; /* per expression: 256 times its nodes when written out, plus its nesting; up to a limit */
    Vec(Context *) contexts;
    Map context_numbers;
    Map only_stacks; /* per function: backward__only_stack */
    Vec(RState) states;
    Exprs conditions;      /* of the R-states */
    Map at;                /* location -> R-state + 1 that was added there last */
    Vec(RState) reachable; /* R-states that initial states satisfy, or that lead from some that are */
    Exprs reachable_conditions;
    Map reachable_at;
    Facts *facts;         /* NULL: none */
    Vec(Rest) rests;      /* what R-states and branches rest on, those made last at the end */
    uint32_t followed;    /* what the questions being asked are for: the number of an R-state, or REST_BRANCH + the number of a branch */
    Numbers written;      /* per node of the last certificate: its R-state, or REST_FACTS */
    uint64_t work_end;    /* when the branch at hand has to be decided */
    uint64_t compared;    /* how often a new R-state was compared with one that is known */
    bool generalises;     /* at heads of loops, R-states become negations of lemmas (lemmas.c) */
    uint64_t generalised; /* how many have become so */
    Map loop_lemmas;      /* function and loop -> number in: */
    Vec(LoopLemmas *) lemmas;
    bool folds, folded;     /* R-states at loop heads are generalised in this attempt; one was, here or by the precision */
    Precision *precision;   /* NULL: conditions on all variables are kept */
    Chain *chain;           /* only this way is followed; NULL: all ways are */
    uint32_t **webs;        /* per function, made when needed (precision.c) */
    Precision **precisions; /* per branch, made when needed */
    bool keeps_demands;     /* R-states also say what must hold for the code to be defined */
    Map relied;             /* function and origin -> 1: undefined behaviour of the instruction is excluded */
    uint32_t target_rests;  /* rests from here on belong to the branch at hand */
    uint32_t target_first;  /* R-states from here on belong to the branch at hand */
    const char *failure;    /* why the branch cannot be proved */
    uint32_t failed_state;  /* + 1 */
    BackwardStats stats;
};

typedef struct Candidate { /* an R-state that may have to be added */
    uint32_t function, location, stack, parent;
    Exprs conditions;
    const Segment *segment; /* whose demands hold as well where undefined behaviour is excluded; NULL: none */
    unsigned splits;        /* that have led to it */
} Candidate;

/* backward.c: the parts of an attempt to prove a branch */
void backward__begin(Backward *b, uint32_t number); /* adds the first R-state of a branch */
bool backward__follow_next(Backward *b);            /* follows one R-state; false: none is left */
void backward__give_up(Backward *b);                /* forgets the R-states of a branch that could not be proved */

/* precision.c */
BackwardAnswer backward__prove_precisely(Backward *b, uint32_t number);
void backward__release_precisions(Backward *b);
void backward__leave_out(Backward *b, Exprs *conditions); /* those on variables that are not in the precision */
bool backward__is_on_chain(const Backward *b, const Candidate *c);
uint32_t backward__precise_stack(Backward *b, uint32_t function, uint32_t stack); /* what the precision leaves of a stack of the function */

/* backward.c: the condition of a branch, at the start of the segment that it ends or that it is in; *location: where that is */
bool backward__condition(Backward *b, uint32_t number, uint32_t stack, uint32_t *location, Expr *condition);

/* conditions.c: lists of conditions that all hold */
bool conditions_add(ExprPool *pool, Expr e, Exprs *list); /* its conjuncts; false: it never holds */
void conditions_sort(Exprs *list);                        /* by number, each once */
bool conditions_simplify(Vars *vars, Exprs *list);        /* makes them plain; false: they contradict each other */
bool conditions_are_among(const Expr *few, uint32_t count, const Expr *many, uint32_t many_count); /* all of them; both lists are sorted */
void conditions_variables(ExprPool *pool, Expr e, Map *seen, Exprs *vars); /* adds those of the expression that were not seen yet */

bool conditions_are_apart(const Vars *vars, Expr x, Expr y); /* two addresses that are known to differ */

/* project.c: a condition without inputs that holds wherever this one holds for some value of its inputs */
Expr conditions_project(Vars *vars, Expr condition);

/* rstates.c: stacks, questions, R-states; parts.c: what they rest on */
uint32_t backward__stack(Backward *b, CallPlace site, uint32_t below);
uint32_t backward__cut_stack(Backward *b, uint32_t stack, uint32_t depth); /* its innermost calls */
bool backward__stack_includes(const Backward *b, uint32_t other,
                              uint32_t stack); /* every stack that begins with `stack` begins with `other`, too */
SolveAnswer backward__ask(Backward *b, const Exprs *conditions, const Exprs *more);
uint64_t backward__location_key(uint32_t function, uint32_t location);
uint32_t backward__last_at(const Map *map, uint32_t function, uint32_t location); /* number + 1; 0: there is none */
const Expr *backward__conditions_of(const Backward *b, const RState *r);
/* Takes the candidate's conditions.  It becomes an R-state unless it is contradictory or included in others. */
void backward__add_state(Backward *b, Candidate *c);
void backward__rests_on(Backward *b, uint32_t on); /* what is followed rests on that */
/* Marks the R-states that the branches rest on; needed[number of all R-states]: the facts of the abstract interpreter as well. */
void backward__needed(const Backward *b, const uint32_t *branches, uint32_t count, bool *needed);
void backward__fail(Backward *b, uint32_t state,
                    const char *why); /* the branch cannot be proved; state: number + 1 of the last one, 0: none */

/* cases.c: adds the cases of a candidate in place of it; false: it is not divided */
bool backward__divide(Backward *b, Candidate *c);

/* known.c: false: the conditions cannot hold where the candidate is, as far as the abstract interpreter knows.  Else constants are in place of variables there, and
 * what else is known is added to `bounds`. */
bool backward__use_facts(Backward *b, const Candidate *c, Exprs *list, Exprs *bounds);

/* lemmas.c: R-states at heads of loops become larger ones that a turn leaves as they are.  True: the candidate has other conditions now. */
bool backward__generalise(Backward *b, Candidate *c, const Exprs *bounds);
void backward__release_lemmas(Backward *b);

/* steps.c: locations, and what is before them */
Places *backward__places(Backward *b, uint32_t function);
uint32_t backward__exit(Backward *b, uint32_t function); /* the location where the function returns */
void backward__follow(Backward *b, uint32_t state);      /* adds the R-states before a state */

/* generalise.c: leaves out of an R-state at the head of a loop what the loop changes */
void backward__fold(Backward *b, Candidate *c);
bool backward__loop_writes(const Function *f, const Loop *loop, uint32_t reg);

bool backward__may_call(const Backward *b, const CallSite *site, uint32_t function);

/* contexts.c: code where the stack is known */
uint32_t backward__only_stack(Backward *b, uint32_t function); /* the innermost calls that every stack of the function has */
/* What a parameter holds while the innermost call of the stack lasts, over the frames of the callers; 0: the parameter itself. */
Expr backward__argument(Backward *b, uint32_t function, uint32_t parameter, uint32_t stack);
Segment *backward__segment(Backward *b, uint32_t function, uint32_t location, uint32_t stack); /* the code that follows a location */
void backward__free_contexts(Backward *b);

#endif
