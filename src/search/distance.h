/* distance: how far it is, in blocks, from the start of a block to a branch that is not reached yet.
 *
 * One breadth-first walk from all such branches backwards over the graph of the whole program: from a block to its predecessors, from
 * a function's entry to the blocks that call it, from where a call goes on to the function's returns (of any caller: the stack is not
 * known).  A computed call may call any function whose address is taken.  The walk costs what the program's graph has edges, and is
 * made anew when it is asked for after branches were reached. */
#ifndef CLEW_DISTANCE_H
#define CLEW_DISTANCE_H

#include "base/base.h"
#include "program/program.h"

#define DISTANCE_NONE UINT32_MAX

typedef struct Distances {
    const Program *program;
    Vec(uint32_t) first;                  /* per function: the number of its first block; one more at the end */
    Vec(uint32_t) owner;                  /* per block: its function */
    Vec(uint32_t) steps;                  /* per block: the distance */
    Vec(uint32_t) call_first, callees;    /* per block, with one more at the end: the functions it calls */
    Vec(uint32_t) callers_first, callers; /* per function, the same: the blocks that call it */
    Vec(uint32_t) exit_first, exits;      /* per function, the same: the blocks that return */
    Vec(uint32_t) queue;
} Distances;

void distances_init(Distances *distances, const Program *program);
void distances_release(Distances *distances);
/* `open` is per branch: not reached yet. */
void distances_update(Distances *distances, const uint8_t *open);
/* From where a branch leads to; DISTANCE_NONE: no open branch can be reached from there. */
uint32_t distance_behind(const Distances *distances, uint32_t branch);

#endif
