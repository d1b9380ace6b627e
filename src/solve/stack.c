/* See stack.h. */
#include "solve/stack.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return x < y ? -1 : x > y;
}

void exprs_sort(Exprs *list)
{
    bool sorted = true;
    for (uint32_t i = 1; i < list->len && sorted; i++) sorted = list->data[i - 1] < list->data[i];
    if (sorted) return;
    qsort(list->data, list->len, sizeof(Expr), by_id);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->len; i++)
        if (i == 0 || list->data[i] != list->data[kept - 1]) list->data[kept++] = list->data[i];
    list->len = kept;
}

void stack_init(Stack *stack, ExprPool *pool)
{
    *stack = (Stack){.pool = pool};
    support_init(&stack->support, pool);
}

void stack_release(Stack *stack)
{
    support_release(&stack->support);
    vec_release(&stack->entries);
    vec_release(&stack->levels);
    vec_release(&stack->links);
    vec_release(&stack->by_var);
    vec_release(&stack->slice);
    vec_release(&stack->reach);
    vec_release(&stack->parts);
}

/* ---- conjuncts ---- */

/* The two conditions whose conjunction e is: AND, or the negation of an OR. */
static bool splits(ExprPool *pool, Expr e, Expr *left, Expr *right)
{
    ExprKind kind = expr_kind(pool, e);
    if (kind == EXPR_AND) {
        *left = expr_operand(pool, e, 0);
        *right = expr_operand(pool, e, 1);
        return true;
    }
    if (kind != EXPR_NOT) return false;
    Expr inner = expr_operand(pool, e, 0);
    if (expr_kind(pool, inner) != EXPR_OR) return false;
    *left = expr_not(pool, expr_operand(pool, inner, 0));
    *right = expr_not(pool, expr_operand(pool, inner, 1));
    return true;
}

void stack_conjuncts(ExprPool *pool, Expr condition, Exprs *into)
{
    uint32_t next = into->len;
    vec_push(into, condition);
    while (next < into->len) {
        Expr left, right;
        if (!splits(pool, into->data[next], &left, &right)) {
            next++;
            continue;
        }
        into->data[next] = left;
        vec_push(into, right);
    }
}

/* ---- the stack ---- */

static StackVar *var_at(Stack *stack, uint32_t var)
{
    while (stack->by_var.len <= var) vec_push(&stack->by_var, ((StackVar){0}));
    return &stack->by_var.data[var];
}

static void link_entry(Stack *stack, uint32_t entry, VarSet set)
{
    uint32_t count;
    const VarRange *ranges = support_ranges(&stack->support, set, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t var = ranges[i].low; var < ranges[i].end; var++) {
            StackVar *at = var_at(stack, var);
            vec_push(&stack->links, ((StackLink){entry, at->head}));
            at->head = stack->links.len;
        }
}

void stack_assert(Stack *stack, Expr condition)
{
    vec_push(&stack->levels, stack->entries.len);
    vec_clear(&stack->parts);
    stack_conjuncts(stack->pool, condition, &stack->parts);
    for (uint32_t i = 0; i < stack->parts.len; i++) {
        Expr part = stack->parts.data[i];
        VarSet set = support_of(&stack->support, part);
        vec_push(&stack->entries, ((StackEntry){part, set, stack->links.len, 0}));
        link_entry(stack, stack->entries.len - 1, set);
    }
}

/* In the reverse order of linking every link is the head of its variable's list. */
static void unlink_entry(Stack *stack, const StackEntry *entry)
{
    uint32_t count;
    const VarRange *ranges = support_ranges(&stack->support, entry->set, &count);
    for (uint32_t i = count; i-- > 0;)
        for (uint32_t var = ranges[i].end; var-- > ranges[i].low;) {
            StackVar *at = &vec_at(&stack->by_var, var);
            assert(at->head == stack->links.len);
            at->head = vec_pop(&stack->links).next;
        }
    assert(stack->links.len == entry->links);
}

void stack_return(Stack *stack, uint32_t depth)
{
    REQUIRE(depth <= stack->levels.len, "a return to a deeper level");
    if (depth == stack->levels.len) return;
    uint32_t keep = stack->levels.data[depth];
    while (stack->entries.len > keep) {
        StackEntry entry = vec_pop(&stack->entries);
        unlink_entry(stack, &entry);
    }
    stack->levels.len = depth;
}

/* ---- slicing ---- */

static void reach_set(Stack *stack, VarSet set)
{
    uint32_t count;
    const VarRange *ranges = support_ranges(&stack->support, set, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t var = ranges[i].low; var < ranges[i].end; var++) {
            StackVar *at = var_at(stack, var);
            if (at->visited == stack->stamp) continue;
            at->visited = stack->stamp;
            vec_push(&stack->reach, var);
        }
}

static void take(Stack *stack, StackEntry *entry)
{
    if (entry->visited == stack->stamp) return;
    entry->visited = stack->stamp;
    vec_push(&stack->slice, entry->condition);
    reach_set(stack, entry->set);
}

static void new_stamp(Stack *stack)
{
    if (++stack->stamp) return;
    for (uint32_t i = 0; i < stack->entries.len; i++) stack->entries.data[i].visited = 0;
    for (uint32_t i = 0; i < stack->by_var.len; i++) stack->by_var.data[i].visited = 0;
    stack->stamp = 1;
}

void stack_slice(Stack *stack, const Expr *questions, uint32_t count, bool all)
{
    new_stamp(stack);
    vec_clear(&stack->slice);
    vec_clear(&stack->reach);
    for (uint32_t i = 0; i < count; i++) {
        vec_push(&stack->slice, questions[i]);
        reach_set(stack, support_of(&stack->support, questions[i]));
    }
    for (uint32_t i = 0; all && i < stack->entries.len; i++)
        if (stack->entries.data[i].set) take(stack, &stack->entries.data[i]);
    for (uint32_t next = 0; next < stack->reach.len; next++)
        for (uint32_t link = var_at(stack, stack->reach.data[next])->head; link; link = stack->links.data[link - 1].next)
            take(stack, &stack->entries.data[stack->links.data[link - 1].entry]);
    exprs_sort(&stack->slice);
}
