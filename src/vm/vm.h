/* vm: executes a Program with values that are constants or expressions.
 *
 * There is always a current model.  An expression's concrete value is its value under that model; at a branch on an expression the machine follows
 * the side the model takes and appends a condition to the path.  Under another model that satisfies the path so far, it simply
 * goes on.  vm_mark/vm_return go back along a trail to an earlier point of the current path: registers, memory, allocations and the
 * file model are then exactly what they were (tests/fuzz/trail.c).
 *
 * One Vm may exist at a time in a process: guest objects live at fixed real addresses, so that native code can use them.
 * Guest faults are values (VmStop), never errors of the host. */
#ifndef CLEW_VM_H
#define CLEW_VM_H

#include "base/base.h"
#include "expr/expr.h"
#include "program/program.h"

typedef struct Vm Vm;

typedef enum BugKind {
#define BUG(NAME, text, signal) BUG_##NAME,
#include "vm/bugs.def"
#undef BUG
    BUG_KINDS
} BugKind;
const char *bug_name(BugKind kind);
int bug_signal(BugKind kind);

typedef enum VmStopKind {
    VM_RUNNING,
    VM_EXIT,        /* status */
    VM_SIGNAL,      /* status: the signal that ended the guest */
    VM_BUG,         /* a check failed: bug, and status as the signal a native run would probably die of (0: none) */
    VM_ASSUMPTION,  /* an assumption does not hold: the execution is of no interest */
    VM_UNSUPPORTED, /* something Clew cannot execute was reached: message */
    VM_TIME,        /* a limit was reached */
    VM_STEPS,
    VM_DEPTH,    /* the run is as long as vm_set_depth or vm_set_patience allows; it may be gone on with */
    VM_VISITED,  /* the program asks for one more input, in a state that was seen before (VmOptions.on_ask) */
    VM_INPUTS,   /* the program asks for one more input than it was given, see vm_end_with_inputs */
    VM_IDLE,     /* a loop that nothing leads out of repeats the same state: the program has nothing more to do */
    VM_CALL,     /* a watched function is about to be called (isolate/) */
    VM_AGAIN,    /* functions are watched now that were entered before: to be run again from an earlier mark, under the same model */
    VM_RETURNED, /* from an isolated call */
    VM_DECIDES,  /* a call on trial */
} VmStopKind;

typedef struct VmStop {
    VmStopKind kind;
    int status;
    bool any_status; /* of VM_EXIT: it was never initialised, so a native run may have another one */
    BugKind bug;
    bool undecided;       /* of BUG_UNINITIALIZED: at a branch, see vm_pass_undecided */
    bool verified;        /* of VM_ASSUMPTION: all that can follow is verified, so the run is of no interest (front/guide.c) */
    bool in_real;         /* it was inside a real function, for the arguments that the last condition names: no path with these goes on */
    uint32_t loc;         /* into Program.locs: the nearest place in the user's own code */
    const char *function; /* there */
    uint64_t object;      /* of a bad access: where the object starts that it is beside; 0: not known */
    int64_t offset;       /* of that access from there, bytes */
    char message[512];
} VmStop;

/* Why a condition stands on the path. */
typedef enum ConditionKind {
    CONDITION_BRANCH,   /* a branch of the program was taken */
    CONDITION_CHECK,    /* a check held, its negation is the bug `bug`; or it failed, and its negation avoids it */
    CONDITION_OBJECT,   /* a symbolic address stayed in the object it is in under the model */
    CONDITION_ASSUME,   /* the program assumed it; or its negation, and the run ends here */
    CONDITION_CONCRETE, /* a value was fixed to what it is under the model: completeness is lost here */
    CONDITION_IN_PLACE, /* a call is executed in place, or completed, under it: some paths of the function cannot be summarised */
    CONDITION_SUMMARY,  /* a call was completed by what is known of the function: it returns here */
} ConditionKind;

typedef uint32_t VmMark;
#define VM_NO_MARK UINT32_MAX

typedef struct VmCondition {
    Expr condition; /* one bit; true under the model in force when it was recorded */
    Expr decides;   /* of a branch: the value that decides it, one bit or that of a switch */
    uint8_t kind;   /* ConditionKind */
    uint8_t bug;    /* of CONDITION_CHECK; BUG_NONE: a marked function ends the run without one (exit) */
    bool holds;     /* what was checked or assumed held (CONDITION_CHECK, CONDITION_ASSUME) */
    bool divides;   /* false: a check that is only reported when it fails; execution goes on the same way, so it says nothing of the path */
    uint32_t branch; /* the branch taken, UINT32_MAX: none */
    uint32_t loc;
    VmMark mark;     /* the state just before, if options.marks */
    uint32_t inputs; /* how many the path had asked for */
    uint32_t trace;  /* how many branches were traced before (vm_trace) */
} VmCondition;

typedef struct VmReport { /* a bug that did not end the run */
    BugKind bug;
    uint32_t loc;
    const char *function;
    const char *message;
} VmReport;

typedef struct VmSymbolicFile {
    const char *path; /* "-": standard input */
    uint64_t size;
} VmSymbolicFile;

/* Something the guest's harness named, see VmOptions.observing. */
typedef struct VmObservation {
    const char *name;
    char type;    /* as in record.h; 'o': an object was named; 'k': a stub was called, and its arguments follow */
    bool defined; /* all of it is initialised */
    uint32_t width;
    U128 bits;
    uint64_t address;
} VmObservation;

/* Memory that an observed pointer leads to, as it was at that moment. */
typedef struct VmMemory {
    const char *name; /* of a global or a function; else "" */
    char kind;        /* 'g' global, 's' local, 'h' heap, 'f' function */
    uint32_t moment;  /* 0: after the harness's call; else 1 + the number of the observation of type 'k' */
    uint64_t address, size;
    uint32_t count, zeros;      /* bytes that are kept, from the first; so many more are 0 */
    unsigned char *bytes, *set; /* set: is it initialised? */
} VmMemory;

typedef struct VmInput {
    Expr variable;
    char type;        /* as in record.h */
    uint64_t address; /* of the object it was written to; 0: a plain value */
    /* Which of the requests in the program it is: the same number for the same place in the user's code and the same name there.  Only known of constants
     * where branches are counted (vm_count_branches). */
    uint32_t request;
} VmInput;

typedef struct VmPartition { /* of a function's domain, as CLEW_PARTITION would say it */
    const char *function, *text;
} VmPartition;

typedef struct VmOptions {
    uint32_t argc;
    const char **argv;                    /* argv[0] included */
    const char **environment;             /* NULL-terminated; NULL: the host's */
    uint64_t memory_limit;                /* bytes the guest may hold; 0: 16 GiB */
    bool memory_is_guess;                 /* nobody has asked for that limit, so an allocation that fails for it is a loss */
    uint64_t step_limit;                  /* instructions; 0: none */
    uint64_t run_limit;                   /* instructions of one vm_run; 0: none */
    uint32_t path_limit;                  /* conditions on the path; 0: none */
    uint32_t node_limit;                  /* expressions that one vm_run makes; 0: none */
    double deadline;                      /* on clock_seconds; 0: none */
    bool exploring;                       /* effects on the world are kept from it */
    bool marks;                           /* leave a mark before every condition */
    bool reference;                       /* execute every instruction by the reference interpreter (tests) */
    bool quiet_output;                    /* while exploring: drop what the guest writes to 1 and 2 */
    const VmSymbolicFile *symbolic_files; /* of up to `size` bytes */
    uint32_t symbolic_file_count;
    uint32_t symbolic_arguments, symbolic_argument_size; /* up to so many more arguments, each of up to so many characters */
    const VmSymbolicFile *symbolic_environment;          /* variables and how many characters they have at most */
    uint32_t symbolic_environment_count;
    uint32_t doublings;                                    /* how often the bounds of the harness's buffers are doubled (clew__bound) */
    bool observing;                                        /* keep what the guest's harness observes (vm_observation) */
    StrBuf *output;                                        /* while exploring: what the guest writes to 1; NULL: see quiet_output */
    int64_t fixed_time_ns;                                 /* != 0: the clock stands still there */
    uint32_t random_seed;                                  /* what rand starts from without srand; 0: 1, as natively */
    void (*on_report)(void *data, const VmReport *report); /* called at once for each new report */
    void *on_report_data;
    bool stop_at_report;                           /* a bug that is normally only reported ends the run: what comes after has no meaning */
    void (*on_note)(void *data, const char *text); /* what the user should know of, each said once; NULL: on standard error */
    void *on_note_data;
    void (*on_loss)(void *data, uint32_t loc, const char *text); /* the world outside decided something: not all paths can be known */
    void *on_loss_data;
    /* Called where the program asks for one more input; true: the run ends as VM_VISITED.  NULL: nothing is called. */
    bool (*on_ask)(void *data, Vm *vm);
    void *on_ask_data;
    const char *const *concrete; /* names of functions to treat as if marked CLEW_CONCRETE; like the mark, only while exploring */
    uint32_t concrete_count;
    const VmPartition *partitions; /* besides those in the program */
    uint32_t partition_count;
} VmOptions;

typedef struct VmStats {
    uint64_t instructions, symbolic_instructions, calls, native_calls, marks, returns;
    uint64_t guest_bytes, guest_bytes_peak;
    uint64_t applications;       /* executions of marked functions for a value; their instructions are not counted above */
    uint64_t application_faults; /* those that gave no result, which is then taken for 0 */
} VmStats;

/* Fails only for reasons of the environment (no address space). */
Status vm_new(Vm **vm, const Program *program, ExprPool *pool, const VmOptions *options, Error *error);
void vm_free(Vm *vm);

/* Prepares the start of the program's main, or of any one function with constant arguments (tests, units). */
Status vm_start_main(Vm *vm, Error *error);
Status vm_start_function(Vm *vm, const Function *function, const uint64_t *arguments, uint32_t count, Error *error);
/* The same with expressions, one for each parameter, in its width.  Each start abandons what ran before and its marks; memory stays. */
Status vm_start_function_values(Vm *vm, const Function *function, const Expr *arguments, uint32_t count, Error *error);

/* Runs until the guest stops. */
VmStop vm_run(Vm *vm);
const VmStop *vm_stop(const Vm *vm); /* of the last run */
/* Runs for at most n steps of the reference interpreter; VM_RUNNING if the guest could go on.  For tests: slow, and exact. */
VmStop vm_run_steps(Vm *vm, uint64_t n);
uint64_t vm_result(const Vm *vm, Expr *expression); /* of the function started by vm_start_function, after VM_EXIT */

const Program *vm_program(const Vm *vm);
ExprPool *vm_pool(Vm *vm);
ExprModel *vm_model(Vm *vm); /* owned by the vm; set variables freely while it is stopped at a mark */
/* The inputs of the current path in the order in which the program asked for them.  After going back it gets the same variable for the same
 * input (name and width) at the same position. */
uint32_t vm_input_count(const Vm *vm);
Expr vm_input(const Vm *vm, uint32_t i);
VmInput vm_input_info(const Vm *vm, uint32_t i);
/* From now on the inputs get these values, by position, when they are asked for; the values stay the caller's. */
void vm_give(Vm *vm, const U128 *values, uint32_t count);
/* In the runs from now on, only inputs from number `from` to before `end` are symbolic; the others that vm_give has given values for are constants.
 * Pointers that the harness of a unit makes, and arguments of vm_start_function_values, are symbolic in any case.  Code that depends on constants only is
 * executed as fast as the machine can, and adds no condition to the path. */
void vm_set_window(Vm *vm, uint32_t from, uint32_t end);
void vm_end_window(Vm *vm); /* all inputs are symbolic again */
/* The bytes of symbolic files and program arguments lie in memory before the program starts.  Called at the mark from which a run is to begin, after
 * vm_give and vm_set_window, this makes those of them that are outside of the window constants; going back to the mark makes them symbolic again. */
void vm_fix_image(Vm *vm);
/* While `taken` is not NULL, the machine does not note the branches of a run as seen; it counts in `taken`, by branch id, how often the run takes each. */
enum { VM_TAKEN_POWERS = 14 };
typedef struct VmTaken {
    uint32_t count;
    uint32_t inputs[VM_TAKEN_POWERS]; /* [n]: how many inputs the run had asked for when it took the branch for the 2^n-th time */
    bool wanted;                      /* set by the caller: the run is to note how near it comes to taking the branch, … */
    uint64_t distance;    /* … which is the least difference between the operands of its comparison and those that would take it, … */
    uint32_t near_inputs; /* … and how many inputs it had asked for then; 0: nothing is known of that */
} VmTaken;
void vm_count_branches(Vm *vm, VmTaken *taken);
/* With `ends`, a run ends as VM_INPUTS where the program asks for an input beyond those of vm_give.  What the harness of a unit makes before the
 * call of the function under test is made in any case. */
void vm_end_with_inputs(Vm *vm, bool ends);
/* A run ends as VM_DEPTH where the program asks for an input and the path already has so many conditions or inputs; 0: no such limit. */
void vm_set_depth(Vm *vm, uint32_t depth);
/* A run ends as VM_DEPTH, too, after so many instructions, once its path has at least `path` conditions; 0 instructions: no such limit. */
void vm_set_patience(Vm *vm, uint64_t instructions, uint32_t path);
/* A branch that depends on an uninitialised value ends the run as a bug, with VmStop.undecided set.  After vm_pass_undecided runs do not end at branches
 * of that place, and after vm_pass_all_undecided at none: they go the way that the machine's memory happens to lead them.  Such a run reports no
 * further uninitialised value, because a native run can confirm only the first one. */
void vm_pass_undecided(Vm *vm, uint32_t loc);
void vm_pass_all_undecided(Vm *vm, bool passes);
bool vm_has_any_memory(const Vm *vm); /* the unit got memory with any contents where the project has functions that make such an object */
bool vm_by_chance(const Vm *vm);      /* the run has gone on behind such a branch, so a native run may go another way */
/* What was observed since the last start or return to a mark; the names live until then. */
uint32_t vm_observation_count(const Vm *vm);
const VmObservation *vm_observation(const Vm *vm, uint32_t i);
uint32_t vm_memory_count(const Vm *vm);
const VmMemory *vm_memory(const Vm *vm, uint32_t i);
/* Has the run filled a buffer of the harness, or is there more of one than its inputs?  Then it may need larger bounds. */
bool vm_meets_bound(Vm *vm, const VmStop *stop);
uint32_t vm_doublings(const Vm *vm);
void vm_set_doublings(Vm *vm, uint32_t doublings); /* before a run from the start */
bool vm_returned(const Vm *vm);                    /* the harness has said that the call it makes has returned */
/* In on_ask, a number for the state that the machine is in (state.c): states with the same number have the same future.  False: this one cannot be compared
 * with others, or the program is not in a loop.  Numbers are about what was changed since vm_start_states, or since the first was made. */
typedef struct VmState {
    uint64_t a, b;
} VmState;
void vm_start_states(Vm *vm);
bool vm_state(Vm *vm, VmState *state);
/* The same state as values: what is in each register that may still be read, and in each word of memory that has changed, but for symbolic ones. */
typedef struct VmStateValue {
    uint64_t place; /* the same for the same register or word in all states */
    int64_t value;
} VmStateValue;
bool vm_state_values(Vm *vm, const VmStateValue **values, uint32_t *count); /* false: as above */
/* After a run has ended, the values in those words of the program's own globals that have changed, but for symbolic ones; false: these are too many. */
bool vm_end_values(Vm *vm, const VmStateValue **values, uint32_t *count);
uint64_t vm_state_work(const Vm *vm); /* words that were looked at for numbers so far */
uint32_t vm_path_length(const Vm *vm);
const VmCondition *vm_condition(const Vm *vm, uint32_t i);

VmMark vm_mark(Vm *vm);
/* In on_ask: from the mark on, the program asks anew.  *instructions is how many the machine had executed before the request.  VM_NO_MARK: the request cannot
 * be made anew. */
VmMark vm_mark_ask(Vm *vm, uint64_t *instructions);
/* Forgets later marks; this one may be returned to again.  A search that also rewinds the pool to where it was at the mark does so just before,
 * so that the machine knows what is gone. */
void vm_return(Vm *vm, VmMark mark);

/* Real functions.  A call with symbolic arguments of a function that is marked (or native and known to be pure) is an application node.
 * Its evaluation executes the function on the values, at any time, and leaves no trace in the machine; it needs the Vm, so no such node
 * may be evaluated after vm_free.
 * The texts of the function's partitions; 0 for a function that has none. */
uint32_t vm_partitions(const Vm *vm, const ExprFunction *function, const char *const **texts);
/* The partitions of an application's function as one-bit conditions on the application's arguments; returns how many were written, at most
 * `capacity`.  One that cannot be read as an expression of C over the parameters is noted once and left out. */
uint32_t vm_partition_conditions(Vm *vm, Expr application, Expr *conditions, uint32_t capacity);

const uint8_t *vm_branches_seen(const Vm *vm); /* per branch id: 1 if any run of this vm took it */
bool vm_is_unverified(Vm *vm); /* the run that has ended has met an assertion while its supposition was false (front/guide.c) */
bool vm_is_in_verified(const Vm *vm, uint32_t branch);    /* a run that ended as VmStop.verified took the branch */
uint32_t vm_verified_count(const Vm *vm);                 /* how many of them */
uint32_t vm_branches_seen_count(const Vm *vm);            /* how many of them */
uint32_t vm_branch_inputs(const Vm *vm, uint32_t branch); /* how many inputs the path had asked for when the branch was first taken */
/* The position of the first input that a run asked for by itself, beyond what the harness of a unit makes; UINT32_MAX: it asked for none. */
uint32_t vm_first_asked(const Vm *vm);
void vm_forget_branches_seen(Vm *vm);             /* and inputs asked for: the next run is seen as the first one */
bool vm_entered(const Vm *vm, uint32_t function); /* by any run of this vm */
const VmStats *vm_stats(const Vm *vm);

/* ---- from loop head to loop head (heads.c) ---- */
/* The machine goes step by step and stops at the heads of the program's own loops, so that a driver can look at their variables and change them.  Branches that are
 * taken are traced. */
typedef struct VmHead {
    uint32_t function, loop; /* loop UINT32_MAX: the machine is at no head */
    uint32_t depth;          /* frames */
    uint64_t frame;          /* differs for each call */
} VmHead;
typedef struct VmRange {
    uint64_t address, bytes;
} VmRange;
typedef enum VmEvent {
    VM_EVENT_STOPPED, /* the run has ended: vm_stop */
    VM_EVENT_HEAD,    /* the machine is at the head of a loop, before its first instruction */
    VM_EVENT_LEFT,    /* it has left the loop that it was to stay in */
    VM_EVENT_DONE,    /* it has taken all branches that were expected */
    VM_EVENT_ASTRAY,  /* the last branch that it has taken is not the one that was expected */
    VM_EVENT_STEPS    /* it has made as many steps as it was to */
} VmEvent;
typedef struct VmGo {
    uint32_t depth, loop;                     /* stay in this loop of the function whose call is so deep; depth 0: go anywhere */
    const uint32_t *expected;                 /* branches to be taken; NULL: any */
    uint32_t expected_count, expected_before; /* how many there are, and how many of them were taken already */
    uint64_t steps;                           /* at most */
} VmGo;
void vm_start_heads(Vm *vm, bool traces); /* before any of the following; forgets the trace */
VmEvent vm_go(Vm *vm, const VmGo *go);
VmHead vm_head(const Vm *vm);
uint32_t vm_trace(const Vm *vm, const uint32_t **branches);
void vm_cut_trace(Vm *vm, uint32_t length); /* after vm_return, which does not do so */
void vm_log_writes(Vm *vm, bool logs);      /* from now on; forgets those before */
uint32_t vm_logged_writes(const Vm *vm, const VmRange **writes);
Expr vm_register(Vm *vm, uint32_t reg, unsigned width); /* of the innermost call */
void vm_set_register(Vm *vm, uint32_t reg, unsigned width, Expr value);
void vm_assume(Vm *vm, Expr condition); /* puts a condition on the path; the run stops if the condition does not hold under the model */

/* A copy of the whole machine state as bytes, for tests of vm_return: equal states give equal bytes. */
void vm_snapshot(const Vm *vm, StrBuf *out);
/* Gives a value to a symbolic access for tests and drivers: the guest's memory at a real address. */
Status vm_read_guest(Vm *vm, uint64_t address, void *bytes, size_t n);

#endif
