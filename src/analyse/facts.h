/* What an analysis without contexts and partitions knows at each location, for proofs of other kinds. */
#ifndef CLEW_ANALYSE_FACTS_H
#define CLEW_ANALYSE_FACTS_H

#include "analyse/analyse.h"
#include "analyse/value.h"

typedef struct Facts Facts;
typedef struct FactState {
    const uint32_t *state; /* NULL: no execution comes there */
    uint32_t function;
} FactState;
Facts *facts_new(Analysis *analysis); /* which has neither contexts nor partitions, and outlives the facts */
void facts_free(Facts *facts);
FactState facts_at_block(Facts *facts, uint32_t function, uint32_t block);
FactState facts_after_call(Facts *facts, uint32_t function, uint32_t call);
const Value *facts_register(const Facts *facts, FactState at, uint32_t reg); /* NULL: nothing is known */
/* Of a number in memory that the byte of the object is part of; *start: where the number begins. */
const Value *facts_cell(const Facts *facts, FactState at, uint32_t object, uint32_t offset, uint32_t *start);

#endif
