/* Objects in memory, for whoever follows a program without executing it: which are modelled, which pointers may lead to them, which functions are called from
 * outside, and what calls of other code do (memory.c). */
#ifndef CLEW_ANALYSE_OBJECTS_H
#define CLEW_ANALYSE_OBJECTS_H

#include "analyse/analyse.h"

typedef struct Object {
    uint32_t function; /* that the local belongs to; UINT32_MAX: a global */
    uint32_t index;    /* the number of the global variable, or of the ALLOCA instruction in its function's code */
    uint64_t size;
    bool tracked; /* its cells have values in states */
    bool escaped; /* pointers that are not followed here may lead to it */
    bool exposed; /* unknown code may change it: it has escaped, or a function writes it that such code may call, perhaps through others */
    bool constant;
    uint32_t first_cell, cell_count;
} Object;
typedef struct Cell {
    uint32_t object, offset, bytes;
    uint32_t slot; /* in states, after the registers: cells of globals come first and have the same slot in all functions */
} Cell;
typedef struct Address { /* the object that an operand points into, and where, as far as that is known */
    uint32_t object;     /* number + 1; 0: unknown */
    uint64_t offset;
    bool variable; /* something unknown is added */
} Address;
typedef struct Memory {
    Vec(Object) objects;
    Vec(Cell) cells;          /* those of an object together, by offset */
    uint32_t *global_objects; /* per global: number + 1 */
    Address **registers;      /* per function and register */
    uint32_t global_slots;
    uint32_t *local_slots; /* per function */
    uint8_t *taken;        /* per function: its address is used otherwise than to call it */
    uint8_t *open;         /* per function: called from outside */
    bool outside;          /* calls lead out of the program to code of which nothing is known */
} Memory;
typedef enum Effect {
    EFFECT_STILL /* none */,
    EFFECT_QUIET /* on what has escaped */,
    EFFECT_ASSUME,
    EFFECT_UNKNOWN /* on what is exposed */
} Effect;
Effect objects_effect(const Program *program, const Function *function, const CallSite *site); /* of calling a function without a body */
bool objects_runs(const Function *function);                                                   /* its body is what is called */
bool objects_find(Memory *memory, const Program *program,
                  const AnalyseOptions *options); /* false: the program does something that this analysis does not support */
/* A further cell; false: there are too many.  Afterwards cells have to be numbered again. */
bool objects_add_cell(Memory *memory, uint32_t object, uint64_t offset, uint32_t bytes);
void objects_number_cells(Memory *memory);
void objects_release(Memory *memory, const Program *program);
Address objects_address(const Memory *memory, const Program *program, uint32_t function, Operand operand);
bool objects_initial(const Program *program, const Object *object, uint64_t offset, uint32_t bytes, uint64_t *value);
/* The address that begins at this byte of a global's initial value, as a constant operand; false: there is none. */
bool objects_initial_address(const Program *program, const Object *object, uint64_t offset, Operand *address);

#endif
