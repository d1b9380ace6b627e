/* loops: inputs that take a branch below loops, by solving for how often each way round a loop is gone (paper 004, "Efficient Loop Navigation for Symbolic
 * Execution").
 *
 * A *chain* is a way round a loop.  What one turn along it does comes from executing the turn in the machine, at the head of the loop, with a
 * variable in place of each register and word of memory that the loop changes; whatever the machine executes (calls, pointers, structs) may stand in a turn.
 * From that follows what n turns do, in closed form (forms.h).  Where a run comes to a loop, the machine then goes on from what a *word* of chains makes of its state: so
 * many turns along the first chain, so many along the second, and so on, with a variable for each of these numbers.  Conditions below the loop
 * depend on these variables, so the solver finds out how many turns it takes.  The constraint system of the paper is the path condition of this run.
 *
 * The numbers are then used to *steer* an execution: it goes round each loop as the solution says, and the solver is asked for inputs where it goes another way.  Only this
 * execution gives inputs, and the caller makes an ordinary run of these; so a mistake in what was thought of a loop costs work and nothing else.
 *
 * Unlike in the paper, words have an order: a variable that one chain increments and another resets has a closed form along a word, and the interleavings
 * that a word leaves out are tried by longer words (`rounds`). */
#ifndef CLEW_LOOPS_H
#define CLEW_LOOPS_H

#include "program/program.h"
#include "solve/solve.h"
#include "vm/vm.h"

#include <stdio.h>

typedef struct Loops Loops;

typedef Vec(U128) LoopsValues;

typedef struct LoopsStats {
    uint64_t attempts, solved, steered; /* goals that were tried, whose numbers of turns were found, that an execution then came to */
    uint64_t loops, chains, words;      /* loops that were gone along in closed form, chains found in them, solutions that were followed */
    uint64_t eliminated;                /* outcomes of conditions, in turns and below loops, that no input and no numbers of turns have */
    uint64_t states;                    /* conditions that symbolic executions came to */
    uint64_t questions;                 /* to the solver */
} LoopsStats;

typedef struct LoopsHost {
    const Program *program;
    Vm *vm;
    ExprPool *pool;
    Solver *solver; /* its stack is empty between calls */
    VmMark first;   /* the state before anything was executed */
    /* Executes the program at full speed with these inputs; does it take the branch? */
    bool (*takes)(void *data, const LoopsValues *values, uint32_t branch);
    uint32_t (*distance)(void *data, uint32_t branch); /* from behind a branch to the goal, in blocks; UINT32_MAX: there is no way */
    uint64_t (*work)(const void *data);                /* counted, of everything so far */
    void *data;
} LoopsHost;

typedef struct LoopsAttempt {
    uint32_t rounds; /* a word has each chain so many times */
    bool exact;      /* what turns ask of inputs that they read at a moving index is part of the system; else it is left to steering */
    bool pairs;      /* a word may alternate between two chains */
    unsigned bits;   /* of the numbers of turns */
    uint64_t work;   /* what it may cost, about */
} LoopsAttempt;

Loops *loops_new(const LoopsHost *host);
void loops_free(Loops *loops);
/* Looks for inputs that take the branch `goal`, from those of a run that has evaluated its condition or come near it. 
 * True: `found` has inputs with which the program takes the branch.  The caller returns the machine to `first` afterwards. */
bool loops_find(Loops *loops, uint32_t goal, const LoopsValues *base, LoopsAttempt attempt, LoopsValues *found);
bool loops_was_cut_off(const Loops *loops); /* loops_find has last given up because its work was spent */
bool loops_left_out(const Loops *loops);    /* it was not `exact`, and that has made a difference */
/* What loops_find has last found, in words: "the loop at line 12 goes round 1,000 times, 17 of them through line 15".  NULL: no loop is known by a line. */
const char *loops_told(const Loops *loops);
const LoopsStats *loops_stats(const Loops *loops);
void loops_add_stats(LoopsStats *to, const LoopsStats *more, int sign); /* sign: 1 or -1 */
void loops_print_stats(FILE *out, const LoopsStats *stats);             /* a line; nothing, if there was no attempt */

#endif
