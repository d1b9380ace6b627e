/* What the interpretation of blocks (block.c) shares with that of pointers (pointers.c). */
#ifndef CLEW_ANALYSE_BLOCK_INT_H
#define CLEW_ANALYSE_BLOCK_INT_H

#include "analyse/analyse_int.h"

typedef struct Run {
    Analysis *a;
    uint32_t instance, function;
    const Function *f;
    State state;
    uint32_t *defined; /* per slot of the state: index + 1 of the instruction in this block that wrote it last, 0: none did */
    uint32_t first;    /* instruction of the block */
    bool dead;         /* execution does not get past this point */
} Run;

/* ---- block.c ---- */
Value run__get(const Run *r, Operand operand, uint32_t width);
const Cell *run__cell_at(const Memory *memory, uint32_t object, uint64_t offset, uint32_t bytes); /* NULL: there is none */
/* Writes to some bytes of an object, in the activation at `level` if it is a local; `id` is the value of exactly these; `maybe`: or does not write. */
void run__write_cells(Run *r, uint32_t object, uint32_t level, uint64_t offset, uint64_t size, uint32_t id, bool maybe, uint32_t at);

/* ---- pointers.c: only while states are explored (explore.c) ---- */
/* The places that a pointer may lead to.  False: some are not known. */
bool run__pointees(const Run *r, Operand pointer, Value *places);
uint32_t run__load(Run *r, const Value *places, uint32_t bytes);
void run__store(Run *r, const Value *places, uint32_t bytes, uint32_t id, uint32_t at);
/* The address that an ADDRESS instruction computes. */
Value run__address(const Run *r, const Instr *instr);
/* Where the state holds a cell, in the activation at `level` if it is a local's; NULL: the activation belongs to another function. */
uint32_t *run__slot(const Run *r, uint32_t level, const Cell *cell);
/* Some bytes from there on hold anything. */
void run__clear(Run *r, const Value *places, uint64_t size, uint32_t at);

#endif
