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
    uint32_t **orders; /* per function: blocks in reverse postorder, then the place of each block in it; made when needed */
    Key *keys;         /* per function */
    uint8_t *takes;    /* per branch */
    uint64_t work;
    bool failed;
    uint8_t *dirty;  /* per block and partition of the instance that is interpreted: its state has grown */
    uint32_t depth;  /* of instances that are interpreted inside each other */
    State *fresh;    /* states that a sweep finds, in place of those that widening left */
    bool sweep_back; /* the sweep follows backward edges */
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
void analyse__leave(Analysis *analysis, uint32_t instance, const Instr *instr, const uint32_t *state);
typedef enum Forget { FORGET_ESCAPED, FORGET_EXPOSED, FORGET_GLOBALS /* and what has escaped */ } Forget;
void analyse__forget(const Analysis *analysis, uint32_t function, State state, Forget what); /* these cells hold anything */
uint32_t analyse__operand(Analysis *analysis, const uint32_t *state, Operand operand, uint32_t width);

#endif
