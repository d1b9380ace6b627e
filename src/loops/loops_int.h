/* What the files of loops/ share. */
#ifndef CLEW_LOOPS_INT_H
#define CLEW_LOOPS_INT_H

#include "loops/forms.h"
#include "loops/loops.h"

typedef Vec(Expr) Exprs;

/* Something that a loop changes. */
typedef struct Place {
    bool in_memory;
    uint32_t reg;
    uint64_t address;
    unsigned width; /* bits */
    Expr variable;  /* stands for what it is before a turn */
    Expr start;     /* what it is where the loop is entered */
} Place;
typedef Vec(Place) Places;

typedef struct Node Node;
typedef Vec(Node *) Nodes;

/* One turn of a pair of turns (pairs.c). */
typedef struct Part {
    uint32_t chain;
    Exprs locals; /* what stands for the chain's locals */
} Part;

/* A way round a loop. */
typedef struct Chain {
    Vec(uint32_t) trace; /* branches that a turn takes, in order, but for those in inner loops that were gone along in closed form: */
    Nodes nodes;         /* these; each knows where in the trace it lies */
    Exprs conditions;    /* under which a turn goes this way */
    Exprs effects;       /* per place, what it is after the turn */
    Exprs inputs;        /* that a turn asks for */
    Exprs locals;        /* variables that differ from turn to turn: inputs, and numbers of turns of inner loops */
    Vec(Part) parts;     /* empty, but for two turns that count as one */
} Chain;

/* So many turns along one chain. */
typedef struct Letter {
    uint32_t chain;
    Expr number;  /* of turns: a variable */
    Expr turns;   /* the same with 32 bits */
    Exprs locals; /* what stands for the chain's locals in all of these turns */
} Letter;

/* A loop on a path, gone along in closed form. */
struct Node {
    uint32_t function, loop;
    uint64_t frame;
    uint32_t trace, inputs,
        path; /* how many branches the path had taken, inputs asked for and conditions when it came there; the first two from its own beginning */
    uint32_t turns_before; /* that were executed before the loop was gone along */
    Places places;
    Vec(Chain) chains;
    Vec(Letter) word; /* empty: nothing could be said of the loop, so it is executed turn by turn */
};

/* A path, or one turn of a loop, on which loops are gone along. */
typedef struct Scope {
    Nodes nodes;
    uint32_t path, trace, inputs; /* where it begins */
    VmGo stays;                   /* of a turn: in which loop */
    uint64_t frame;               /* … of which call */
} Scope;

typedef enum ScopeEnd {
    SCOPE_TURN,  /* the turn is complete */
    SCOPE_LEFT,  /* it has left the loop */
    SCOPE_AGAIN, /* it has gone round a loop that was gone along already */
    SCOPE_GOAL,  /* the goal was taken */
    SCOPE_STOP   /* the run has stopped, or is too long */
} ScopeEnd;

struct Loops {
    LoopsHost host;
    LoopsStats stats;
    uint64_t **live; /* per function: program_live; made when needed */
    uint32_t goal, rounds;
    unsigned bits;                       /* of the numbers of turns */
    bool exact;                          /* conditions on inputs that are read along the loop are asked for, too */
    bool pairs;                          /* ways that alternate are looked for, too */
    bool left_out;                       /* some were not */
    uint32_t logging;                    /* searches for chains that are being made, one inside the other */
    uint64_t steps_left, questions_left; /* of the attempt */
    uint64_t work_end;                   /* the attempt ends when all work so far is that much */
    bool cut_off;                        /* it did */
    Exprs asserted;
    Vec(SolveValue) undo; /* values that the model had */
    Nodes all_nodes;      /* of the attempt, to be released after it */
    LoopsValues given;    /* by position */
    StrBuf told;          /* the last solution that was followed, in words */
};

/* loops.c */
SolveAnswer loops__ask(Loops *loops, uint32_t conditions, const Expr *more, uint32_t count); /* the first so many of the path, and more */
void loops__take_solution(Loops *loops);                                                     /* into the model */
void loops__restore_model(Loops *loops, uint32_t undo);
void loops__set(Loops *loops, Expr variable, U128 value);
bool loops__go_back(Loops *loops, Scope *scope,
                    uint32_t condition); /* to before this condition of the path, or an earlier one; false: there is no mark */
/* navigate.c */
ScopeEnd loops__run(Loops *loops, Scope *scope);
bool loops__may_turn(const VmCondition *c); /* can another outcome be asked for? */
/* What must hold for the branch to be taken where the condition c has led to another one of the same instruction. */
Expr loops__condition_for(Loops *loops, const VmCondition *c, uint32_t branch);
/* Has the last condition of the path, which is not before number `from`, ended the run: a check that failed, or an assumption? */
bool loops__ended_run(const Loops *loops, uint32_t from);
/* chains.c */
void loops__find_chains(Loops *loops, Node *node, const VmHead *head);
void loops__forget_chains(Node *node);
void loops__where_entered(Loops *loops, const Node *node, const Exprs *list,
                          Exprs *result); /* with what places are there in their variables' place */
/* pairs.c */
void loops__add_pairs(Loops *loops, Node *node); /* to the chains of a loop */
/* words.c */
void loops__go_along(Loops *loops, Node *node); /* replaces the state at the head of the loop by what the word makes of it */
/* steer.c */
typedef struct PlanNode PlanNode;
typedef Vec(PlanNode *) PlanNodes;
/* A path with numbers for its variables. */
typedef struct Plan {
    const uint32_t *trace;
    uint32_t trace_count;
    LoopsValues inputs;
    PlanNodes nodes;
} Plan;
typedef struct PlanLetter {
    uint32_t chain;
    uint32_t turns;
    Plan turn;
} PlanLetter;
struct PlanNode {
    const Node *node;
    Vec(PlanLetter) letters;
};
void loops__make_plan(Loops *loops, const Scope *scope, const uint32_t *trace, uint32_t trace_count, uint32_t inputs, Plan *plan);
void loops__release_plan(Plan *plan);
bool loops__write_inputs(const Plan *plan, LoopsValues *values); /* as the plan has them; false: too many */
bool loops__steer(Loops *loops, const Plan *plan, LoopsValues *values);
/* describe.c */
void loops__describe(Loops *loops, const Plan *plan); /* into `told` */

#endif
