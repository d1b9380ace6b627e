/* observer: a module above the machine that is told what the machine does, and what such a module may do to a machine that has stopped.
 *
 * A machine has one observer at most.  Calls of watched functions, conditions, and going back are told whenever there is one; what happens to places in memory
 * is told only while it is isolating, which means that code is executed from a state that is not known (isolate/).  Nothing is told of marked functions
 * that are executed for their value alone, nor of code that native code has called back.  Without an observer each of these is one test of a
 * flag, in code that the dispatch loop leaves to the reference interpreter anyway. */
#ifndef CLEW_VM_OBSERVER_H
#define CLEW_VM_OBSERVER_H

#include "vm/vm.h"

typedef enum VmPlaceEvent {
    PLACE_NAMED,   /* the program itself knows the address: a constant is followed */
    PLACE_SIZED,   /* how the access goes depends on where the object begins and ends */
    PLACE_READ,    /* about to be read; the observer may change what is there (vm_replace) */
    PLACE_WRITTEN, /* about to be written */
    PLACE_MADE,    /* an object was allocated */
    PLACE_FREED,   /* an object of the heap is about to go */
} VmPlaceEvent;

typedef struct VmAccess { /* bytes were looked at for whether they may be accessed */
    uint64_t address, bytes;
    uint64_t base; /* the pointer that the address was computed from; 0: not known */
    bool write;
    bool fine; /* false: vm_stop says why not */
} VmAccess;

typedef enum VmOutside { OUTSIDE_MACHINE /* a function of the machine's own */, OUTSIDE_NATIVE, OUTSIDE_FLOATS, OUTSIDE_LOSS } VmOutside;

/* All functions get `data` first; all but those of places must be there. */
typedef struct VmObserver {
    void *data;        /* NULL: there is no observer */
    uint32_t position; /* how much the observer has logged; going back to a mark undoes what was logged since */
    bool isolating;
    bool (*call)(void *data, const Function *function); /* a watched function is about to be called; true: the run has been stopped */
    /* A call of vm_enter_call, or of vm_tell_return, is over; true: the run has been stopped.  `results` is NULL if the machine has done it
     * without the function's code. */
    bool (*returned)(void *data, const Function *function, const Expr *results, uint32_t count);
    void (*condition)(void *data, ConditionKind kind); /* about to be put on the path */
    void (*branch)(void *data, uint32_t branch);       /* taken, while isolating */
    void (*undone)(void *data, uint32_t position);     /* the machine is as it was at a mark of that position; 0: as before all */
    void (*tick)(void *data);                          /* from time to time, while isolating */
    Expr (*settle)(void *data, Expr variable); /* which address the variable has, in a condition of the observer's own; 0: not said */
    void (*place)(void *data, VmPlaceEvent event, uint64_t address, uint64_t bytes);
    void (*access)(void *data, const VmAccess *access);
    Expr (*limit)(void *data, uint64_t start, Expr limit); /* how the isolated code sees the end of the object */
    /* What comes next depends on more than registers and memory; `text` names it.  False: the run has been stopped. */
    bool (*outside)(void *data, VmOutside what, const char *text);
} VmObserver;
VmObserver *vm_observer(Vm *vm); /* zero at first; whoever observes fills it in, and clears it at the end */

/* ---- calls ---- */
bool vm_watch_active(Vm *vm); /* calls of all functions that are active are told from now on; true: some were not before */
void vm_decline(Vm *vm, const Function *function); /* … and of this one never again */
bool vm_is_watched(const Vm *vm, const Function *function);
typedef struct VmFrame {
    const Function *function;
    const Instr *instr; /* that is being executed: of all but the innermost frame the call */
} VmFrame;
uint32_t vm_depth(const Vm *vm);
VmFrame vm_frame(const Vm *vm, uint32_t i);                /* 0: the outermost */
bool vm_is_active(const Vm *vm, const Function *function); /* is a call of it being executed? */
/* Of the call that the innermost frame stands before: */
const Function *vm_call_target(const Vm *vm);
Expr vm_call_argument(Vm *vm, uint32_t i);                        /* in the width of the parameter */
void vm_enter_call(Vm *vm, const Expr *arguments);                /* a struct is passed by the constant address of the original */
void vm_tell_return(Vm *vm);                                      /* of this call, when it is made by vm_run */
void vm_finish_call(Vm *vm, const Expr *results, uint32_t count); /* without executing it */

/* ---- the run ---- */
void vm_end_run(Vm *vm, VmStopKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
void vm_set_stop(Vm *vm, VmStop stop);                                    /* all zero: it may run on */
void vm_record(Vm *vm, Expr decides, Expr condition, ConditionKind kind); /* puts a condition on the path */
void vm_begin_step(Vm *vm);                /* what is recorded next does not belong to what was recorded before */
void vm_save_word(Vm *vm, uint64_t *word); /* of the observer's own, before it is changed: going back restores it */
void vm_adopt(Vm *vm, Expr e);             /* an expression that the machine has not made is about to be used */
Expr vm_undefined(Vm *vm, unsigned width); /* always the same */
bool vm_is_making(const Vm *vm); /* is it inside of a harness's code that makes an object by the project's functions (unit/made.c)? */

/* ---- memory ---- */
typedef struct VmObject {
    uint64_t start, size;
    bool exists; /* or has existed */
    bool is_live, is_heap, is_readonly;
    Expr limit; /* where it ends; 0: at its size */
} VmObject;
bool vm_object(const Vm *vm, uint64_t address, VmObject *object);      /* false: the address is not in the guest's memory */
uint64_t vm_object_start(const Vm *vm, uint64_t address);              /* 0: the same */
uint32_t vm_undefined_bytes(Vm *vm, uint64_t address, unsigned bytes); /* those never written, as a set of bits */
Expr vm_read(Vm *vm, uint64_t address, unsigned bytes);                /* accessible */
void vm_replace(Vm *vm, uint64_t address, unsigned bytes, Expr value); /* with an equal value: that is no event */
void vm_put(Vm *vm, uint64_t address, unsigned bytes, Expr value);
/* The address that a pointer has, as far as it is settled by conditions; *based: the observer has said so. */
Expr vm_settle(Vm *vm, Expr pointer, bool *based);
const char *vm_name_of_global(const Vm *vm, uint64_t start); /* for people */
uint64_t vm_global_address(const Vm *vm, const char *name);  /* 0: there is none */
bool vm_is_address(uint64_t value);                          /* could it be one of the guest's, of data or code? */

#endif
