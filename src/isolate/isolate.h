/* isolate: code executed as if its inputs could be anything.
 *
 * An Isolation observes a machine (vm/observer.h).  While it watches, a call of a function that decides something stops the run (VM_CALL), and the caller of
 * vm_run says what becomes of the call: it is executed in place, or in isolation to see what one path of it does, or it is completed with results
 * that are known.
 *
 * In isolation every argument, and every place that is read before the function has written it, is an input of the function: a variable with the value
 * that the place has in the calling state, or, where that value is a constant, the constant itself.  What the path depends on is recorded as facts, in
 * order.  Places are named relative to bases: the function's pointer arguments, pointers it has read, objects it names itself.  Equal facts lead to equal
 * behaviour, so the facts of all paths form a tree.
 *
 * Isolated calls nest.  Inside one, the view is that of the function: its variables, not the program's inputs; the root of an expression is what it is in
 * the program's inputs.  Everything is undone by vm_return to a mark made before. */
#ifndef CLEW_ISOLATE_H
#define CLEW_ISOLATE_H

#include "vm/observer.h"

typedef struct Isolation Isolation;

/* ---- what a path depends on and does ---- */
typedef enum FactKind {
    FACT_READ,      /* an argument, or `bytes` at a place, were read in some form */
    FACT_PLACE,     /* the object of address `value` was named: `base` stands for it */
    FACT_SAME,      /* of all bases so far, `other` is the first in the object of `base`, which is `offset` bytes behind it */
    FACT_ACCESS,    /* `bytes` at a place were accessed, and how that went */
    FACT_SIZE,      /* the object of `base` begins `offset` bytes before it and ends `bytes` bytes behind it */
    FACT_LIMIT,     /* the object of `base` has an end that depends on inputs: `variable` */
    FACT_CONDITION, /* a condition was recorded */
    FACT_KINDS
} FactKind;

typedef enum FactForm {
    FORM_VALUE,     /* the constant `value` */
    FORM_INPUT,     /* anything: `variable` */
    FORM_POINTER,   /* an address in an object: `variable`, and the base `made` */
    FORM_CURSOR,    /* an address in an object at an offset that depends on inputs: base `made` (the object's start) plus `variable` */
    FORM_UNDEFINED, /* nothing was written there */
    FORM_BYTES,     /* partly written: byte by byte, which are facts of their own */
} FactForm;

#define ARGUMENT_BASE UINT32_MAX /* as a base: `offset` is the number of the argument, `bytes` its width in bits */
enum { ACCESS_FINE, ACCESS_LIMITED, ACCESS_BUG /* plus BugKind */ };

typedef struct IsolatedFact {
    uint8_t kind, form;
    uint8_t outcome; /* of ACCESS */
    bool write;
    uint32_t base, other, made;
    int64_t offset;
    uint64_t bytes;
    U128 value;
    Expr variable, object; /* object: of CURSOR, the variable of the base */
    uint32_t condition;    /* number on the path */
    Expr ends;             /* of a completed call: when the program ends in it; 0: never */
    bool whole;            /* of a completed call: nothing else can happen in it */
} IsolatedFact;

/* Something the path has written, as it is at the end, in the function's view. */
typedef struct IsolatedWrite {
    uint32_t base;
    int64_t offset;
    uint32_t bytes;
    Expr value;
} IsolatedWrite;

/* What places are named by. */
typedef struct IsolatedBase {
    uint64_t address;
    uint64_t key; /* the same in every calling state */
    /* The isolation's own. */
    uint64_t start; /* of its object, 0: it points to none */
    Expr variable;  /* 0: an object that the function names itself */
    Expr limit;     /* of its object, 0: not asked for */
    bool resolved, sized;
    int64_t low, high, write_low, write_high; /* what is known to be accessible */
} IsolatedBase;

typedef struct IsolatedPath {
    const IsolatedFact *facts;
    const IsolatedBase *bases;
    const Expr *results; /* this and what follows: after VM_RETURNED */
    const IsolatedWrite *writes;
    uint32_t fact_count, base_count, result_count, write_count;
    uint32_t level; /* how many isolated calls there are now; 0: there is no path */
} IsolatedPath;

/* ---- inputs ---- */
typedef struct IsolatedInput { /* of a function in one calling state */
    Expr variable;
    Expr actual; /* in the caller's view */
    Expr root;
    uint64_t key; /* of the place; the same in every calling state */
} IsolatedInput;

/* The isolated executions of a call in one calling state share their variables. */
typedef struct IsolatedSession {
    const Map *general; /* places (isolation_place_key) that are inputs even where they are constant, unless no one can write there */
    bool (*holds)(void *data, Expr condition);  /* in the calling state; a root */
    Expr (*meaning)(void *data, Expr variable); /* root of a variable of this view that stands for what a call has given; 0: it does not */
    uint32_t (*parts)(void *data, Expr variable, const Expr **list); /* what that is made of, in this view; 0: it does not */
    void *data;
    bool astray; /* an argument may point anywhere */
    /* The isolation's own. */
    Vec(IsolatedInput) inputs;
    Map by_key, by_variable;
    ExprTranslation roots;
} IsolatedSession;
void isolated_session_release(IsolatedSession *session);

/* ---- watching ---- */
/* The machine's observer from now on.  Functions are watched once something symbolic was decided in them; `top` never is. */
Isolation *isolation_new(Vm *vm, const Function *top);
void isolation_free(Isolation *isolation);
void isolation_watch(Isolation *isolation, bool watching); /* false: all calls are executed in place, for now */
bool isolation_call_matters(const Isolation *isolation);   /* is anything decided after the call at hand? */
uint64_t
isolation_position(const Isolation *isolation); /* of the call on the path; in isolation: among those that have the same facts before */
/* vm_run then executes the call.  On trial the run stops (VM_DECIDES) if a condition is recorded before the call returns. */
void isolation_call_in_place(Isolation *isolation, bool on_trial);

/* ---- executing a call in isolation ---- */
/* Is it a pointer that the innermost isolated function was given, or an address, plus a constant? */
bool isolation_is_plain(const Isolation *isolation, Expr pointer);
/* Arguments that are pointers of unknown target are settled, as conditions of the caller.  `always`: also that one of them may point anywhere
 * (session->astray), of which nothing is said otherwise.  False: the run has stopped. */
bool isolation_settle_arguments(Isolation *isolation, IsolatedSession *session, bool always);
void isolation_enter(Isolation *isolation, IsolatedSession *session); /* vm_run then executes it, until VM_RETURNED or another end */
IsolatedPath isolation_path(const Isolation *isolation);              /* of the innermost call */
typedef enum Unfit {
    UNFIT_HERE,   /* in this calling state */
    UNFIT_ALWAYS, /* any path that depends on the same facts is */
    UNFIT_OUTSIDE /* … and so are those of the callers: it depends on more than the program's memory */
} Unfit;
const char *isolation_unfit(const Isolation *isolation, Unfit *how); /* why the path cannot be part of a summary; NULL: it can */
void isolation_leave(Isolation *isolation,
                     const char *why); /* ends the path here, because a call inside came to a leaf that is UNFIT_OUTSIDE */
uint32_t isolation_new_branches(const Isolation *isolation);          /* how many were reached in isolation only */
void isolation_forget_branches(Isolation *isolation, uint32_t count); /* all but the first so many of them */

/* ---- the calling state, seen from outside: after vm_return, at VM_CALL.  What is looked at is what the calls around depend on ---- */
uint64_t isolation_place_key(uint64_t base_key, int64_t offset, uint64_t bytes);
Expr isolation_root(Isolation *isolation, Expr e); /* of an expression in the present view */
uint64_t isolation_follow(Isolation *isolation,
                          Expr pointer); /* the address that a pointer in the present view has: its object is named by it */
/* What is at a place: whole expression; *undefined: bytes were never written (bit set). */
Expr isolation_look(Isolation *isolation, uint64_t address, uint32_t bytes, uint32_t *undefined);
/* Says how an access goes (ACCESS_…), and notes that the calls around depend on it from now on. */
unsigned isolation_access(Isolation *isolation, uint64_t base, int64_t offset, uint64_t bytes, bool write);
Expr isolation_bounds(Isolation *isolation, uint64_t address); /* where its object ends, if that depends on inputs; else 0 */
Expr isolation_start(Isolation *isolation, uint64_t address);  /* of the object, in the present view */

/* ---- completing the call ---- */
/* Whether the call is executed in place or completed depends on inputs: the condition, or its negation, holds under the model.  That divides the path like
 * a branch does. */
void isolation_divide(Isolation *isolation, Expr in_place);
typedef struct IsolatedOutcome {
    Expr returns, ends; /* the conditions under which it returns and the program ends in it; 0: always, never */
    bool whole;         /* nothing else can happen */
    const Expr *results;
    uint32_t result_count;
} IsolatedOutcome;
void isolation_complete(Isolation *isolation, const IsolatedOutcome *outcome);
void isolation_put(Isolation *isolation, uint64_t address, uint32_t bytes, Expr value); /* what it has written */
void isolation_say(Isolation *isolation,
                   Expr condition); /* on the path: it does not return, or what happens in it is not known, under this condition */

#endif
