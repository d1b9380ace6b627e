/* isolate: one call executed as if the function's inputs could be anything.
 *
 * While a machine watches a function, a call of it stops the run (VM_CALL) and the caller of vm_run decides: execute it in place, execute it in
 * isolation to see what one path of it does, or complete the call with results that are known.
 *
 * In isolation every argument, and every place that is read before the function has written it, is an input of the function: a variable with the value
 * that the place has in the calling state, or, where that value is a constant, the constant itself.  What the path depends on is
 * recorded as facts, in order.  Places are named relative to bases: the function's pointer arguments, pointers it has read, objects
 * it names itself.  Equal facts lead to equal behaviour, so the facts of all paths form a tree.
 *
 * Isolated calls nest.  Inside one, the view is that of the function: its variables, not the program's inputs; `root` is what an expression of a
 * view is in the program's inputs.  Everything is undone by vm_return to a mark made before. */
#ifndef CLEW_VM_ISOLATE_H
#define CLEW_VM_ISOLATE_H

#include "vm/vm.h"

/* ---- facts ---- */
typedef enum VmFactKind {
    FACT_READ,      /* an argument, or `bytes` at a place, were read in some form */
    FACT_PLACE,     /* the object of address `value` was named: `base` stands for it */
    FACT_SAME,      /* of all bases so far, `other` is the first in the object of `base`, which is `offset` bytes behind it */
    FACT_ACCESS,    /* `bytes` at a place were accessed, and how that went */
    FACT_SIZE,      /* the object of `base` begins `offset` bytes before it and ends `bytes` bytes behind it */
    FACT_LIMIT,     /* the object of `base` has an end that depends on inputs: `variable` */
    FACT_CONDITION, /* a condition was recorded */
    FACT_KINDS
} VmFactKind;

typedef enum VmForm {
    FORM_VALUE,     /* the constant `value` */
    FORM_INPUT,     /* anything: `variable` */
    FORM_POINTER,   /* an address in an object: `variable`, and the base `made` */
    FORM_CURSOR,    /* an address in an object at an offset that depends on inputs: base `made` (the object's start) plus `variable` */
    FORM_UNDEFINED, /* nothing was written there */
    FORM_BYTES,     /* partly written: byte by byte, which are facts of their own */
} VmForm;

#define ARGUMENT_BASE UINT32_MAX /* as a base: `offset` is the number of the argument, `bytes` its width in bits */
enum { ACCESS_FINE, ACCESS_LIMITED, ACCESS_BUG /* plus BugKind */ };

typedef struct VmFact {
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
} VmFact;

/* Something the path has written, as it is at the end, in the function's view. */
typedef struct VmWrite {
    uint32_t base;
    int64_t offset;
    uint32_t bytes;
    Expr value;
} VmWrite;

/* An input of a function in one calling state. */
typedef struct VmFormal {
    Expr variable;
    Expr actual; /* in the caller's view */
    Expr root;
    uint64_t key; /* of the place; the same in every calling state */
} VmFormal;

/* The isolated executions of a call in one calling state share their variables. */
typedef struct VmSession {
    const Map *general; /* places (vm_place_key) that are inputs even where they are constant, unless no one can write there */
    bool (*holds)(void *data, Expr condition);  /* in the calling state; a root */
    Expr (*meaning)(void *data, Expr variable); /* root of a variable of this view that stands for what a call has given; 0: it does not */
    uint32_t (*parts)(void *data, Expr variable, const Expr **list); /* what that is made of, in this view; 0: it does not */
    void *data;
    bool astray; /* an argument may point anywhere */
    /* The machine's own. */
    Vec(VmFormal) formals;
    Map by_key, by_variable;
    ExprTranslation roots;
} VmSession;
void vm_session_release(VmSession *session);

/* ---- calls ---- */
void vm_watch_functions(Vm *vm, const Function *top); /* from now on; functions are watched once something symbolic was decided in them */
void vm_watch(Vm *vm, bool watching);                 /* false: all calls are executed in place, for now */
void vm_decline(Vm *vm, const Function *function);    /* never again */
const VmStop *vm_stop(const Vm *vm);                  /* of the last vm_run */
const Function *vm_call_target(const Vm *vm);         /* after VM_CALL */
bool vm_watch_callers(Vm *vm);                        /* true: functions around the call are watched now that were not */
bool vm_call_is_recursive(const Vm *vm);
bool vm_is_making(const Vm *vm);    /* is it inside of a harness's code that makes an object by the project's functions (unit/made.c)? */
bool vm_call_matters(const Vm *vm); /* is anything decided after it? */
void vm_call_in_place(Vm *vm);      /* vm_run then executes it */
void vm_call_on_trial(Vm *vm);      /* the same, until it returns; VM_DECIDES if a condition is recorded in it */
/* Is it a pointer that the innermost isolated function was given, or an address, plus a constant? */
bool vm_is_plain(const Vm *vm, Expr pointer);
/* Arguments that are pointers of unknown target are settled, as conditions of the caller.  `always`: also that one of them may point anywhere
 * (session->astray), of which nothing is said otherwise.  False: the run has stopped. */
bool vm_settle_arguments(Vm *vm, VmSession *session, bool always);
/* vm_run then executes it in isolation, until VM_RETURNED or another end. */
void vm_go_on_isolated(Vm *vm); /* after vm_return to a state inside the isolated call */
void vm_isolate(Vm *vm, VmSession *session);
uint32_t vm_level(const Vm *vm);      /* how many isolated calls there are now */
const char *vm_unfit(const Vm *vm);   /* why the path cannot be part of a summary; NULL: it can */
bool vm_unfit_always(const Vm *vm);   /* … in no other state either */
uint32_t vm_fact_count(const Vm *vm); /* of the innermost */
const VmFact *vm_fact(const Vm *vm, uint32_t i);
uint32_t vm_isolated_results(const Vm *vm, const Expr **values); /* after VM_RETURNED */
uint32_t vm_isolated_writes(const Vm *vm, const VmWrite **writes);
const char *vm_name_of_global(const Vm *vm, uint64_t start); /* for people */
uint64_t vm_global_address(const Vm *vm, const char *name);  /* 0: there is none */
bool vm_is_address(uint64_t value);                          /* could it be one of the guest's, of data or code? */
bool vm_is_readonly(const Vm *vm, uint64_t address);
uint32_t vm_isolated_new(const Vm *vm);            /* branches that were reached in isolation only */
void vm_isolated_forget(Vm *vm, uint32_t count);   /* all but the first so many of them */
uint64_t vm_base_key(const Vm *vm, uint32_t base); /* of the innermost isolated call */
uint64_t vm_base_address(const Vm *vm, uint32_t base);
uint64_t vm_place_key(uint64_t base_key, int64_t offset, uint64_t bytes);

/* ---- the calling state, seen from outside: after vm_return, at VM_CALL ---- */
Expr vm_undefined(Vm *vm, unsigned width); /* always the same */
Expr vm_root(Vm *vm, Expr e);              /* of an expression in the present view */
Expr vm_call_argument(Vm *vm, uint32_t i); /* in the width of the parameter */
uint64_t vm_position(const Vm *vm);        /* of the call on the path; in isolation: among those that have the same facts before */
/* What is at a place: whole expression; *undefined: bytes were never written (bit set). */
Expr vm_look(Vm *vm, uint64_t address, uint32_t bytes, uint32_t *undefined);
uint64_t vm_look_address(Vm *vm, Expr pointer); /* the address that a pointer in the present view has: its object is named by it */
unsigned vm_look_access(const Vm *vm, uint64_t base, int64_t offset, uint64_t bytes, bool write); /* ACCESS_… */
bool vm_look_object(const Vm *vm, uint64_t address, uint64_t *start, uint64_t *size);
void vm_look_at(Vm *vm, uint64_t address, uint64_t bytes, bool write); /* the access is fine: the caller depends on that, too */
void vm_look_size(Vm *vm, uint64_t address);
Expr vm_look_limit(Vm *vm, uint64_t address); /* 0: the end does not depend on inputs */
Expr vm_look_start(Vm *vm, uint64_t address); /* of the object, in the present view */
/* Completes the call: the condition under which it returns and that under which the program ends in it (0: none), whether these are all; writes
 * and results. */
void vm_complete_call(Vm *vm, Expr returns, Expr ends, bool whole, const Expr *results, uint32_t count);
void vm_say_of_call(Vm *vm, Expr condition); /* on the path: it does not return, or what happens in it is not known, under this condition */
void vm_put(Vm *vm, uint64_t address, uint32_t bytes, Expr value);

#endif
