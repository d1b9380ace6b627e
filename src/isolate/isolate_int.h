/* What the files of isolate/ share: the levels of isolated calls, and the log of what is undone when the machine goes back. */
#ifndef CLEW_ISOLATE_INT_H
#define CLEW_ISOLATE_INT_H

#include "isolate/isolate.h"

typedef struct Range {
    uint64_t address, bytes;
} Range;

typedef struct Level {
    IsolatedSession *session;
    uint32_t depth; /* frames of the caller */
    uint32_t completed;
    Vec(IsolatedBase) bases;
    Vec(IsolatedFact) facts;
    Map base_of;       /* variable -> base */
    Map placed;        /* start of an object -> base */
    Vec(uint64_t) own; /* objects made in it */
    Vec(Range) written;
    Vec(Expr) results;
    Vec(IsolatedWrite) writes;
} Level;

typedef enum UndoKind { UNDO_LEVEL, UNDO_FACT, UNDO_BASE, UNDO_CHANGE, UNDO_WRITTEN, UNDO_TOUCH, UNDO_OWN } UndoKind;
typedef struct Undo {
    UndoKind kind;
    uint32_t level, index;
    uint64_t key, old;
    IsolatedBase base;
} Undo;

struct Isolation {
    Vm *vm;
    ExprPool *pool;
    VmObserver *observer;
    Vec(Level) levels;
    Vec(Undo) log;
    Map touched;              /* level and 8 bytes -> which of them the level has seen */
    Map own;                  /* start of an object -> in which level it was made */
    uint8_t *seen;            /* per branch: taken in isolation, and not yet otherwise */
    Vec(uint32_t) newly_seen; /* these, in order */
    uint64_t *met;            /* per function: length of the path << 32, and how often it was called since the path had it */
    uint64_t completed;       /* calls of the path */
    uint64_t end;             /* of instructions of the path at hand */
    char unfit[160];
    Unfit how_unfit;
    bool watching, in_place;
    const IsolatedOutcome *outcome; /* of the call being completed */
    uint32_t trial;                 /* the depth below which a call is on trial; 0: none is */
};

static inline Level *isolation__level(const Isolation *isolation, uint32_t L) /* counted from 1 */
{
    return &vec_at(&isolation->levels, L - 1);
}
static inline uint32_t isolation__top(const Isolation *isolation)
{
    return isolation->levels.len;
}

/* isolate.c */
void isolation__log(Isolation *isolation, const Undo *entry);
void isolation__add_fact(Isolation *isolation, uint32_t L, const IsolatedFact *fact);
bool isolation__is_own(const Isolation *isolation, uint32_t L, uint64_t start); /* made inside the call of that level, or of one within */
void isolation__be_unfit(Isolation *isolation, const char *why);
void isolation__be_unfit_always(Isolation *isolation, const char *why);
/* watch.c */
bool isolation__call(void *data, const Function *function);
void isolation__condition(void *data, ConditionKind kind);
bool isolation__is_on_trial(const Isolation *isolation);
void isolation__met(Isolation *isolation, const Function *function); /* a call of it is past */
/* call.c */
void isolation__end(Isolation *isolation, const Function *function, const Expr *results, uint32_t count);
/* places.c */
IsolatedBase *isolation__change_base(Isolation *isolation, uint32_t L, uint32_t base);
uint32_t isolation__add_base(Isolation *isolation, uint32_t L, const IsolatedBase *base);
uint32_t isolation__canonical(const Isolation *isolation, uint32_t L, uint64_t start); /* the first base in the object; UINT32_MAX: none */
uint32_t isolation__name_of(Isolation *isolation, uint32_t L, uint64_t start);
void isolation__name(Isolation *isolation, uint32_t L, uint64_t address); /* the program itself knows the address */
void isolation__note_size(Isolation *isolation, uint32_t L, uint64_t address);
Expr isolation__settle(void *data, Expr variable);
void isolation__access(void *data, const VmAccess *access);
/* inputs.c */
Expr isolation__read_argument(Isolation *isolation, const Param *param, uint32_t i, Expr actual); /* as the innermost call sees it */
void isolation__note_read(Isolation *isolation, uint64_t address, uint64_t n);
void isolation__note_write(Isolation *isolation, uint64_t address, uint64_t n);
Expr isolation__limit(void *data, uint64_t start, Expr limit);

#endif
