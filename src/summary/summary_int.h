/* What the files of summary/ share. */
#ifndef CLEW_SUMMARY_INT_H
#define CLEW_SUMMARY_INT_H

#include "summary/summary.h"
#include "vm/isolate.h"

/* ---- the tree of a function (tree.c) ----
 * A node is a fact that every path which comes there depends on, a side is how it was on some of them.  Expressions are in the pool of the
 * summaries, over variables that stand for the function's inputs. */
typedef struct Side {
    uint32_t next;    /* of the same node, older; 0: none */
    uint32_t child;   /* node; 0: none */
    uint32_t leaf;    /* 0: none */
    uint32_t version; /* of the tree when it was made */
    uint8_t form, outcome;
    bool write;
    uint32_t other;
    int64_t offset;
    uint64_t bytes;
    U128 value;
    Expr variable, object, condition;
} Side;

typedef struct Node {
    uint8_t kind;           /* VmFactKind */
    uint8_t condition, bug; /* of a condition: ConditionKind, BugKind */
    bool write;
    uint32_t closed; /* since this version there is no other side, in no context; 0: there may be */
    uint32_t base, loc, sides;
    int64_t offset;
    uint64_t bytes;
    U128 value;
} Node;

typedef struct Write {
    uint32_t base, bytes;
    int64_t offset;
    Expr value;
} Write;

typedef struct Leaf {
    bool returns; /* else the program ends inside: the postcondition is false */
    uint8_t stop, bug;
    uint32_t loc;
    uint32_t results, result_count; /* in Tree.results */
    uint32_t writes, write_count;
    bool borrowed; /* from an earlier campaign, and not executed since */
} Leaf;

typedef struct Input { /* of the function */
    uint64_t key;
    Expr variable;
} Input;

typedef struct Tree {
    const Function *function;
    Vec(Node) nodes;  /* [0] unused, [1] the first fact */
    Vec(Side) sides;  /* [0] unused */
    Vec(Leaf) leaves; /* [0] unused */
    Vec(Expr) results;
    Vec(Write) writes;
    Vec(Input) inputs;
    Map by_key;  /* place -> input */
    Map general; /* places that are inputs even where they are constant */
    uint32_t version;
    SummaryFacts facts;
    char *why;
    uint32_t failures; /* contexts in which it could not be summarised */
    bool completed;    /* a call was, by it */
    uint32_t weight;   /* expressions that its paths are made of */
    bool floats;       /* it calculates with floating-point numbers */
} Tree;

/* A call on the way, for later executions of the same path: which version of its tree was used. */
typedef struct Used {
    uint32_t fact; /* the caller had so many facts */
    uint64_t position;
    uint32_t version;
} Used;

/* A call that is being explored, in one calling state. */
typedef struct Call Call;
struct Call {
    Summaries *summaries;
    struct Call *caller; /* NULL: none is isolated */
    Tree *tree;
    VmSession session;
    VmMark before; /* anything was said of it on the path */
    VmMark mark;
    uint32_t path;             /* conditions of the path when it was made */
    ExprTranslation from_view; /* the machine's expressions to those of the tree */
    bool foreign;              /* an expression had a variable that is none of the function's */
    Map refuted;               /* what is missing in the tree and does not exist in this state */
    Map held;                  /* condition -> does it hold in this state? */
    Vec(Used) used;            /* calls of the path being executed */
    bool borrowed;             /* the path being executed is known, and was not executed since it was loaded */
    uint32_t runs;
    uint64_t id;   /* never used twice */
    char why[192]; /* it cannot be summarised here */
};

typedef Vec(SolveValue) Vec_values;

struct Summaries {
    const Program *program;
    Vm *vm;
    Solver *solver;
    SummaryOptions options;
    ExprPool *pool;
    Vec(Tree *) trees;
    Map by_function;
    Vec(Call *) calls; /* outermost first */
    Map versions;      /* position of a call -> version of the tree that was used there */
    Map explored;      /* position of a call, in an exploration of its caller */
    uint64_t explorations;
    Vec(Expr) context, assumptions;
    Map undefs;                /* width -> expression */
    Map known_bugs;            /* found in isolation */
    Vec(Vec_values) witnesses; /* inputs of runs that show something new, to be executed as a whole */
    VmMark trial;              /* before the call that is on trial */
    bool stopped, used;
};

Tree *summary__tree(Summaries *summaries, const Function *function);
void tree_free(Tree *tree);
/* Adds the path that was executed last.  False: it contradicts the tree. */
bool tree_add_path(Call *call, const VmStop *stop);
/* The facts so far of the path at hand: the side they lead to, 0 at the start; *known: the tree has them all. */
uint32_t tree_follow(Call *call, bool *known);
Expr summary__foreign(void *call, Expr variable); /* a variable that is none of the function's */
Expr summary__undef(void *call, unsigned width);  /* always the same: what is said twice is then the same expression */
uint64_t summary__position_key(const Tree *tree, uint32_t side, uint64_t position);

/* ---- text (print.c) ---- */
typedef struct Where { /* a place as facts name it */
    uint32_t base;
    int64_t offset;
    uint64_t bytes;
    const char *base_name;
} Where;
void summary__place_name(const Summaries *summaries, const Tree *tree, const Where *where, StrBuf *out);

/* ---- the tree in one calling state (walk.c) ---- */
typedef enum PlaceKind { PLACE_BRANCH, PLACE_RETURN, PLACE_END, PLACE_MISSING } PlaceKind;
typedef struct Place { /* a node of the tree as it is there: what is decided is left out */
    uint8_t kind;
    Expr condition;   /* of a branch */
    uint32_t yes, no; /* places */
    uint32_t leaf;
    uint32_t writes, write_count; /* in Walk.writes */
    uint32_t results;             /* in Walk.results */
    uint32_t node, side;          /* of what is missing: the node, and its newest side */
    uint32_t parent;              /* place; UINT32_MAX: none */
    bool is_yes;                  /* of the parent */
    bool is_lost;                 /* what is missing is not looked for: too many values */
} Place;

typedef struct PlaceWrite {
    uint64_t address;
    uint32_t bytes;
    Expr value;
} PlaceWrite;

typedef struct WalkBase {
    uint64_t address, key;
    Expr actual;
} WalkBase;

typedef struct Walk {
    Call *call;
    uint32_t version;
    ExprTranslation into_view;
    Vec(WalkBase) bases;
    Vec(Place) places;
    Vec(PlaceWrite) writes;
    Vec(Expr) results;
    const char *unfit; /* why the tree cannot be used here; NULL: it can */
} Walk;

uint32_t walk_tree(Walk *walk, Call *call, uint32_t version); /* the first place */
void walk_release(Walk *walk);
Expr walk_condition(Walk *walk, uint32_t first, PlaceKind kind); /* when it comes to a place of that kind */
/* Completes the call. */
void walk_complete(Walk *walk, uint32_t first);

#endif
