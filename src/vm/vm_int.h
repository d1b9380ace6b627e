/* What the files of vm/ share: the machine, its frames, the prepared form of functions. */
#ifndef CLEW_VM_INT_H
#define CLEW_VM_INT_H

#include "expr/defined.h"
#include "vm/memory.h"
#include "vm/observer.h"

typedef enum CodeOp {
#define INT(NAME, result) CODE_##NAME##_RR, CODE_##NAME##_RI,
#define TRY(NAME, bad, result) CODE_##NAME##_RR, CODE_##NAME##_RI,
#define CMP(NAME, condition) CODE_SET_##NAME##_RR, CODE_SET_##NAME##_RI, CODE_JUMP_##NAME##_RR, CODE_JUMP_##NAME##_RI,
#define CMPS(NAME, condition) CMP(NAME, condition)
#define FLT(NAME, result) CODE_##NAME,
#define ONE(NAME, result) CODE_##NAME,
#define MEM(NAME, type) \
    CODE_LOAD##NAME##_OFF, CODE_LOAD##NAME##_X64, CODE_LOAD##NAME##_X32, CODE_LOAD##NAME##_BASE, CODE_STORE##NAME##_OFF, \
        CODE_STORE##NAME##_X64, CODE_STORE##NAME##_X32, CODE_STORE##NAME##_BASE,
#define SPECIAL(NAME) CODE_##NAME,
#include "vm/codes.def"
#undef INT
#undef TRY
#undef CMP
#undef CMPS
#undef FLT
#undef ONE
#undef MEM
#undef SPECIAL
    CODE_OPS
} CodeOp;

typedef struct Code {
    uint16_t op, x;
    uint32_t d, a, b;
} Code;

/* Which instructions of the function a code stands for, and how many codes stand for them together. */
typedef struct Origin {
    uint32_t instr;
    uint16_t instrs, codes;
} Origin;

typedef struct PreparedSwitch {
    uint64_t low;      /* dense: target of value v is table[v - low] */
    uint32_t span;     /* 0: sparse, binary search over the sorted values */
    uint32_t *targets; /* code offsets; dense: span of them, sparse: one per sorted case */
    uint64_t *values;  /* sorted */
    uint32_t *cases;   /* case number of each entry */
    uint32_t count, default_target;
} PreparedSwitch;

typedef struct Prepared Prepared;
typedef struct VmStates VmStates;
typedef struct VmImplied VmImplied;
typedef struct VmHeads VmHeads;
typedef struct Builtin Builtin;
typedef struct Application Application;
typedef struct NativeSignature NativeSignature;

/* The types that a function really has: those of its definition, or of the machine's own. */
typedef struct Signature {
    const Param *params;
    uint32_t param_count;
    const Scalar *results;
    uint32_t result_count;
    bool variadic;
} Signature;

typedef struct PreparedCall {
    Prepared *target;    /* a function with a body that takes exactly these arguments in one register each; else NULL */
    uint32_t *registers; /* where the arguments are */
    uint32_t *params;    /* where they go */
    uint32_t count;
    bool result_used;
} PreparedCall;

struct Prepared {
    const Function *function;
    uint32_t index;
    Signature signature;
    bool types_noted; /* a call with other types was met, and the user knows */
    Code *code;       /* NULL: not prepared yet */
    Origin *origin;
    uint32_t code_count;
    uint32_t *block_start;
    uint32_t registers; /* constants included */
    uint32_t const_first, const_count;
    uint64_t *consts;
    PreparedCall *calls;
    PreparedSwitch *switches;
    /* without a body, or with a faster way than its body */
    const Builtin *builtin;
    void *native;
    bool marked;              /* by the user: symbolic arguments make an application node, if that can be */
    bool unfit_noted;         /* it cannot, and the user knows */
    Application *application; /* what such nodes are made of; NULL: calls are executed */
    bool resolved;
    bool watched;  /* the observer is told of each call of the function */
    bool declined; /* … and never will be */
};

typedef struct Frame {
    Prepared *code;
    const Code *pc;
    uint64_t base;     /* of its registers in the register stack */
    uint64_t serial;   /* never used twice: a jmp_buf knows its frame by it */
    uint64_t varargs;  /* address of the va_list that va_start gives, 0: not variadic */
    uint32_t dst;      /* register of the caller for the result */
    uint32_t allocas;  /* length of the alloca stack when it was entered */
    uint32_t epoch;    /* the copy of its registers on the trail is of this epoch */
    bool mixed;        /* some register may hold an expression: `expressions` is valid */
    bool checked;      /* it, and all frames below, are of functions that are watched or never will be */
    bool stop : 1;     /* returning from it ends vm__nested or the run */
    bool converts : 1; /* its caller expects a result of another type */
    bool told : 1;     /* the observer is told when it returns */
} Frame;

typedef struct Mark {
    uint32_t trail, path, depth, allocas;
    uint64_t saved; /* offset of the copy of the current frame in `saved_frames` */
    uint32_t saved_words;
    uint64_t serial;
    uint32_t undefs, inputs, applied;
    uint32_t observed; /* position of the observer */
    bool native_seen, by_chance, any_memory;
    uint32_t doubts;
} Mark;

/* A branch on the path at hand, and how many inputs there were when it was taken. */
typedef struct Doubt {
    uint32_t branch, inputs;
} Doubt;

/* What the machine was when a step began.  Going back to any condition of the step begins the step anew, from the mark that its first condition
 * left; so a step changes nothing before its first condition, else the change would be made twice (asserted when the mark is made). */
typedef struct StepStart {
    uint32_t path, inputs, undefs;
    uint32_t observed; /* position of the observer */
    uint32_t depth;
    uint64_t effects, live_bytes;
    uint64_t instructions; /* executed before it */
} StepStart;

/* A value: constant bits, or an expression. */
typedef struct Value {
    U128 bits;
    Expr e;
} Value;

enum { UNDEFS = 32 };

/* Is a marked function being executed for its value alone? */
typedef enum Evaluating {
    EVALUATING_NOTHING,
    EVALUATING_TRIAL, /* under some model: nothing it meets is real */
    EVALUATING_REAL,  /* as the path at hand would execute it: its reports and the branches it takes count */
} Evaluating;

typedef struct SymbolicFile {
    uint64_t address;
    Expr size;
    uint32_t position; /* of the input that is the size */
    uint64_t name;     /* address of the text */
} SymbolicFile;

/* A variable that was made for an input; the key is that in Vm.known_inputs. */
typedef struct MadeInput {
    uint64_t key;
    Expr variable;
} MadeInput;

typedef struct VmBound {
    uint32_t last;           /* position of the last input of the buffer */
    uint64_t address, bytes; /* the buffer, and how many of its bytes are inputs */
    /* Where a larger one is needed: the program is told the number of elements, and it is larger; a text's last input is not 0; the run ended in an access
     * right behind the buffer. */
    enum { BOUND_OF_LENGTH, BOUND_OF_TEXT, BOUND_OF_ARRAY } kind;
} VmBound;

struct Vm {
    const Program *program;
    ExprPool *pool;
    ExprModel *model;
    VmOptions options;
    Memory memory;
    U128 *consts;       /* by constant index, addresses resolved */
    uint64_t *symbols;  /* addresses */
    Prepared *prepared; /* by function */
    Frame *frames;
    uint32_t depth;      /* frames in use; the current one is frames[depth - 1] */
    uint32_t most_depth; /* calls; more are a stack overflow */
    uint64_t *stack;
    Expr *expressions;
    Vec(uint64_t) allocas;
    uint64_t alloca_bytes;
    uint64_t serial;
    VmStop stop;
    Vec(VmCondition) path;
    Map on_path;    /* its conditions */
    StepStart step; /* of the step being executed */
    Vec(Mark) marks;
    Vec(uint64_t) saved_frames;
    uint8_t *seen;
    Map reported; /* (bug, place) */
    Map passed;   /* the places that vm_pass_undecided was called for */
    bool passes_all;
    VmStats stats;
    Expr newest_undef;       /* among these: */
    Expr undef[129][UNDEFS]; /* by width, used in turn: two uninitialised values are not the same */
    uint32_t undefs;
    int32_t ticks;          /* backward jumps and calls until the next vm__tick, while no loop runs */
    uint64_t run_start;     /* how many instructions were executed when this run began */
    uint32_t run_nodes;     /* how many expressions there were then */
    uint64_t patience;      /* instructions after which it is left, … */
    uint32_t patience_path; /* … if its path has so many conditions */
    uint64_t effects;       /* counts what makes two states of a loop different beside its registers */
    struct {                /* the state a loop is compared with, see tick.c */
        uint64_t serial, effects, wait, period;
        const Code *pc;
        uint64_t *registers;
        Expr *expressions; /* of a mixed frame; where there is one, the register says nothing */
        bool mixed;
        uint32_t count;
    } progress;
    struct {                       /* attempts to read that took nothing (tick.c) */
        uint64_t run, tries, kept; /* run_start of the run that they belong to; `state` is that at number `kept` */
        VmState state;
        uint32_t inputs; /* that the program had asked for by then */
    } reading;
    U128 result; /* all scalars of it, the first one lowest, if they fit */
    uint32_t result_width;
    Expr result_expression; /* of the first */
    uint32_t nested;
    Evaluating evaluating;
    uint32_t evaluations; /* how deep */
    bool evaluated_more;  /* the evaluation has met symbolic data that is no argument */
    Vec(Application *) applications;
    Vec(Expr) applied;          /* the path's application nodes of functions that may have no result */
    Map is_applied;             /* the same */
    Vec(VmInput) inputs;        /* by position, of this path and beyond it of earlier ones; variable 0: gone */
    Map known_inputs;           /* position, width and name, hashed -> variable */
    Vec(MadeInput) made_inputs; /* all of these, in the order of their numbers */
    const U128 *given;          /* values for them */
    uint32_t given_count, seen_count;
    uint32_t window_from, window_end; /* inputs outside are constants, see vm_set_window */
    VmTaken *taken;                   /* see vm_count_branches; NULL: branches are not counted … */
    uint8_t *no_branches,
        *kept_seen; /* … while they are, `seen` is the first of these, where nothing is set, and the second keeps what it was */
    bool
        doubts_branches; /* runs may end as verified, so the branches that a run takes are noted as seen when it has ended in another way */
    Vec(Doubt) doubts;   /* until then they are here … */
    uint8_t *doubted;    /* … and marked by 1, … */
    uint32_t unverified; /* the number + 1 of the variable by which guided code says so; 0: the code is not guided */
    uint32_t verified_count;
    uint8_t *verified;     /* … and these are taken by runs that ended as verified */
    uint32_t *seen_inputs; /* per branch: input_count when it was first seen */
    uint32_t depth_limit;  /* vm_set_depth */
    bool ends_with_inputs; /* vm_end_with_inputs */
    uint32_t first_asked;  /* vm_first_asked */
    Map pointers;          /* inputs that are pointers: variable -> position */
    Vec(VmBound) bounds;   /* of buffers that may be doubled */
    Vec(VmObservation) observations;
    Vec(VmMemory) remembered; /* memory that observed pointers lead to */
    uint64_t remembered_bytes;
    uint32_t moment; /* as in VmMemory */
    bool returned;
    uint32_t input_count, image_inputs;
    Expr newest_input; /* among them */
    bool catches;      /* the guest has handlers for signals from outside */
    bool native_seen;  /* native code was called, so foreign memory may be legitimate */
    bool by_chance;    /* see vm_by_chance */
    bool any_memory;   /* see vm_has_any_memory */
    NameMap noted;     /* what vm__note has said */
    Map closures;      /* function symbol -> native closure */
    Map const_arrays;  /* read-only object -> array expression */
    Expr newest_array; /* among them */
    ExprDefined defined;
    VmObserver observer;
    bool tells_return;  /* the next frame is told (vm_tell_return) */
    bool based;         /* the address that was settled last is relative to something that the observer has named */
    VmStates *states;   /* what numbers of states are made of; NULL until the first one is made */
    VmImplied *implied; /* NULL until an address is symbolic */
    VmHeads *heads;     /* NULL until vm_start_heads */
    Arena arena;
    Vec(SymbolicFile) symbolic_file_address;
    Vec(uint64_t) image_bytes; /* per input of the image: the address of its byte; 0: the size of a file */
    uint64_t argv, envp;       /* of main */
};

enum {
    MAX_DEPTH = 524288,
    EXPLORED_DEPTH = 131072 /* 64 bytes of a native stack for each */,
    STACK_REGISTERS = 1 << 27,
    MAX_ALLOCA_BYTES = 8 << 20
};

static inline Frame *vm__frame(const Vm *vm)
{
    return &vm->frames[vm->depth - 1];
}

/* prepare.c */
void vm__prepare(Vm *vm, Prepared *prepared);
/* execute.c */
void vm__execute(Vm *vm, uint32_t down_to); /* until stopped, or until the depth is down_to again */
uint64_t vm__float_compare(double a, double b, unsigned admits);
/* step.c: the reference interpreter */
void vm__step(Vm *vm); /* executes what the current code stands for */
Value vm__operand(Vm *vm, Operand operand, unsigned width);
void vm__set(Vm *vm, uint32_t reg, unsigned width, Value value);
/* symbolic.c */
U128 vm__concrete(Vm *vm, Value value);                   /* under the model, without a condition */
U128 vm__concretize(Vm *vm, Value value, unsigned width); /* fixes it: records the condition */
/* Appends a condition to the path.  `decides` is the value that the condition is about, the same whichever condition holds of it: that it is
 * initialised is a condition of its own, recorded before, and must not depend on the model. */
void vm__condition(Vm *vm, Expr decides, Expr condition, ConditionKind kind, BugKind bug, uint32_t branch, bool mark);
void vm__assume(Vm *vm, Expr condition);                    /* stops the run if it does not hold */
bool vm__check(Vm *vm, Expr holds, BugKind bug, bool ends); /* records a check as it is under the model; `ends`: failing ends the run */
bool vm__decided(Vm *vm, Expr e);                           /* under the model, does no uninitialised value decide it? */
void vm__check_decided(Vm *vm, Expr e, const char *what);   /* reports a bug if one does; `what`: "branch" or "switch" */
bool vm__record_defined(Vm *vm, Expr e);                    /* the same, and the path depends on that */
bool vm__decide(Vm *vm, Expr condition, uint32_t yes, uint32_t no); /* a branch on an expression; true: the yes side */
Expr vm__expr(Vm *vm, Value value, unsigned width);
Expr vm__undef(Vm *vm, unsigned width);
void vm__cut_path(Vm *vm, uint32_t length);
void vm__forget_expressions(Vm *vm); /* what is kept of a pool that was rewound */
void vm__seen(Vm *vm, uint32_t branch);
void vm__note_near(Vm *vm, uint32_t branch);  /* near.c: the run takes the branch; how near is it to others that are wanted? */
void vm__end_doubts(Vm *vm);                  /* when a run has ended */
void vm__cut_doubts(Vm *vm, uint32_t length); /* on going back along the path */
Expr vm__new_input(Vm *vm, unsigned width, const char *name, char type, uint64_t address); /* the next one of the path */
/* The name of an input: a string of the guest; of an element of an array, with its index. */
typedef struct InputName {
    uint64_t address;
    bool is_element;
    uint64_t element;
} InputName;
bool vm__is_constant(const Vm *vm, uint32_t position); /* does vm_set_window say so of this input? */
/* The next input of the path: a variable, or a constant where vm_set_window says so. */
Value vm__ask_value(Vm *vm, unsigned width, InputName name, char type, uint64_t address);
Expr vm__settle(Vm *vm,
                Expr e); /* where the value depends on which object a pointer input points to, fixes that: other objects are other paths */
/* implied.c: values that the path leaves no choice of */
bool vm__is_implied(Vm *vm, Expr e);              /* does it have the same value under all inputs of this path? */
void vm__forget_implied(Vm *vm, uint32_t length); /* forgets what conditions beyond the first `length` say, because the path is cut there */
void vm__release_implied(Vm *vm);
/* access.c: loads and stores with all checks; false: the guest was stopped; `base`: the pointer the address was made from, 0: unknown */
bool vm__load(Vm *vm, Value address, Value base, unsigned width, Value *value);
bool vm__store(Vm *vm, Value address, Value base, unsigned width, Value value);
bool vm__check_range(Vm *vm, uint64_t address, uint64_t n, bool write); /* all n bytes accessible? reports if not */
bool vm__copy(Vm *vm, uint64_t to, uint64_t from, uint64_t n);
bool vm__fill(Vm *vm, uint64_t to, Value byte, uint64_t n);
bool vm__initialised(Vm *vm, const Object *object, uint64_t address, unsigned bytes); /* no PATTERN byte there is without a value */
void vm__note_pattern(Vm *vm, uint64_t address, uint64_t value, unsigned bytes);      /* a value with PATTERN bytes is about to be stored */
bool vm__plain(Vm *vm, uint64_t address, uint64_t n); /* no symbolic or uninitialised byte in it, all accessible */
void vm__materialize(Vm *vm, uint64_t address);       /* writes an object's symbolic bytes as they are under the model */
Value vm__load_byte(Vm *vm, uint64_t address);        /* accessible already */
void vm__store_bytes(Vm *vm, uint64_t address, unsigned bytes, Value value);
void vm__limit(Vm *vm, Object *object, Expr bytes);    /* the object ends there from now on */
uint64_t vm__object_end(Vm *vm, const Object *object); /* its size under the model */
/* call.c */
void vm__call(Vm *vm, const Instr *instr);
void vm__return(Vm *vm, const Instr *instr);
bool vm__push(Vm *vm, Prepared *target, uint32_t dst);
void vm__pop(Vm *vm);
void vm__leave_allocas(Vm *vm, uint32_t down_to);
uint64_t vm__alloca(Vm *vm, uint64_t size, uint32_t align);
void vm__clear_padding(uint64_t address, U128 padding); /* of an object just made */
bool vm__alloca_push(Vm *vm, uint64_t address, uint64_t size);
U128 vm__nested(Vm *vm, const Function *function, const U128 *arguments, uint32_t count); /* native code calls back, or an evaluation */
Prepared *vm__target(Vm *vm, uint64_t address);                                           /* of a computed call; NULL: no function there */
/* pass.c: arguments and results, from the caller's types to the callee's */
typedef struct Passed { /* a scalar, by the types of the side that gives it */
    Value value;
    Scalar type;
    uint64_t byval_size;
    uint32_t byval_align;
} Passed;
bool vm__same_arguments(const CallSite *site, const Signature *signature); /* no conversion is needed */
bool vm__same_results(const CallSite *site, const Signature *signature);
void vm__note_types(Vm *vm, const CallSite *site, Prepared *target, bool result_used); /* says once that a conversion is needed, if it is */
Passed *vm__passed(Vm *vm, const CallSite *site);                                      /* the call's arguments; the caller's to free */
/* A value for each parameter of the function `name`; of one that is a struct in memory its address, 0 for an uninitialised one.  False: the
 * run was stopped. */
bool vm__convert_arguments(Vm *vm, const Signature *signature, const char *name, const Passed *passed, uint32_t count, Value *values);
/* A new frame with its parameters.  `site` is NULL if no code of the guest makes the call: the types are then those of the parameters. */
void vm__enter(Vm *vm, Prepared *target, const Passed *passed, uint32_t count, const CallSite *site, uint32_t dst);
void vm__take_results(Vm *vm, uint32_t dst, const CallSite *site, const Scalar *types, const Value *values, uint32_t count);
/* builtin.c */
typedef struct BuiltinCall {
    const Instr *instr;
    const CallSite *site;
    const Signature *signature;
    Value arguments[8]; /* in the types of the signature */
} BuiltinCall;
typedef enum BuiltinResult {
    BUILTIN_DONE,
    BUILTIN_DECLINED, /* the library's own code, or the native function, must do it */
    BUILTIN_JUMPED,   /* it has set where to go on itself */
} BuiltinResult;
struct Builtin {
    const char *name;
    BuiltinResult (*call)(Vm *vm, BuiltinCall *call);
    const char
        *types; /* of the result, then of the parameters: (v)oid, (i)nt, (l)ong, (p)ointer, (f)loat, (d)ouble, long (D)ouble; `.`: more */
};
const Builtin *vm__find_builtin(const char *name);
Signature vm__builtin_signature(Arena *arena, const Builtin *builtin);
uint64_t vm__word(Vm *vm, BuiltinCall *call, uint32_t i);         /* an argument, made concrete */
void vm__give(Vm *vm, const BuiltinCall *call, uint64_t value);   /* the result */
void vm__give_input(Vm *vm, const BuiltinCall *call, Expr input); /* the same, zero-extended */
extern const Builtin vm__string_builtins[];
extern const Builtin vm__host_builtins[];
extern const Builtin vm__machine_builtins[];
char *vm__guest_string(Vm *vm, uint64_t address); /* the caller's to free */
bool vm__is_asked_by_program(Vm *vm);             /* not by the harness, and not in an isolated call */
bool vm__may_ask(Vm *vm);                         /* for an input, now */
/* harness.c: what a unit's harness asks for */
/* ---- observe.c ---- */
void vm__forget_observations(Vm *vm);
bool vm__live_end(Vm *vm, uint64_t address, uint64_t *end); /* of the live object there */
extern const Builtin vm__observe_builtins[];
extern const Builtin vm__harness_builtins[];
/* native.c */
void *vm__find_native(Vm *vm, const char *name);
void vm__native_call(Vm *vm, const Instr *instr, const CallSite *site, const char *name, void *function);
void vm__set_errno(Vm *vm, int number);
NativeSignature *vm__native_signature(Vm *vm, const Function *function); /* NULL: its types cannot be passed */
/* Calls it on bits, with no guest memory in play.  0, or the signal it died of (-1: the guest code it called back stopped). */
int vm__native_evaluate(Vm *vm, const NativeSignature *signature, void *function, const U128 *arguments, U128 *result);
bool vm__guarded_copy(void *to, const void *from, size_t n); /* false: not accessible */
void vm__native_release(Vm *vm);
void vm__disposition(Vm *vm, int number, int disposition);
void vm__deliver_signal(Vm *vm); /* if one has come that the guest catches */
/* apply.c: calls that become application nodes */
enum { MAX_APPLIED = 32 }; /* arguments */
struct Application {
    ExprFunction expr; /* its data is this */
    Vm *vm;
    Prepared *target;
    const struct PureFunction *pure; /* of libm */
    bool uniform;                    /* see pure.c */
    NativeSignature *signature;      /* native */
    struct Memo *memo;               /* of what may be slow */
    bool fault_noted, more_noted;
    bool *bad_partitions; /* those that cannot be read */
};
void vm__mark_functions(Vm *vm);
void vm__find_application(Vm *vm, Prepared *target); /* once builtin and native are known */
bool vm__note_unfit(Vm *vm, Prepared *target);       /* a marked function that cannot be one: says so once */
bool vm__apply(Vm *vm, const Instr *instr, const CallSite *site,
               Prepared *target); /* false: the call is to be executed; its types are the function's */
void vm__release_applications(Vm *vm);
void vm__cut_applied(Vm *vm, uint32_t length);
void vm__confirm_applied(Vm *vm); /* executes the path's applications for real under the model; may end the path */
/* pure.c: functions of libm */
const struct PureFunction *vm__find_pure(const Function *function); /* NULL: it is none */
bool vm__is_uniform(const Function *function);
Expr vm__pure_expression(Vm *vm, const Application *application, const Expr *arguments);
U128 vm__pure_value(const Application *application, const U128 *arguments);
/* report.c */
void vm__note(Vm *vm, const char *format, ...) __attribute__((format(printf, 2, 3)));
void vm__lose(Vm *vm, const char *format, ...) __attribute__((format(printf, 2, 3))); /* while exploring: see VmOptions.on_loss */
void vm__report(Vm *vm, BugKind bug, const char *format, ...) __attribute__((format(printf, 3, 4)));
void vm__stop(Vm *vm, VmStopKind kind, int status, const char *format, ...) __attribute__((format(printf, 4, 5)));
uint32_t vm__place(const Vm *vm, const char **function); /* nearest location in user code */
void vm__describe(const Vm *vm, uint64_t address, char *text, size_t n);
/* state.c */
void vm__release_states(Vm *vm);
/* heads.c */
void vm__release_heads(Vm *vm);
void vm__trace_branch(Vm *vm, uint32_t branch);
uint32_t vm__trace_length(const Vm *vm);
void vm__log_write(Vm *vm, uint64_t address, uint64_t n);
/* tick.c */
void vm__tick(Vm *vm);
void vm__watch_reading(Vm *vm); /* The library calls this function when the program has tried to read and got nothing. */
enum { TICKS = 8192 };
/* trail.c */
void vm__save_frame(Vm *vm, Frame *frame);
void vm__undo(Vm *vm, uint32_t length, bool forget); /* the trail down to that length; `forget`: that the lines were ever saved */
/* observer.c */
static inline bool vm__isolated(const Vm *vm)
{
    return vm->observer.isolating && vm->evaluating == EVALUATING_NOTHING;
}
static inline bool vm__is_observed(const Vm *vm)
{
    return vm->observer.data && vm->evaluating == EVALUATING_NOTHING && vm->nested == 0;
}
static inline void vm__tell_place(Vm *vm, VmPlaceEvent event, uint64_t address, uint64_t bytes)
{
    if (UNLIKELY(vm->heads != NULL) && event == PLACE_WRITTEN) vm__log_write(vm, address, bytes);
    if (UNLIKELY(vm__isolated(vm))) vm->observer.place(vm->observer.data, event, address, bytes);
}
bool vm__returns(Vm *vm, const Function *function, const Value *results, uint32_t count); /* true: the run has been stopped */
Expr vm__limit_of(Vm *vm, const Object *object, uint64_t start);                          /* as the code at hand sees it */
/* access.c, for observers */
Value vm__read_raw(Vm *vm, uint64_t address, unsigned bytes);
void vm__write_raw(Vm *vm, uint64_t address, unsigned bytes, Value value);
/* image.c */
Status vm__load_image(Vm *vm, Error *error);

#endif
