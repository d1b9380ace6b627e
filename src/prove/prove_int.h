/* What the files of prove/ share. */
#ifndef CLEW_PROVE_INT_H
#define CLEW_PROVE_INT_H

#include "analyse/facts.h"
#include "analyse/objects.h"
#include "expr/expr.h"
#include "prove/prove.h"
#include "solve/solve.h"

/* ---- checker.c ---- */
typedef struct CheckerTold {
    void *data;
    void (*accepted)(void *data, uint32_t id);
    void (*dropped)(void *data, uint32_t node); /* number of a node, from 0, that does not hold; all are told before the first branch */
    uint64_t work;                              /* that it has done, in its units of about a millisecond */
    bool unfinished;                            /* clew-check spent its budget before it had asked everything */
} CheckerTold;
/* Runs clew-check and passes on what it says.  `budget` is in units of clew-check's work (docs/proofs.md), so that a hard certificate ends; `deadline` is a time
 * of clock_seconds, and 0 stands for no deadline. */
Status prove__run_checker(const char *certificate, uint64_t budget, double deadline, CheckerTold *told, Error *error);

/* ---- prune.c ---- */
typedef Vec(uint32_t) Numbers;
/* Writes the certificate again without nodes that do not hold and with those branches only that were accepted. */
Status prove__prune(const char *certificate, const Numbers *dropped, const Numbers *accepted, Error *error);
Status prove__hash_file(const char *path, uint64_t *hash, Error *error); /* 64-bit FNV-1a of its bytes; prove.c */

/* ---- vars.c: what predicates speak of, as variables of expressions ---- */
typedef enum VarKind {
    VAR_REGISTER, /* of a function that is being executed */
    VAR_LOCAL,    /* one byte of a local variable in memory */
    VAR_GLOBAL,   /* one byte of a global variable */
    VAR_RESULT,   /* what the function returns, at its exit */
    VAR_MEMORY,   /* the byte at an address that is not known to be in a tracked object */
    VAR_ADDRESS,  /* of a global variable or function */
    VAR_INPUT     /* anything: an input, an uninitialised value, a result of other code */
} VarKind;
typedef struct VarInfo {
    VarKind kind;
    uint32_t depth;    /* REGISTER, LOCAL: 0 in the function that the location is in, 1 in its caller, … */
    uint32_t function; /* REGISTER, RESULT */
    uint32_t index;    /* register; object of the Memory; of MEMORY the address, an Expr; symbol of the program */
    uint32_t offset;   /* of a byte in its object */
} VarInfo;
typedef struct Vars {
    const Program *program;
    const Memory *memory;
    ExprPool *pool;
    Map numbers;        /* what a variable stands for -> the variable */
    Vec(VarInfo) infos; /* per variable of the pool */
    uint32_t **widths;  /* per function and register: bits, 0: not known or different ones; made when needed */
    Map flags;          /* per expression: HAS_… */
} Vars;
enum {
    HAS_INPUT = 1,
    HAS_STATE = 2,
    HAS_UNNAMED = 4 /* something that certificates have no word for */,
    HAS_ADDRESS = 8 /* of an object */
};
void vars_init(Vars *vars, const Program *program, const Memory *memory);
void vars_release(Vars *vars);
Expr vars_get(Vars *vars, VarInfo info, unsigned width);
Expr vars_input(Vars *vars, unsigned width);
static inline const VarInfo *vars_info(const Vars *vars, Expr var)
{
    return &vec_at(&vars->infos, expr_var_index(vars->pool, var));
}
uint32_t vars_width(Vars *vars, uint32_t function, uint32_t reg); /* 0: the register holds no number of one width up to 64 */
unsigned vars_flags(Vars *vars, Expr e);
/* An address as an object and a place in it. */
typedef struct Spot {
    uint32_t object; /* number + 1 in the Memory; 0: it is not known */
    uint32_t depth;  /* of the frame that the local variable belongs to */
    uint64_t offset;
} Spot;
Spot vars_spot(const Vars *vars, Expr address);
uint32_t vars_function(const Vars *vars,
                       Expr address); /* number + 1 of the function whose address it is; 0: none that the program defines */
Expr vars_address(Vars *vars, uint32_t object, uint32_t depth, uint64_t offset);
/* The variable that the address is a constant away from; *offset: how far.  0: it is a constant itself. */
Expr vars_base(const Vars *vars, Expr address, uint64_t *offset);

/* ---- segment.c: straight code from a state of which nothing is known ---- */
/* What happens to memory, in order. */
typedef enum ChangeKind {
    CHANGE_WRITE,
    CHANGE_POINTER, /* a write to the address `variable`, which is in no tracked object that is known */
    CHANGE_OBJECT,  /* the object holds anything */
    CHANGE_ESCAPED, /* all objects hold anything that pointers which are not followed may lead to */
    CHANGE_GLOBALS  /* these and globals that code outside may change */
} ChangeKind;
typedef struct Change {
    ChangeKind kind;
    uint32_t object;
    uint64_t offset, size;
    Expr variable; /* of WRITE: bytes from offset + variable on; 0: none.  Of POINTER: the address. */
    Expr value;    /* of WRITE and POINTER; 0: anything */
    bool aligned;  /* of POINTER: the address is a multiple of the size, or the behaviour is undefined */
} Change;
typedef struct Demand {
    Expr condition; /* that holds unless the instruction's behaviour is undefined */
    uint32_t origin;
} Demand;
typedef struct Choice {
    uint32_t branch; /* of a `?:`: its true outcome */
    Expr condition;
} Choice;
typedef struct Segment {
    uint32_t function, block, first,
        end;       /* instructions from `first` to before `end`, which is a call of the program's own code or the terminator */
    Map registers; /* that were written -> value */
    Vec(Change) changes;
    Map unknown; /* bytes that changes have made unknown -> input */
    Vec(Expr) assumed;
    Vec(Demand) demands;
    Vec(Choice) choices;
    bool dead; /* execution does not come to the end */
} Segment;
void segment_execute(Vars *vars, Segment *segment);
void segment_release(Segment *segment);
/* The value of an operand at the end of the segment, over the state at its start; 0: it is not one number. */
Expr segment_operand(Vars *vars, const Segment *segment, Operand operand, unsigned width);
/* The initial value of a byte of a global variable; 0: it is not known. */
Expr segment_initial(Vars *vars, uint32_t object, uint32_t offset);
/* What a variable of a state at the end of the segment is in terms of the state at its start.  Of MEMORY, `address` is the address in these terms. */
Expr segment_before(Vars *vars, Segment *segment, const VarInfo *info, Expr var, Expr address);
bool segment__is_cut(const Program *program, const Function *function, const Instr *instr);

/* ---- backward.c ---- */
typedef struct CallPlace {
    uint32_t function, call; /* the call is the index of its instruction in the code */
} CallPlace;
typedef struct Stack { /* the innermost calls that are known of a stack; number 0: nothing is */
    CallPlace site;
    uint32_t below, depth;
} Stack;
typedef struct RState { /* a reachability condition: from these states at this location the target can be reached */
    uint32_t function, location, stack;
    uint32_t first, count; /* of its conditions */
    uint32_t next;         /* + 1: at the same location */
    uint32_t parent;       /* + 1: the state that this one leads into */
    bool done;             /* what leads into it was looked at, or another state includes it */
    bool included;         /* another state at the location includes it */
    uint32_t included_by;  /* that one's number */
    bool rejected;         /* clew-check did not accept it */
    bool with_demands;     /* of one that initial states satisfy: undefined behaviour does not exclude that */
} RState;
typedef struct BackwardOptions {
    const uint32_t *entries;
    uint32_t entry_count;
    bool whole;
    Analysis *analysis; /* without contexts and partitions: what it knows is used, and becomes part of the certificate; NULL: none */
    uint64_t effort;    /* of one question to the solver */
    double deadline;
} BackwardOptions;
typedef struct BackwardStats {
    uint64_t states, questions, proved, failed;
} BackwardStats;
typedef struct Backward Backward;
Backward *backward_new(const Program *program, const BackwardOptions *options); /* NULL: the program is not supported */
void backward_free(Backward *b);
/* PROVED: no state from which the branch can be taken is reached.  OPEN: some seem to be.  UNFINISHED: the work, in units of about a nanosecond, was not enough. */
typedef enum BackwardAnswer { BACKWARD_PROVED, BACKWARD_OPEN, BACKWARD_UNFINISHED } BackwardAnswer;
BackwardAnswer backward_prove(Backward *b, uint32_t branch, uint64_t work);
uint64_t backward_work(const Backward *b); /* so far, in units of about a nanosecond */
const BackwardStats *backward_stats(const Backward *b);
const char *backward_failure(const Backward *b); /* why the last branch was not proved; NULL: it was */
/* The certificate for branches that were proved, with the R-states that they rest on; gives the number of its nodes. */
uint32_t backward_certificate(Backward *b, const uint32_t *branches, const uint32_t *ids, uint32_t count, uint64_t bitcode_hash,
                              StrBuf *out);
/* clew-check did not accept nodes of the last certificate (numbers from 0): no branch will rest on these R-states any more. */
void backward_forget_nodes(Backward *b, const uint32_t *nodes, uint32_t count);

/* ---- write.c ---- */
void write_condition(Vars *vars, Expr condition, StrBuf *out);

#endif
