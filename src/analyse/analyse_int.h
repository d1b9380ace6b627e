/* What the files of analyse/ share. */
#ifndef CLEW_ANALYSE_INT_H
#define CLEW_ANALYSE_INT_H

#include "analyse/analyse.h"
#include "analyse/facts.h"
#include "analyse/objects.h"
#include "analyse/value.h"

/* ---- states ---- */
typedef uint32_t *State; /* a value's number for each register, then for each cell */

enum { PARTITIONS = 64 };
typedef struct Key {         /* of a function (partition.c) */
    uint32_t slot, width;    /* in states; UINT32_MAX: it has none */
    Vec(uint64_t) constants; /* of partitions 1, 2, … */
} Key;

typedef struct Instance { /* a function in a context */
    uint32_t function;
    uint32_t sites[8], depth; /* calls, innermost first: Site numbers */
    State *blocks;            /* at the start of each block, for each partition: at block * stride + partition; NULL: not reached */
    uint32_t *visits;         /* the same way */
    State exit;               /* when the function returns: its result's value, then the cells of globals; NULL: no return is known */
    uint32_t exit_visits;
    Vec(uint32_t) callers; /* instances to look at again when the exit changes */
    bool queued, active;
} Instance;
typedef struct Explorer Explorer;
typedef struct Site {
    uint32_t function, call; /* the call is the index of its instruction in the code */
} Site;

struct Analysis {
    const Program *program;
    AnalyseOptions options;
    Values values;
    Memory memory;
    Vec(Instance) instances;
    Vec(Site) sites;
    Map site_numbers;
    Vec(uint32_t) queue;
    uint32_t **definitions; /* per function and register: index + 1 of the first instruction that writes it; made when needed */
    uint32_t forks;         /* states that the one that is followed was divided into */
    uint32_t **orders;      /* per function: blocks in reverse postorder, then the place of each block in it; made when needed */
    Key *keys;              /* per function */
    uint8_t *takes;         /* per branch */
    uint64_t work;
    bool failed;
    uint8_t *dirty;     /* per block and partition of the instance that is interpreted: its state has grown */
    uint32_t depth;     /* of instances that are interpreted inside each other */
    State *fresh;       /* states that a sweep finds, in place of those that widening left */
    bool sweep_back;    /* the sweep follows backward edges */
    Explorer *explorer; /* while states are explored one by one (explore.c), and afterwards; else NULL */
    /* Where the states between blocks go, while they are written out. */
    void (*on_call)(void *data, uint32_t instance, const Instr *call, const uint32_t *state);
    void *on_call_data;
    /* Before each instruction that is interpreted; NULL: nobody asks. */
    void (*on_instr)(void *data, uint32_t at, const uint32_t *state);
    void *on_instr_data;
};

/* Interprets the function once more as it is called from outside, with the states that were found; afterwards analysis_takes tells of these activations alone. */
void analyse__look(Analysis *analysis, uint32_t function, void (*on_instr)(void *data, uint32_t at, const uint32_t *state), void *data);
uint32_t analyse__state_size(const Analysis *analysis, uint32_t function);
/* Interprets a block from a state (which is changed), and hands each state at a successor to `flow`. */
typedef void Flow(Analysis *analysis, uint32_t instance, uint32_t from, uint32_t to, const uint32_t *state);
void analyse__block(Analysis *analysis, uint32_t instance, uint32_t block, State state, Flow *flow);
/* The same from an instruction of the block on. */
void analyse__block_from(Analysis *analysis, uint32_t instance, uint32_t function, uint32_t block, uint32_t from, State state, Flow *flow);
void analyse__choose_keys(Analysis *analysis);
/* The slot of states that a compared operand stands for: itself, or the cell that it was loaded from; UINT32_MAX: none with a name in the bitcode. */
uint32_t analyse__slot(const Analysis *analysis, uint32_t function, Operand operand, uint32_t width);
uint32_t analyse__stride(const Analysis *analysis, uint32_t function); /* partitions that it has */
/* Hands over the parts of a state, each with its partition. */
typedef void Part(Analysis *analysis, void *data, uint32_t partition, const uint32_t *state);
void analyse__split(Analysis *analysis, uint32_t function, const uint32_t *state, Part *part, void *data);
/* Adds `from` to `to`, which may be NULL yet; widens after several times; true if that changed it. */
bool analyse__join(Analysis *analysis, State *to, const uint32_t *from, uint32_t size, uint32_t *visits);
uint32_t analyse__site(Analysis *analysis, uint32_t function, uint32_t call);
/* The call's effect on the state: false if it does not return (yet).  In engine.c. */
bool analyse__call(Analysis *analysis, uint32_t instance, uint32_t at, State state);
/* Does the call pass as many arguments as the function declares, of the same types?  Otherwise nothing is known of its parameters. */
bool analyse__fits(const Function *callee, const CallSite *site);
void analyse__leave(Analysis *analysis, uint32_t instance, const Instr *instr, const uint32_t *state);
typedef enum Forget { FORGET_ESCAPED, FORGET_EXPOSED, FORGET_GLOBALS /* and what has escaped */ } Forget;
void analyse__forget(const Analysis *analysis, uint32_t function, State state, Forget what); /* these cells hold anything */
uint32_t analyse__operand(Analysis *analysis, const uint32_t *state, Operand operand, uint32_t width);

/* ---- explore.c, explore_focus.c ---- */
typedef struct Activation {  /* a function in the list of calls that led to it */
    uint32_t function, site; /* UINT32_MAX: called from outside */
    uint32_t caller;         /* number of the activation that called it */
    uint32_t level;          /* calls below it */
    uint32_t base, size;     /* the first slot of its frame, and how many slots a state has while it is the innermost */
    bool entered;
} Activation;
typedef struct
    Stored { /* what is known at a point: in order the cells of globals, then for each activation its registers, cells and result */
    State state;
    uint64_t key; /* hash of what it is not joined over */
    uint32_t visits;
    bool queued;
} Stored;
typedef struct Point {
    uint32_t activation, at; /* index of the next instruction; code_count: the exit */
    uint64_t *live;          /* registers that are noted; of the exit NULL */
    Vec(Stored) states;
} Point;
typedef struct Pending { /* a state that was not followed yet */
    uint64_t order;
    uint32_t point, state;
} Pending;
struct Explorer {
    Vec(Activation) activations;
    Map activation_numbers, point_numbers;
    Vec(Point) points;
    Vec(Pending) queue;   /* a heap; the lowest order is the first */
    uint8_t *joined;      /* per name: states are joined over it */
    uint8_t *left_out;    /* per name: nothing is noted of it */
    uint32_t *first_name; /* per function: of its registers, then its cells and its result; names of the cells of globals come first */
    uint32_t names;
    uint64_t **live;        /* per function, made when needed */
    uint32_t **definitions; /* per function and register: index + 1 of the first instruction that writes it; made when needed */
    uint32_t forks;         /* states that the one that is followed was divided into */
    uint32_t **orders;      /* per function: blocks' places in the order in which they are looked at; made when needed */
    uint32_t now;           /* activation that is interpreted */
    State outer;            /* the whole state there; of the frames of callers alone it is used */
    uint64_t slots;         /* in all states */
    uint64_t work_end;      /* when to give up */
    uint32_t target;        /* the exploration may end when this branch is taken; UINT32_MAX: none */
    uint32_t crowded;       /* point with too many states, + 1 */
    Vec(Cell) missing;      /* cells that pointers lead to and that states do not have */
    bool failed;
};
uint32_t analyse__level(const Analysis *analysis); /* of the activation that is interpreted; 0 without an exploration */
uint32_t explore__symbol(Analysis *analysis, const Const *constant);
void explore__call(Analysis *analysis, uint32_t at, const uint32_t *state);
void explore__leave(Analysis *analysis, const Instr *instr, const uint32_t *state);
typedef void OnSlot(Analysis *analysis, void *data, uint32_t slot, uint32_t name);
void explore__each_slot(Analysis *analysis, uint32_t activation, OnSlot *on_slot, void *data); /* of the states with it innermost */
uint32_t explore__frame_size(const Analysis *analysis, uint32_t function);
bool explore__is_single(const Analysis *analysis, uint32_t id);
bool explore__once(Analysis *analysis); /* false: it did not come to its end, too many states came to one point, or the target is taken */
void explore__forget_points(Explorer *explorer);
const Instr *explore__definition(Analysis *analysis, uint32_t function,
                                 uint32_t reg);          /* the first instruction that writes it; NULL: none */
bool explore__divides(Analysis *analysis, uint32_t reg); /* values of the register make states of their own */
void explore__miss(Explorer *explorer, uint32_t object, uint64_t offset, uint32_t bytes);
const Point *explore__point(const Explorer *explorer, uint32_t activation, uint32_t at); /* NULL: it is not reached */
void explore__release(Analysis *analysis);
/* pointers.c */
void explore__forget_outer(const Analysis *analysis, bool exposed); /* locals of the callers that have escaped hold anything */
uint32_t analyse__initial(Analysis *analysis, uint32_t object, uint64_t offset,
                          uint32_t bytes); /* initial value of part of a global; 0: anything */
/* explore_write.c: the nodes of the certificate */
void explore__nodes(Analysis *analysis, StrBuf *out);
/* certificate.c: what the certificate calls a slot of a function's state; NULL: nothing of the bitcode.  The caller's to free. */
char *certificate__slot_name(const Analysis *analysis, uint32_t function, uint32_t slot);

#endif
