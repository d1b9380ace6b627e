/* Between intrinsics.c and expand.c: an entry of the table of intrinsics, and a call of one. */
#ifndef CLEW_FRONT_INTRINSICS_H
#define CLEW_FRONT_INTRINSICS_H

#include "front/front_int.h"

struct Intrinsic;
typedef struct IntrinsicCall {
    LLVMValueRef call;
    uint32_t first; /* register of the result */
    const Shape *shape;
    const struct Intrinsic *entry;
} IntrinsicCall;
typedef struct Intrinsic {
    const char *name;
    void (*lower)(Lower *l, const IntrinsicCall *call);
    int number;       /* opcode, predicate, count or constant, as the lowering wants it */
    const char *text; /* name of a library function */
} Intrinsic;

void front__expand_abs(Lower *l, const IntrinsicCall *c);
void front__expand_choice(Lower *l, const IntrinsicCall *c); /* number: predicate under which the first one is chosen */
void front__expand_saturation(Lower *l, const IntrinsicCall *c);
void front__expand_muladd(Lower *l, const IntrinsicCall *c);
void front__expand_copysign(Lower *l, const IntrinsicCall *c);
void front__expand_fpclass(Lower *l, const IntrinsicCall *c);
void front__expand_float_to_int(Lower *l, const IntrinsicCall *c);
void front__expand_powi(Lower *l, const IntrinsicCall *c);
void front__expand_reduction(Lower *l, const IntrinsicCall *c);
void front__expand_reduction_choice(Lower *l, const IntrinsicCall *c);
void front__expand_float_reduction(Lower *l, const IntrinsicCall *c);

#endif
