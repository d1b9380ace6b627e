/* See support.h. */
#include "solve/support.h"

#include <stdlib.h>

void support_init(Support *support, ExprPool *pool)
{
    *support = (Support){.pool = pool};
    vec_push(&support->data, ((VarSetData){0}));
}

void support_release(Support *support)
{
    free(support->sets);
    vec_release(&support->data);
    vec_release(&support->ranges);
    vec_release(&support->work);
    map_release(&support->by_hash);
    map_release(&support->unions);
}

/* Sets are of variable numbers and stay right; only what nodes have which is forgotten. */
void support_forget(Support *support, uint32_t count)
{
    if (count < support->reserved) memset(support->sets + count, 0, (support->reserved - count) * sizeof *support->sets);
}

const VarRange *support_ranges(const Support *support, VarSet set, uint32_t *count)
{
    const VarSetData *data = &support->data.data[set];
    *count = data->count;
    return support->ranges.data + data->first;
}

/* The set of the ranges that were pushed from `first` on: an earlier equal one, or a new one. */
static VarSet intern(Support *support, uint32_t first)
{
    uint32_t count = support->ranges.len - first;
    if (count == 0) return 0;
    size_t bytes = count * sizeof(VarRange);
    uint64_t hash = hash_bytes(support->ranges.data + first, bytes), *known = map_find(&support->by_hash, hash);
    uint32_t head = known ? (uint32_t)*known : 0;
    for (uint32_t set = head; set; set = support->data.data[set].next) {
        const VarSetData *data = &support->data.data[set];
        if (data->count != count || memcmp(support->ranges.data + data->first, support->ranges.data + first, bytes) != 0) continue;
        support->ranges.len = first;
        return set;
    }
    vec_push(&support->data, ((VarSetData){first, count, head}));
    map_put(&support->by_hash, hash, support->data.len - 1);
    return support->data.len - 1;
}

static VarSet single(Support *support, uint32_t var)
{
    uint32_t first = support->ranges.len;
    vec_push(&support->ranges, ((VarRange){var, var + 1}));
    return intern(support, first);
}

static void add_range(Support *support, uint32_t first, VarRange range)
{
    if (support->ranges.len > first) {
        VarRange *last = &support->ranges.data[support->ranges.len - 1];
        assert(last->low <= range.low);
        if (range.low <= last->end) {
            if (range.end > last->end) last->end = range.end;
            return;
        }
    }
    vec_push(&support->ranges, range);
}

static void merge(Support *support, VarSet a, VarSet b)
{
    VarSetData x = support->data.data[a], y = support->data.data[b];
    uint32_t i = 0, k = 0, first = support->ranges.len;
    while (i < x.count || k < y.count) {
        bool left = k == y.count || (i < x.count && support->ranges.data[x.first + i].low <= support->ranges.data[y.first + k].low);
        VarRange range = support->ranges.data[left ? x.first + i++ : y.first + k++];
        add_range(support, first, range);
    }
}

static VarSet unite(Support *support, VarSet a, VarSet b)
{
    if (a == b || !b) return a;
    if (!a) return b;
    if (a > b) {
        VarSet other = a;
        a = b;
        b = other;
    }
    uint64_t key = (uint64_t)a << 32 | b, *known = map_find(&support->unions, key);
    if (known) return (VarSet)*known;
    uint32_t first = support->ranges.len;
    merge(support, a, b);
    VarSet set = intern(support, first);
    map_put(&support->unions, key, set);
    return set;
}

static void reserve(Support *support)
{
    uint32_t wanted = expr_pool_count(support->pool);
    if (wanted <= support->reserved) return;
    uint32_t size = wanted + wanted / 2;
    support->sets = mem_resize(support->sets, size * sizeof *support->sets);
    memset(support->sets + support->reserved, 0, (size - support->reserved) * sizeof *support->sets);
    support->reserved = size;
}

/* Adds an operand's set; if it is not known, the operand is next and false is returned. */
static bool gather(Support *support, Expr operand, VarSet *set)
{
    if (!support->sets[operand]) {
        if (!expr_is_const(support->pool, operand)) {
            vec_push(&support->work, operand);
            return false;
        }
        support->sets[operand] = 1;
    }
    *set = unite(support, *set, support->sets[operand] - 1);
    return true;
}

static bool gather_all(Support *support, Expr e, VarSet *set)
{
    const ExprPool *pool = support->pool;
    ExprKind kind = expr_kind(pool, e);
    bool ready = true;
    if (kind == EXPR_VAR) *set = single(support, expr_var_index(pool, e));
    for (unsigned i = 0; i < expr_operand_count(kind); i++) ready &= gather(support, expr_operand(pool, e, i), set);
    if (kind != EXPR_ARRAY && kind != EXPR_APPLY) return ready;
    const Expr *elements;
    uint32_t count = expr_elements(pool, e, &elements);
    for (uint32_t i = 0; i < count; i++) ready &= gather(support, elements[i], set);
    return ready;
}

VarSet support_of(Support *support, Expr e)
{
    reserve(support);
    if (support->sets[e]) return support->sets[e] - 1;
    vec_push(&support->work, e);
    while (support->work.len) {
        Expr next = vec_top(&support->work);
        VarSet set = 0;
        if (!support->sets[next]) {
            if (!gather_all(support, next, &set)) continue;
            support->sets[next] = 1 + set;
        }
        (void)vec_pop(&support->work);
    }
    return support->sets[e] - 1;
}
