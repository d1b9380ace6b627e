/* support: which inputs an expression depends on, kept per node.
 *
 * A set of variables is a list of ranges of their numbers (the bytes of an input are numbered one after the other), shared by all nodes that have
 * it; unions are remembered.  So a path's n-th condition costs only its own new nodes, and the prefixes x0, x0..x1, x0..x2, … of a long
 * input cost one range each. */
#ifndef CLEW_SUPPORT_H
#define CLEW_SUPPORT_H

#include "expr/expr.h"

typedef uint32_t VarSet; /* 0: the empty set */

typedef struct VarRange {
    uint32_t low, end; /* variable numbers low .. end-1 */
} VarRange;

typedef struct VarSetData {
    uint32_t first, count; /* into ranges */
    uint32_t next;         /* with the same hash; 0: none */
} VarSetData;

typedef struct Support {
    ExprPool *pool;
    uint32_t *sets; /* by Expr: 1 + its set; 0: not known yet */
    uint32_t reserved;
    Vec(VarSetData) data;
    Vec(VarRange) ranges;
    Map by_hash;
    Map unions;
    Vec(Expr) work;
} Support;

void support_init(Support *support, ExprPool *pool);
void support_release(Support *support);
void support_forget(Support *support, uint32_t count);
VarSet support_of(Support *support, Expr e);
const VarRange *support_ranges(const Support *support, VarSet set, uint32_t *count);

#endif
