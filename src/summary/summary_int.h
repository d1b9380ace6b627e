/* What the files of summary/ share. */
#ifndef CLEW_SUMMARY_INT_H
#define CLEW_SUMMARY_INT_H

#include "expr/cases.h"
#include "summary/summary.h"
#include "isolate/isolate.h"

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
    uint8_t kind;           /* FactKind */
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
    bool in_place; /* it cannot be summarised: a call that comes there is executed in place */
    bool borrowed; /* from an earlier campaign, and not executed since */
} Leaf;

typedef Vec(Expr) Vec_exprs;

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
    Vec_exprs comparisons;
    Map indexes; /* variables that positions in memory are computed from -> version of the tree since when */
    uint32_t version;
    uint32_t since; /* the first version that knows of indexes noted now */
    SummaryFacts facts;
    char *why;
    uint32_t failures; /* contexts in which it could not be summarised */
    uint32_t in_place; /* leaves that are */
    uint32_t outside;  /* … of these, for something that holds for every caller, too */
    bool completed;    /* a call was, by it */
    uint32_t weight;   /* expressions that its paths are made of */
    bool flat;         /* of an earlier campaign: without meanings */
    bool recursive;    /* … it may call itself */
    bool several;      /* … there are several ways to its end */
} Tree;

typedef enum PlaceKind { PLACE_BRANCH, PLACE_RETURN, PLACE_END, PLACE_IN_PLACE, PLACE_MISSING } PlaceKind;
typedef struct Place { /* a node of the tree as it is there: what is decided is left out */
    uint8_t kind;
    bool is_yes;         /* of the parent */
    bool is_lost;        /* what is missing is not looked for: too many values */
    Expr condition;      /* of a branch, in the function's inputs */
    uint32_t yes, no;    /* places; those below have higher numbers */
    uint32_t leaf;       /* 0: none */
    uint32_t node, side; /* of a branch; of what is missing: the node, and its newest side */
    uint32_t parent;     /* place; UINT32_MAX: none */
    uint32_t writes;     /* of a place that returns: where it writes, in Walk.addresses */
} Place;
typedef Vec(Place) Places;

/* ---- calls as functions (shape.c) ----
 * What a completed call gives its caller is a function of what it reads.  Its shape is that function: the tree as it is in this state, and for
 * every place that returns the values.  In a caller that is itself being summarised each value is a variable, which means the shape with
 * the actual values: it is taken apart only where those are known (instance.c), so that the caller's own paths stay small. */
/* First when it comes to which places, then the results, what is written to the segments, and for each of these when it is. */
enum { OUTPUT_RETURNS /* if it is not executed in place */, OUTPUT_ENDS, OUTPUT_IN_PLACE, OUTPUT_MISSING, OUTPUT_VALUES };

typedef struct Segment { /* of memory that is written on some path */
    uint64_t address;
    uint32_t bytes;
    Expr old; /* what was there, in the caller's view, if a path that returns does not write it; 0: all do */
} Segment;
typedef Vec(Segment) Vec_segments;

typedef struct Uses {           /* the actual values that an output depends on */
    uint32_t count, bystanders; /* so many of them, which come first, do not decide the way */
    uint32_t number[];
} Uses;

typedef struct Shape {
    const Tree *tree;
    uint64_t hash;
    Places places;
    uint32_t first;
    Vec_exprs variables; /* for each actual value */
    Vec(bool) by_case;   /* which actual values are taken case by case */
    Vec(bool) decides;   /* which ones decide the way through the places */
    uint32_t result_count, segment_count;
    Vec_exprs values; /* by result and segment, then by place; 0: none */
    Vec(Uses *) uses; /* by output; NULL: not asked for yet */
} Shape;

typedef struct Meaning { /* of a variable: an output of a call */
    const Shape *shape;
    uint32_t actuals; /* in Meanings.actuals */
    uint32_t output;
} Meaning;

typedef struct Meanings { /* of variables of one pool */
    Map by_content, by_variable;
    Vec(Meaning) all;
    Vec_exprs actuals;
} Meanings;
void meanings_release(Meanings *meanings);
const Meaning *meaning_of(const Meanings *meanings, Expr variable); /* NULL: none */
/* The variable that means it, made where there is none. */
Expr meaning_variable(const Summaries *summaries, Meanings *meanings, ExprPool *pool, const Shape *shape, const Expr *actuals,
                      uint32_t output);

/* A call on the way, for later executions of the same path: which version of its tree was used. */
typedef struct Used {
    uint32_t fact; /* the caller had so many facts */
    uint64_t position;
    uint32_t version;
} Used;

/* The facts of the path being executed, from the first on, as far as they are in the tree. */
typedef struct WayStep {
    uint32_t node, side;
    uint32_t bases; /* behind it */
} WayStep;

typedef struct Way {
    Vec(WayStep) steps;
    Vec(char *) bases;  /* their names */
    uint32_t first_new; /* step that was not in the tree before the path was added; UINT32_MAX: none */
    bool contradicts;
} Way;
void way_cut(Way *way, uint32_t count); /* all but the first so many facts are undone */
void way_release(Way *way);

/* A call that is being explored, in one calling state. */
typedef struct Call Call;
typedef struct Instances Instances;
struct Call {
    Summaries *summaries;
    struct Call *caller; /* NULL: none is isolated */
    Tree *tree;
    IsolatedSession session;
    VmMark before; /* anything was said of it on the path */
    VmMark mark;
    uint32_t path;             /* conditions of the path when it was made */
    ExprTranslation into_view; /* the tree's expressions to those of the caller's view */
    ExprTranslation from_view; /* the machine's expressions to those of the tree */
    bool foreign;              /* an expression had a variable that is none of the function's */
    Map refuted;               /* what is missing in the tree and does not exist in this state */
    Map held;                  /* condition -> does it hold in this state? */
    Vec(Used) used;            /* calls of the path being executed */
    Way way;                   /* … and its facts */
    Instances *here;           /* its own shapes, in this state */
    Meanings meanings;         /* of variables of its view: what calls in it have given */
    Vec_exprs parts;
    bool borrowed; /* the path being executed is known, and was not executed since it was loaded */
    uint32_t runs;
    uint64_t id;   /* never used twice */
    char why[192]; /* it cannot be summarised here */
};

typedef Vec(SolveValue) Vec_values;

/* ---- what an expression of a tree depends on (depend.c) ---- */
typedef struct Depends {
    Map known; /* expression -> set */
    Vec(Vec_exprs) sets;
} Depends;
void depends_release(Depends *depends);

struct Summaries {
    const Program *program;
    Vm *vm;
    Isolation *isolation;
    Solver *solver;
    SummaryOptions options;
    ExprPool *pool;
    Vec(Tree *) trees;
    Map by_function;
    Vec(Call *) calls; /* outermost first */
    Map versions;      /* position of a call in a tree -> version of the callee's tree that was used there */
    Map own_versions;  /* the same of calls that the program itself makes, by their position on its path */
    Map explored;      /* position of a call, in an exploration of its caller */
    uint64_t explorations;
    Vec(Expr) context, assumptions;
    Map undefs; /* width -> expression */
    Vec(Shape *) shapes;
    Map by_content;    /* shapes */
    Meanings meanings; /* of variables of trees */
    Depends *depends;
    Instances *instances;      /* in the program's inputs */
    Instances *flat;           /* in the inputs of functions */
    Map scanned;               /* expressions that were looked through for indexes */
    Map known_bugs;            /* found in isolation */
    Vec(Vec_values) witnesses; /* inputs of runs that show something new, to be executed as a whole */
    VmMark trial;              /* before the call that is on trial */
    uint64_t work;
    bool stopped, used;
};

Tree *summary__tree(Summaries *summaries, const Function *function);
void tree_free(Tree *tree);
const char *summary__never(const Tree *tree); /* why it cannot be summarised, whatever the context; NULL: it may */
/* Adds the path that was executed last; with `in_place` it ends in a leaf that is executed in place, as far as the path went.  False: it contradicts the tree. */
bool tree_add_path(Call *call, const VmStop *stop, bool in_place);
/* The facts so far of the path at hand: the side they lead to, 0 at the start; *known: the tree has them all. */
uint32_t tree_follow(Call *call, bool *known);
Expr summary__foreign(void *call, Expr variable);   /* a variable that is none of the function's */
Expr summary__undef(void *call, unsigned width);    /* always the same: what is said twice is then the same expression */
void summary__say_why(Tree *tree, const char *why); /* it is executed in place */
uint64_t summary__position_key(const Tree *tree, uint32_t side, uint64_t position);

/* Which of the tree's variables positions in memory are computed from. */
void summary__note_indexes(Summaries *summaries, Tree *tree, Expr e);
void summary__note_index(Summaries *summaries, Tree *tree, Expr index); /* … this one */
void summary__push_operands(const ExprPool *pool, Expr e, Vec_exprs *work);

void depends_mark(const Summaries *summaries, Expr e, Map *marked); /* its inputs */

/* ---- text (print.c) ---- */
typedef struct Where { /* a place as facts name it */
    uint32_t base;
    int64_t offset;
    uint64_t bytes;
    const char *base_name;
} Where;
void summary__place_name(const Summaries *summaries, const Tree *tree, const Where *where, StrBuf *out);

/* ---- the tree in one calling state (walk.c) ---- */
typedef struct WalkBase {
    uint64_t address, key;
    Expr actual;
} WalkBase;

typedef struct Walk {
    Call *call;
    uint32_t version;
    Vec(WalkBase) bases;
    Vec(uint64_t) addresses;
    Map bound;
    Vec_exprs variables, actuals; /* inputs that were read, and what they are in the caller's view */
    Places places;
    uint32_t first;
    const char *unfit; /* why the tree cannot be used here; NULL: it can */
    uint32_t instead;  /* the place that the next one takes; UINT32_MAX: none */
    bool is_on_path;   /* it follows the path that was executed last, … */
    uint32_t step;     /* … from this step of it on */
} Walk;
void walk_tree(Walk *walk, Call *call, uint32_t version);
/* The path that was executed last is in the tree now: so it is here.  False: the tree has to be walked anew. */
bool walk_extend(Walk *walk);
void walk_release(Walk *walk);

/* ---- the calling state and the solver (context.c) ---- */
#define PROOF_EFFORT UINT64_C(20000000000) /* that there is no other path: else the function is executed in place, and its paths multiply */
void context_collect(Summaries *summaries, uint32_t length); /* the conditions of the path up to a length are what the solver knows */
void context_leave(Summaries *summaries, uint64_t effort);   /* it knows nothing */
SolveAnswer context_ask(Summaries *summaries, const Expr *conditions, uint32_t count);
void inputs_take(Summaries *summaries); /* the model becomes the solver's */
Vec_values inputs_keep(const Summaries *summaries);
void inputs_set(Summaries *summaries, const Vec_values *values);

/* ---- what is missing (missing.c) ---- */
void call_fail(Call *call, const char *why); /* it cannot be summarised here */
/* Finds inputs for a path that the tree does not have; the machine's model is then one (`another` than it was).  False: there is none in
 * this state. */
bool missing_find(Walk *walk, bool *another);

/* ---- outputs (shape.c) ---- */
/* The actual values, in the caller's view, and the segments as they are in this state, are added. */
const Shape *shape_of(Summaries *summaries, const Walk *walk, Vec_exprs *actuals, Vec_segments *segments);
Shape *shape_of_places(Summaries *summaries, const Walk *walk, Vec_exprs *actuals); /* without values; the caller's own */
void shape_free(Shape *shape);
void shape_merge_places(Shape *shape);                         /* merge.c; its places have no parents, nodes and leaves afterwards */
const Expr *shape_values(const Shape *shape, uint32_t output); /* at each place */
const Uses *shape_uses(const Summaries *summaries, const Shape *shape, uint32_t output);
/* The actual values of a meaning in another view; 0 for those that it does not depend on. */
void meaning_actuals(const Meanings *meanings, Meaning meaning, ExprTranslation *into, Vec_exprs *actuals);
/* In the view of a call that is being explored; NULL: in the program's inputs.  0: no path gives it. */
Expr shape_output(Summaries *summaries, Call *view, const Shape *shape, const Expr *actuals, uint32_t output);
/* What a variable of a tree means, in that view; `into`: the tree's expressions to those of the view. */
Expr shape_given(Summaries *summaries, Call *view, ExprTranslation *into, Expr variable);
/* Completes the call at hand. */
void shape_complete(Summaries *summaries, const Shape *shape, const Expr *actuals, const Vec_segments *segments);

/* ---- shapes with actual values (instance.c) ---- */
typedef struct Into { /* a translation from the pool of the trees */
    Instances *all;
    ExprTranslation translation;
} Into;
typedef struct Fork { /* a place that is reached, where the way is not decided */
    uint32_t place;
    uint32_t yes, no; /* forks below it, which have lower numbers; of a branch */
} Fork;
typedef struct Instance Instance;
struct Instance {
    const Shape *shape;
    Instances *all;
    Expr *actuals;              /* those that decide the way */
    uint32_t split, case_count; /* the actual value that is taken case by case; 0: none is */
    ExprCase *cases;
    Instance **each;
    Into *into;
    Expr *conditions; /* of branches that are reached; 0: it is not */
    bool *reached;
    Fork *forks; /* from the last place up to the first one */
    uint32_t fork_count;
    Expr ways[OUTPUT_VALUES]; /* 0: not asked for yet */
    Map by_content;           /* values that were asked for */
};
struct Instances {
    const Summaries *summaries;
    ExprPool *pool;
    bool by_case;
    uint32_t most;       /* expressions of the pool; 0: any number */
    bool exceeded;       /* there would be more */
    uint64_t generation; /* of the pool */
    ExprCases cases;
    Map by_content;
    Vec(Instance *) list;
    Vec(Into *) intos;
    bool of_one_call;    /* every instance is of the same call in the same state */
    Map into_of;         /* … cases taken -> translation */
    uint64_t taken;      /* the cases taken so far */
    uint64_t work;       /* done in looking for equal ones */
    Map chosen;          /* instance -> is it made case by case? */
    uint32_t case_count; /* of all that are */
    Map impossible;      /* way -> is it, whatever the inputs?  See missing.c. */
};
void instances_init(Instances *all, const Summaries *summaries, ExprPool *pool, bool by_case);
void instances_release(Instances *all);
void instances_clear(Instances *all); /* no instance is left; what was translated is kept */
enum { MOST_COMBINED = 512 /* cases of several values together */ };
Instance *instance_of(Instances *all, const Shape *shape, const Expr *actuals, uint32_t most);
Expr instances_output(Instances *all, const Shape *shape, const Expr *actuals, uint32_t output); /* 0: no path gives it */
/* The expression with what its variables mean, in the same pool. */
Expr instances_expand(Instances *all, Expr e);

#endif
