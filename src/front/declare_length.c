/* Evidence that a parameter says how many elements a pointer has, as a score for each pair; the verdict is given when all is known
 * (declare_flow.c).  What counts: the parameter bounds a variable that indexes the pointer, it ends a loop in which the pointer moves, an
 * index is computed from it.  An index that is multiplied, looked up or counted in loops within loops proves nothing: the number of elements is then some product. */
#include "front/declare_int.h"

enum { INDEX_VARIABLES = 8 };

void declare__is_length(Lengths *l, RootSet roots, NumberSet numbers, Score score)
{
    for (RootSet set = roots; set; set &= set - 1) {
        Root *root = &l->facts->roots[__builtin_ctzll(set)];
        for (NumberSet n = numbers; n; n &= n - 1) {
            uint8_t *known = &root->score[__builtin_ctzll(n)];
            if (*known < score) *known = (uint8_t)score;
        }
    }
}

/* The variables of a sum; false if it is something else. */
static bool find_variables(const Body *body, const Node *node, uint32_t *variables, uint32_t *count)
{
    switch (node->kind) {
    case NODE_CONSTANT:
    case NODE_SIZEOF: return true;
    case NODE_MEMBER:
    case NODE_VARIABLE:
        if (node->number == UINT32_MAX) return false;
        if (!body->variables.data[node->number].is_integer || *count == INDEX_VARIABLES) return false;
        variables[(*count)++] = node->number;
        return true;
    case NODE_STEP:
    case NODE_ASSIGN:
    case NODE_UPDATE: return find_variables(body, node->kids[0], variables, count);
    case NODE_BINARY:
        if (node->op != CXBinaryOperator_Add && node->op != CXBinaryOperator_Sub) return false;
        return find_variables(body, node->kids[0], variables, count) && find_variables(body, node->kids[1], variables, count);
    default: return false;
    }
}

/* ---- bounds ---- */

static bool bounds_left(uint32_t op)
{
    return op == CXBinaryOperator_LT || op == CXBinaryOperator_LE || op == CXBinaryOperator_NE;
}

static bool bounds_right(uint32_t op)
{
    return op == CXBinaryOperator_GT || op == CXBinaryOperator_GE || op == CXBinaryOperator_NE;
}

static void note_bound(Lengths *l, const Node *bounded, const Node *by, bool upper, bool inclusive)
{
    uint32_t variables[INDEX_VARIABLES], count = 0;
    NumberSet numbers = declare__numbers(l->body, by);
    bool constant = by->kind == NODE_CONSTANT && by->value > 0;
    if (!find_variables(l->body, bounded, variables, &count) || !(numbers || constant)) return;
    for (uint32_t i = 0; i < count; i++) {
        Comparison comparison = {variables[i], numbers, constant && upper && count == 1 ? (uint64_t)by->value + inclusive : 0};
        /* `len - i < 4` speaks of len by itself. */
        comparison.numbers &= ~l->body->variables.data[variables[i]].numbers;
        if (!comparison.numbers && !comparison.bound) continue;
        if (l->in_loop_condition && upper) vec_push(&l->bounds, comparison);
        else vec_push(&l->others, comparison);
    }
}

/* p - a < n */
static bool note_distance(Lengths *l, const Node *distance, const Node *number)
{
    if (distance->kind != NODE_BINARY || distance->op != CXBinaryOperator_Sub) return false;
    RootSet common = declare__roots(l->d, l->body, distance->kids[0]) & declare__roots(l->d, l->body, distance->kids[1]);
    declare__is_length(l, common, declare__numbers(l->body, number), SCORE_SURE);
    return common != 0;
}

void declare__compare_numbers(Lengths *l, uint32_t op, const Node *left, const Node *right)
{
    if (note_distance(l, left, right) || note_distance(l, right, left)) return;
    note_bound(l, left, right, bounds_left(op), op == CXBinaryOperator_LE);
    note_bound(l, right, left, bounds_right(op), op == CXBinaryOperator_GE);
}

/* ---- loops ---- */

static bool is_zero(const Node *node)
{
    return node->kind == NODE_CONSTANT && node->value == 0;
}

/* A number that is divided on the way counts digits, not elements. */
static bool is_scaled(const Body *body, const Node *node)
{
    switch (node->kind) {
    case NODE_VARIABLE: return body->variables.data[node->number].scaled;
    case NODE_STEP:
    case NODE_UPDATE: return is_scaled(body, node->kids[0]) || (node->kind == NODE_UPDATE && node->op != CXBinaryOperator_SubAssign);
    case NODE_ASSIGN: return is_scaled(body, node->kids[1]);
    case NODE_BINARY: return is_scaled(body, node->kids[0]) || is_scaled(body, node->kids[1]);
    default: return false;
    }
}

/* Which numbers decide how often the loop is run; those that are counted down to 0 most of all. */
static void scan_condition(Lengths *l, LoopScope *loop, const Node *node)
{
    bool binary = node->kind == NODE_BINARY;
    if (binary && (node->op == CXBinaryOperator_LAnd || node->op == CXBinaryOperator_LOr)) {
        scan_condition(l, loop, node->kids[0]);
        scan_condition(l, loop, node->kids[1]);
    } else if (binary && node->op >= CXBinaryOperator_LT && node->op <= CXBinaryOperator_NE) {
        NumberSet numbers = declare__numbers(l->body, node->kids[0]) | declare__numbers(l->body, node->kids[1]);
        bool to_zero = is_zero(node->kids[0]) || is_zero(node->kids[1]);
        bool pointers = declare__roots(l->d, l->body, node->kids[0]) | declare__roots(l->d, l->body, node->kids[1]);
        if (pointers || is_scaled(l->body, node)) return;
        loop->numbers |= numbers;
        if (to_zero) loop->countdown |= numbers;
    } else if (!declare__roots(l->d, l->body, node) && !is_scaled(l->body, node)) {
        NumberSet numbers = declare__numbers(l->body, node);
        loop->numbers |= numbers;
        loop->countdown |= numbers;
    }
}

void declare__enter_loop(Lengths *l, LoopScope *loop, const Node *condition)
{
    *loop = (LoopScope){.outer = l->loop, .first = l->bounds.len};
    if (condition) scan_condition(l, loop, condition);
    l->loop = loop;
    l->in_loop_condition = condition != NULL;
}

void declare__leave_loop(Lengths *l)
{
    assert(l->loop);
    l->bounds.len = l->loop->first;
    l->loop = l->loop->outer;
    l->in_loop_condition = false;
}

/* The loop around that decides how often something is done here.  NULL: no number does, or, in loops within loops (`product`), several multiplied. */
static const LoopScope *find_decisive(const Lengths *l, bool *product)
{
    const LoopScope *decisive = NULL;
    *product = false;
    for (const LoopScope *loop = l->loop; loop; loop = loop->outer) {
        if (!loop->numbers) continue;
        *product |= decisive && decisive->numbers != loop->numbers;
        decisive = loop;
    }
    return *product ? NULL : decisive;
}

void declare__move(Lengths *l, RootSet roots)
{
    bool product;
    const LoopScope *decisive = find_decisive(l, &product);
    if (!decisive) return;
    declare__is_length(l, roots, decisive->numbers, SCORE_MOVE);
    declare__is_length(l, roots, decisive->countdown, SCORE_COUNTDOWN);
}

/* A number that no loop around bounds is counted in all of them. */
void declare__count(Lengths *l, uint32_t variable)
{
    bool product;
    for (uint32_t i = 0; i < l->bounds.len; i++)
        if (l->bounds.data[i].variable == variable) return;
    (void)find_decisive(l, &product);
    l->body->variables.data[variable].product |= product;
}

/* ---- indices ---- */

static void remember(Lengths *l, RootSet roots, uint32_t variable)
{
    for (RootSet set = roots; set; set &= set - 1) {
        uint32_t root = (uint32_t)__builtin_ctzll(set);
        bool known = false;
        for (uint32_t i = 0; i < l->indexings.len && !known; i++)
            known = l->indexings.data[i].root == root && l->indexings.data[i].variable == variable;
        if (!known) vec_push(&l->indexings, ((Indexing){root, variable}));
    }
}

static void apply_bounds(Lengths *l, RootSet roots, uint32_t variable)
{
    for (uint32_t i = 0; i < l->bounds.len; i++) {
        const Comparison *bound = &l->bounds.data[i];
        if (bound->variable != variable) continue;
        declare__is_length(l, roots, bound->numbers, SCORE_SURE);
        for (RootSet set = roots; set && bound->bound; set &= set - 1) {
            CUse *use = &l->facts->roots[__builtin_ctzll(set)].use;
            if (use->reach < bound->bound) use->reach = bound->bound;
        }
    }
}

static bool is_bare_param(const Lengths *l, const Node *index)
{
    return index->kind == NODE_VARIABLE && l->body->variables.data[index->number].kind == VARIABLE_PARAM &&
           !l->body->variables.data[index->number].changed;
}

static void note_computed(Lengths *l, RootSet roots, const Node *index)
{
    NumberSet numbers = declare__numbers(l->body, index);
    bool below = index->kind == NODE_BINARY && index->op == CXBinaryOperator_Sub && index->kids[1]->kind == NODE_CONSTANT;
    for (RootSet set = below ? 0 : roots; set; set &= set - 1) l->facts->roots[__builtin_ctzll(set)].places |= numbers;
    if (is_bare_param(l, index)) {
        for (RootSet set = roots; set; set &= set - 1) l->facts->roots[__builtin_ctzll(set)].indices |= numbers;
        return;
    }
    declare__is_length(l, roots, numbers, below ? SCORE_COUNTDOWN : SCORE_DERIVED);
}

static bool has_factor(const Node *node)
{
    if (node->kind != NODE_BINARY) return false;
    if (node->op == CXBinaryOperator_Mul || node->op == CXBinaryOperator_Shl) return true;
    return has_factor(node->kids[0]) || has_factor(node->kids[1]);
}

void declare__index_by(Lengths *l, RootSet roots, const Node *index)
{
    uint32_t variables[INDEX_VARIABLES], count = 0;
    if (index->kind == NODE_BINARY && index->op == CXBinaryOperator_Rem) {
        declare__is_length(l, roots, declare__numbers(l->body, index->kids[1]), SCORE_SURE);
        return;
    }
    if (!find_variables(l->body, index, variables, &count)) {
        for (RootSet set = roots; set; set &= set - 1) l->facts->roots[__builtin_ctzll(set)].multiplied |= has_factor(index);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        apply_bounds(l, roots, variables[i]);
        remember(l, roots, variables[i]);
    }
    note_computed(l, roots, index);
}

void declare__finish_lengths(Lengths *l)
{
    for (uint32_t i = 0; i < l->indexings.len; i++) {
        const Indexing *indexing = &l->indexings.data[i];
        l->facts->roots[indexing->root].multiplied |= l->body->variables.data[indexing->variable].product;
        for (uint32_t k = 0; k < l->others.len; k++)
            if (l->others.data[k].variable == indexing->variable)
                declare__is_length(l, (RootSet)1 << indexing->root, l->others.data[k].numbers, SCORE_TEST);
    }
    vec_release(&l->bounds);
    vec_release(&l->others);
    vec_release(&l->indexings);
}
