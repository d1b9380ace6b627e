/* For tests of the VM: explores all paths of a small function by going back along the trail, and decides what is satisfiable by
 * trying every assignment of its few input bits.  Slow and obviously right, which is the point.
 *
 * A node of the tree of paths is a prefix of conditions.  At each node the conditions already explored are kept; an assignment that
 * satisfies the prefix and none of them leads on to a new one.  Checks that are only reported (a signed overflow) divide nothing:
 * execution goes on the same way.  They count as found if some assignment on the prefix makes them fail. */
#ifndef CLEW_TEST_EXPLORE_H
#define CLEW_TEST_EXPLORE_H

#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXPLORE_INPUTS = 3 };

typedef struct ExploreEnd {
    VmStopKind kind;
    int status;
    BugKind bug;
    uint32_t loc;
    uint32_t result;
} ExploreEnd;

typedef struct ExploredPath {
    Vec(VmCondition) conditions; /* those that divide the inputs */
    ExploreEnd end;
    Expr result; /* 0: constant */
} ExploredPath;

typedef struct Explore {
    const Program *program;
    const Function *function;
    ExprPool *pool;
    unsigned bits[EXPLORE_INPUTS], inputs;
    Expr vars[EXPLORE_INPUTS], arguments[EXPLORE_INPUTS];
    uint32_t assignments; /* 2 to the sum of the bits */
    ExprModel *model;     /* for trying */
    Map truth;            /* condition -> offset of its row in `rows`: a byte for each assignment */
    Vec(uint8_t) rows;
    Vec(ExploredPath) paths;
    Map reports; /* (bug, loc): reported, or found to be possible */
    uint64_t returns;
} Explore;

static inline uint64_t explore_input(const Explore *x, uint32_t assignment, unsigned input)
{
    unsigned shift = 0;
    for (unsigned i = 0; i < input; i++) shift += x->bits[i];
    return assignment >> shift & ((1u << x->bits[input]) - 1);
}

static inline void explore_assign(const Explore *x, ExprModel *model, uint32_t assignment)
{
    for (unsigned i = 0; i < x->inputs; i++) expr_model_set(model, x->vars[i], explore_input(x, assignment, i));
}

static inline void explore_init(Explore *x, const Program *program, const Function *function, const unsigned *bits, unsigned inputs)
{
    *x = (Explore){.program = program, .function = function, .pool = expr_pool_new(), .inputs = inputs, .assignments = 1};
    for (unsigned i = 0; i < inputs; i++) {
        char name[2] = {(char)('a' + i), 0};
        x->bits[i] = bits[i];
        x->vars[i] = expr_var(x->pool, bits[i], name);
        x->arguments[i] = expr_zext(x->pool, x->vars[i], function->params[i].type.width);
        x->assignments <<= bits[i];
    }
    x->model = expr_model_new(x->pool);
}

static inline void explore_release(Explore *x)
{
    for (uint32_t i = 0; i < x->paths.len; i++) vec_release(&x->paths.data[i].conditions);
    vec_release(&x->paths);
    vec_release(&x->rows);
    map_release(&x->truth);
    map_release(&x->reports);
    expr_model_free(x->model);
    expr_pool_free(x->pool);
}

/* ---- by trying ---- */

/* For each assignment, is the condition true? */
static inline const uint8_t *explore_row(Explore *x, Expr condition)
{
    uint64_t *known = map_find(&x->truth, condition);
    if (!known) {
        uint32_t at = x->rows.len;
        vec_reserve(&x->rows, at + x->assignments);
        x->rows.len = at + x->assignments;
        for (uint32_t k = 0; k < x->assignments; k++) {
            explore_assign(x, x->model, k);
            x->rows.data[at + k] = expr_eval(x->model, condition) != 0;
        }
        map_put(&x->truth, condition, at);
        return x->rows.data + at;
    }
    return x->rows.data + *known;
}

/* Clears those assignments for which the condition is not `wanted`. */
static inline void explore_narrow(Explore *x, uint8_t *set, Expr condition, bool wanted)
{
    const uint8_t *row = explore_row(x, condition);
    for (uint32_t k = 0; k < x->assignments; k++) set[k] = set[k] && row[k] == wanted;
}

static inline uint32_t explore_any(const Explore *x, const uint8_t *set)
{
    for (uint32_t k = 0; k < x->assignments; k++)
        if (set[k]) return k;
    return UINT32_MAX;
}

/* ---- running ---- */

static inline void explore_on_report(void *data, const VmReport *report)
{
    map_put(&((Explore *)data)->reports, (uint64_t)report->bug << 32 | report->loc, 1);
}

static inline Vm *explore_vm(Explore *x, bool marks, bool reference)
{
    VmOptions options = {.exploring = true,
                         .quiet_output = true,
                         .marks = marks,
                         .reference = reference,
                         .on_report = explore_on_report,
                         .on_report_data = x};
    Vm *vm;
    Error error;
    if (vm_new(&vm, x->program, x->pool, &options, &error) != OK) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    return vm;
}

static inline void explore_start(Explore *x, Vm *vm, const Expr *arguments)
{
    Error error;
    if (vm_start_function_values(vm, x->function, arguments, x->inputs, &error) != OK) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
}

static inline ExploreEnd explore_end(Vm *vm, VmStop stop, Expr *result)
{
    ExploreEnd end = {.kind = stop.kind, .status = stop.status, .bug = stop.kind == VM_BUG ? stop.bug : BUG_NONE};
    end.loc = stop.kind == VM_BUG ? stop.loc : 0;
    *result = 0;
    if (stop.kind == VM_EXIT) end.result = (uint32_t)vm_result(vm, result);
    return end;
}

static inline void explore_keep(Explore *x, Vm *vm, VmStop stop)
{
    ExploredPath path = {.end = explore_end(vm, stop, &path.result)};
    for (uint32_t i = 0; i < vm_path_length(vm); i++)
        if (vm_condition(vm, i)->divides) vec_push(&path.conditions, *vm_condition(vm, i));
    vec_push(&x->paths, path);
}

/* Checks on this path that only report: could one fail here? */
static inline void explore_reports(Explore *x, Vm *vm)
{
    uint8_t *set = mem_alloc(x->assignments);
    memset(set, 1, x->assignments);
    for (uint32_t i = 0; i < vm_path_length(vm); i++) {
        const VmCondition *c = vm_condition(vm, i);
        if (c->divides) {
            explore_narrow(x, set, c->condition, true);
            continue;
        }
        const uint8_t *row = explore_row(x, c->condition);
        for (uint32_t k = 0; k < x->assignments; k++)
            if (set[k] && !row[k]) map_put(&x->reports, (uint64_t)c->bug << 32 | c->loc, 1);
    }
    free(set);
}

/* ---- depth first ---- */

typedef struct ExploreNode {
    VmMark mark;   /* at or before the condition; a check has no mark of its own */
    Expr current;  /* the condition now on the path */
    uint8_t *here; /* assignments that lead here */
    uint8_t *rest; /* those of them that no explored condition has */
} ExploreNode;
typedef struct ExploreSearch {
    Explore *x;
    Vm *vm;
    Vec(ExploreNode) nodes;
    VmMark first;
} ExploreSearch;

static inline const ExploredPath *explore_last(const Explore *x)
{
    return &x->paths.data[x->paths.len - 1];
}

/* Nodes for the conditions of the newest path beyond those there are. */
static inline void explore_extend(ExploreSearch *s)
{
    Explore *x = s->x;
    const ExploredPath *path = explore_last(x);
    for (uint32_t k = s->nodes.len; k < path->conditions.len; k++) {
        const VmCondition *c = &path->conditions.data[k];
        ExploreNode node = {.mark = c->mark, .current = c->condition, .here = mem_alloc(x->assignments), .rest = mem_alloc(x->assignments)};
        if (node.mark == VM_NO_MARK) node.mark = k ? s->nodes.data[k - 1].mark : s->first;
        if (k == 0) memset(node.here, 1, x->assignments);
        else memcpy(node.here, s->nodes.data[k - 1].here, x->assignments);
        if (k > 0) explore_narrow(x, node.here, s->nodes.data[k - 1].current, true);
        memcpy(node.rest, node.here, x->assignments);
        explore_narrow(x, node.rest, node.current, false);
        vec_push(&s->nodes, node);
    }
}

static inline void explore_pop(ExploreSearch *s)
{
    ExploreNode *node = &s->nodes.data[--s->nodes.len];
    free(node->here);
    free(node->rest);
}

/* Goes on at the last node under the assignment; the conditions before it must come out the same.  A path that ends in a fault there
 * leaves no condition: then the assignment alone is done. */
static inline void explore_go(ExploreSearch *s, uint32_t assignment)
{
    Explore *x = s->x;
    uint32_t depth = s->nodes.len - 1;
    ExploreNode *node = &s->nodes.data[depth];
    vm_return(s->vm, node->mark);
    x->returns++;
    explore_assign(x, vm_model(s->vm), assignment);
    explore_keep(x, s->vm, vm_run(s->vm));
    explore_reports(x, s->vm);
    const ExploredPath *path = explore_last(x);
    REQUIRE(path->conditions.len >= depth, "a shorter path under a model that satisfies its prefix");
    for (uint32_t k = 0; k < depth; k++)
        REQUIRE(path->conditions.data[k].condition == s->nodes.data[k].current, "another path under a model that satisfies its prefix");
    if (path->conditions.len == depth) {
        node->rest[assignment] = 0;
        return;
    }
    node->current = path->conditions.data[depth].condition;
    REQUIRE(explore_row(x, node->current)[assignment], "a condition that does not hold under its own model");
    explore_narrow(x, node->rest, node->current, false);
    explore_extend(s);
}

/* All paths, into x->paths. */
static inline void explore_all(Explore *x, bool reference)
{
    ExploreSearch s = {.x = x, .vm = explore_vm(x, true, reference)};
    explore_start(x, s.vm, x->arguments);
    s.first = vm_mark(s.vm);
    explore_keep(x, s.vm, vm_run(s.vm));
    explore_reports(x, s.vm);
    explore_extend(&s);
    while (s.nodes.len) {
        uint32_t other = explore_any(x, s.nodes.data[s.nodes.len - 1].rest);
        if (other == UINT32_MAX) explore_pop(&s);
        else explore_go(&s, other);
    }
    vec_release(&s.nodes);
    vm_free(s.vm);
}

#endif
