/* What the files of the technique `sequences` share: sequences of input values, and what is known of them (by_sequences.c).
 *
 * The first inputs of a sequence may be *fixed*: they are there before the program asks for the first input by itself.  These are bytes of files and
 * arguments, and what the harness of a unit makes before the call.  Fixed inputs stand at the same positions in all sequences, in groups that lie in one
 * object each; the inputs behind them are *asked*: their number depends on how far the program goes. */
#ifndef CLEW_SEQUENCES_H
#define CLEW_SEQUENCES_H

#include "search/search_int.h"

enum { MOST_LENGTH = 1 << 14 /* inputs of a sequence, as many as runs are followed for (depth.c) */ };

typedef Vec(U128) Values;

/* The inputs of a rehearsal.  The sequences that are kept of the rehearsal begin with them, and share them. */
typedef struct Inputs {
    uint32_t users, count;
    uint32_t *
        places; /* of each input, which of the program's requests it answers (VmInput.request), or the object that it lies in if it is fixed */
    U128 values[];
} Inputs;

/* The shortest sequence known that does a deed: the one with fewest inputs, and among these with fewest instructions. */
typedef struct Sequence {
    Inputs *inputs;  /* NULL: the sequence has none */
    uint32_t length; /* of the inputs, how many belong to the sequence */
    uint32_t fixed;  /* how many inputs are fixed */
    uint64_t steps;  /* instructions of the rehearsal that it was kept of */
    uint64_t hits;   /* in how many rehearsals the deed was done */
    uint64_t work;   /* that was spent on sequences made of it */
} Sequence;

/* A rehearsal takes some branch for the 2^n-th time, comes near to a branch that no run has taken, or ends in a state with some value, or pair of
 * values, or in a state that was not seen before. */
typedef enum DeedKind {
    DEED_BRANCH,
    DEED_NEAR,  /* by some distance (VmTaken.distance) */
    DEED_VALUE, /* somewhere in the last state */
    DEED_PAIR,  /* of values there */
    DEED_STATE, /* all of them together */
    DEED_KINDS
} DeedKind;

/* A sequence in which a stretch comes several times in a row.  Where the machine's state after some repetition is one that it had after an earlier one, further
 * repetitions go round the same states, so fewer of them lead to the same end. */
typedef struct Repeat {
    uint32_t from, size, times; /* the first repetition begins at input `from`; times 0: nothing is repeated */
    uint32_t kept;              /* `state` is the machine's state after this many repetitions */
    uint32_t next;              /* the number of repetitions after which a state is compared next */
    bool has_state;
    VmState state;
    uint32_t period; /* repetitions between two equal states, 0: none were seen */
} Repeat;

/* The inputs that are symbolic while a sequence is executed. */
typedef struct Window {
    uint32_t from, end;
} Window;
static const Window sequences__no_window = {UINT32_MAX, UINT32_MAX};

/* The last sequence that was kept because it comes near to the branch. */
typedef struct NearBranch {
    uint32_t branch, last;
} NearBranch;

/* A state in the rehearsal of the base, see sequence_checkpoints.c. */
typedef struct Checkpoint {
    VmMark mark;
    uint32_t inputs; /* that the program had asked for */
    uint32_t nodes;  /* the pool's count: what the state needs lies below */
    uint64_t steps;  /* instructions from the start */
    VmTaken *taken;  /* so far */
} Checkpoint;

enum { MOST_CHECKPOINTS = 16 }; /* one for each power of two up to MOST_LENGTH, and one at the end */

typedef struct BySequences {
    Search *search;
    Random random;
    Vec(Sequence) kept[DEED_KINDS];
    Map of_deed[DEED_KINDS];        /* deed -> index of the sequence that does it */
    uint64_t steps;                 /* instructions of the last rehearsal */
    uint32_t length;                /* of the sequence that is being rehearsed: its last state is looked at, … */
    Vec(uint64_t) ends[DEED_KINDS]; /* … and this is what it has shown, as deeds */
    Vec(Values) given;              /* sequences of other techniques, to be rehearsed */
    uint64_t value_count;           /* of all that are kept, shared ones once */
    uint64_t length_sum;            /* of the sequences that are kept */
    Values trial, repeated;         /* sequences at hand */
    Values shortened;               /* one of them, without what goes round the same states */
    Repeat repeat;                  /* in the sequence that was made last */
    Sequence latest;                /* that was rehearsed */
    VmTaken *taken;                 /* by the last rehearsal */
    Vec(uint32_t) near_before; /* of each sequence of DEED_NEAR: 1 + the number of one before that comes near to the same branch, 0: none */
    Vec(NearBranch) near_branches; /* branches that sequences come near to */
    uint64_t change_work, window_work;
    uint64_t turn_work, repeat_work; /* in windows */
    Values base;                     /* the sequence that others are made of now; empty: there is none */
    uint32_t base_fixed;             /* how many of its inputs are fixed */
    uint32_t reach;                  /* inputs of the base up to which checkpoints can be made */
    Checkpoint checkpoints[MOST_CHECKPOINTS];
    uint32_t checkpoint_count;
    bool lays;                                  /* the base is being executed to make checkpoints */
    uint64_t steps_before, instructions_before; /* of the sequence, and of the machine, when the machine was last started */
    uint64_t way_work;                          /* that executing the base took */
} BySequences;

/* sequence_deeds.c: which sequences are kept, and which one is gone on from */
void sequences__take(BySequences *self, const Values *values); /* The latest sequence becomes that of the machine's last rehearsal. */
/* After a rehearsal: the program has ended without asking for an input, so what is in its globals is the last state. */
void sequences__note_last_state(BySequences *self);
void sequences__note_deeds(BySequences *self); /* of the last rehearsal, whose inputs are those of the latest sequence */
const Sequence *sequences__choose(BySequences *self, DeedKind *kind,
                                  uint32_t *index); /* one whose deed is rare, and on which little work was spent */
const Sequence *sequences__choose_any(BySequences *self);
const Sequence *sequences__choose_near(BySequences *self, uint32_t *index); /* one that comes near to a goal; NULL: none was found */
void sequences__release(BySequences *self);

/* sequence_changes.c: new sequences out of others, by chance.  Each function writes all of *made. */
uint32_t sequences__below(BySequences *self, uint32_t n);                                  /* a random number */
uint32_t sequences__choose_place(BySequences *self, const Sequence *sequence);             /* the number of an input */
void sequences__change(BySequences *self, const Sequence *sequence, Values *made);         /* in some way */
void sequences__repeat_stretch(BySequences *self, const Sequence *sequence, Values *made); /* many times */
/* The sequence without the repetitions that go round the same states (Repeat.period): its end is the same. */
void sequences__shorten(const Repeat *repeat, const Values *values, Values *made);
void sequences__prolong(const Sequence *sequence, uint32_t length,
                        Values *made); /* Repeats the sequence's last round until there are `length` inputs. */

/* by_sequences.c */
/* Executes the sequence from the checkpoint, or from the start if that is NULL, until the program asks for more than `length` inputs. */
VmStop sequences__execute(BySequences *self, const Checkpoint *from, const Values *values, Window window, uint32_t length, VmTaken *taken);
/* The same from the best checkpoint. */
VmStop sequences__perform(BySequences *self, const Values *values, Window window, uint32_t length, VmTaken *taken);
/* Executes the sequence with constants and keeps it for what it has done.  Repetitions that only go round the same states are left out, and what comes after
 * them is rehearsed behind the others. */
void sequences__rehearse(BySequences *self, const Values *values);

/* sequence_windows.c: rehearses what becomes of the sequence when the solver turns conditions on some of its inputs. */
void sequences__look(BySequences *self, const Sequence *sequence);

/* sequence_checkpoints.c */
void sequences__begin(BySequences *self, const Sequence *sequence); /* sequences are made of this one from now on, … */
void sequences__end(BySequences *self);                             /* … and no longer */
void sequences__drop_checkpoints(BySequences *self);                /* the machine has gone back further */
void sequences__lay(BySequences *self); /* the program asks for an input in the base: makes a checkpoint, if one belongs here */
/* The best one to execute the sequence from, whose inputs from `end` on are to be symbolic; it may have to be made first.  NULL: the start. */
const Checkpoint *sequences__checkpoint(BySequences *self, const Values *values, uint32_t end);
void sequences__release_checkpoints(BySequences *self);
static inline bool sequences__are_asked(const Sequence *sequence)
{
    return sequence->fixed < sequence->length;
}

#endif
