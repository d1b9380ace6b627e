/* Evaluation under a model.
 *
 * A model keeps the value of every node it has evaluated, stamped; changing a variable starts a new stamp, which forgets them all in
 * constant time.  After a rewind ids are used again, so the values from the lowest count reached since are dropped before the next
 * evaluation: the pool keeps that minimum for every past generation (a stack whose counts grow, see Rewind).  Evaluation uses its own
 * stack: an expression may be millions of nodes deep.  Only the arm of an ITE that is taken is evaluated. */
#include "expr/expr_int.h"

#include <stdlib.h>

struct ExprModel {
    ExprPool *pool;
    uint64_t generation; /* of the pool, when values and cache were last known to belong to it */
    Vec(U128) values;    /* per variable; what is beyond the end is 0 */
    uint64_t changes;
    uint32_t stamp;    /* never 0 */
    uint32_t capacity; /* of the cache, in nodes */
    uint32_t top;      /* no node from here on has a stamp */
    uint32_t *stamps;
    uint64_t *low;
    uint64_t *high; /* the upper halves; NULL until a node of more than 64 bits is evaluated */
    Vec(Expr) work;
    Vec(U128) arguments;
    Expr (*meaning)(void *data, Expr var);
    void *data;
};

ExprModel *expr_model_new(ExprPool *pool)
{
    ExprModel *model = mem_alloc(sizeof *model);
    model->pool = pool;
    model->generation = pool->generation;
    model->stamp = 1;
    return model;
}

/* The earliest rewind since the model looked last has the smallest count: they grow with the generation. */
static const Rewind *rewound_since(const ExprModel *model)
{
    if (model->generation == model->pool->generation) return NULL;
    const Rewind *rewinds = model->pool->rewinds.data;
    uint32_t first = 0, end = model->pool->rewinds.len;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (rewinds[middle].generation > model->generation) end = middle;
        else first = middle + 1;
    }
    assert(first < model->pool->rewinds.len);
    return &rewinds[first];
}

static void forget_values(ExprModel *model)
{
    if (++model->stamp) return;
    if (model->top) memset(model->stamps, 0, model->top * sizeof *model->stamps);
    model->top = 0;
    model->stamp = 1;
}

static void catch_up(ExprModel *model)
{
    const Rewind *rewind = rewound_since(model);
    if (!rewind) return;
    model->generation = model->pool->generation;
    model->changes++;
    if (rewind->vars < model->values.len) {
        model->values.len = rewind->vars;
        if (model->meaning) forget_values(model); /* an older name may stand for something with a younger variable */
    }
    if (rewind->count >= model->top) return;
    memset(model->stamps + rewind->count, 0, (model->top - rewind->count) * sizeof *model->stamps);
    model->top = rewind->count;
}

ExprModel *expr_model_copy(const ExprModel *model)
{
    ExprModel *copy = expr_model_new(model->pool);
    const Rewind *rewind = rewound_since(model);
    uint32_t count = rewind && rewind->vars < model->values.len ? rewind->vars : model->values.len;
    for (uint32_t i = 0; i < count; i++) vec_push(&copy->values, model->values.data[i]);
    return copy;
}

void expr_model_free(ExprModel *model)
{
    if (!model) return;
    vec_release(&model->values);
    vec_release(&model->work);
    vec_release(&model->arguments);
    free(model->stamps);
    free(model->low);
    free(model->high);
    free(model);
}

void expr_model_set(ExprModel *model, Expr var, U128 value)
{
    catch_up(model);
    uint32_t index = expr_var_index(model->pool, var);
    while (model->values.len <= index) vec_push(&model->values, 0);
    value &= arith_mask(width_of(model->pool, var));
    if (model->values.data[index] == value) return;
    model->values.data[index] = value;
    model->changes++;
    forget_values(model);
}

void expr_model_define(ExprModel *model, Expr (*meaning)(void *data, Expr var), void *data)
{
    model->meaning = meaning;
    model->data = data;
    model->changes++;
    forget_values(model);
}

uint64_t expr_model_changes(const ExprModel *model)
{
    return model->changes + (model->generation != model->pool->generation);
}

U128 expr_model_get(const ExprModel *model, Expr var)
{
    uint32_t index = expr_var_index(model->pool, var);
    const Rewind *rewind = rewound_since(model);
    if (index >= model->values.len || (rewind && index >= rewind->vars)) return 0;
    return model->values.data[index];
}

/* ---- the cache ---- */

static void grow_cache(ExprModel *model, uint32_t wanted)
{
    uint32_t capacity = model->capacity ? model->capacity : 64;
    while (capacity < wanted) capacity *= 2;
    model->stamps = mem_resize(model->stamps, capacity * sizeof *model->stamps);
    memset(model->stamps + model->capacity, 0, (capacity - model->capacity) * sizeof *model->stamps);
    model->low = mem_resize(model->low, capacity * sizeof *model->low);
    if (model->high) model->high = mem_resize(model->high, capacity * sizeof *model->high);
    model->capacity = capacity;
}

static bool is_kept(const ExprModel *model, Expr e)
{
    return e < model->top && model->stamps[e] == model->stamp;
}

static bool is_ready(const ExprModel *model, Expr e)
{
    ExprKind kind = expr__node(model->pool, e)->kind;
    return kind == EXPR_CONST || is_kept(model, e);
}

static U128 value_of(const ExprModel *model, Expr e)
{
    const Node *node = expr__node(model->pool, e);
    if (node->kind == EXPR_CONST) return node_value(node);
    assert(is_kept(model, e));
    return node->width > 64 ? (U128)model->high[e] << 64 | model->low[e] : model->low[e];
}

static void keep(ExprModel *model, Expr e, U128 value)
{
    assert(e < model->capacity);
    if (width_of(model->pool, e) > 64) {
        if (!model->high) model->high = mem_alloc(model->capacity * sizeof *model->high);
        model->high[e] = (uint64_t)(value >> 64);
    }
    model->low[e] = (uint64_t)value;
    model->stamps[e] = model->stamp;
    if (e >= model->top) model->top = e + 1;
}

/* ---- evaluation ---- */

/* Is e evaluated?  If not it is next. */
static bool need(ExprModel *model, Expr e)
{
    if (is_ready(model, e)) return true;
    vec_push(&model->work, e);
    return false;
}

static bool eval_ite(ExprModel *model, const Node *node, U128 *value)
{
    if (!need(model, node->a)) return false;
    Expr arm = value_of(model, node->a) ? node->b : node->c;
    if (!need(model, arm)) return false;
    *value = value_of(model, arm);
    return true;
}

/* All indexes on the way are asked for at once, so that a long chain is walked twice, not once per index. */
static bool eval_select(ExprModel *model, const Node *node, U128 *value)
{
    const ExprPool *pool = model->pool;
    if (!need(model, node->b)) return false;
    U128 index = value_of(model, node->b);
    *value = 0;
    if (index >= expr_array_length(pool, node->a)) return true;
    bool ready = true;
    const Node *array = expr__node(pool, node->a);
    for (; array->kind == EXPR_STORE; array = expr__node(pool, array->a)) {
        if (!need(model, array->b)) ready = false;
        else if (value_of(model, array->b) == index) break;
    }
    if (!ready) return false;
    Expr element = array->kind == EXPR_STORE ? array->c : pool->elements[array->a + (uint32_t)index];
    if (!need(model, element)) return false;
    *value = value_of(model, element);
    return true;
}

static bool eval_apply(ExprModel *model, const Node *node, U128 *value)
{
    const Expr *list = model->pool->elements + node->a;
    bool ready = true;
    for (uint32_t i = 0; i < node->b; i++) ready &= need(model, list[i]);
    if (!ready) return false;
    vec_clear(&model->arguments);
    vec_reserve(&model->arguments, node->b + 1);
    for (uint32_t i = 0; i < node->b; i++) vec_push(&model->arguments, value_of(model, list[i]));
    const ExprFunction *function = (const ExprFunction *)(uintptr_t)node->word[1];
    *value = function->call(function->data, model->arguments.data, node->b) & arith_mask(node->width);
    return true;
}

/* A meaning may be younger than its name. */
static bool eval_var(ExprModel *model, Expr e, U128 *value)
{
    Expr meaning = model->meaning ? model->meaning(model->data, e) : 0;
    uint32_t index = expr__node(model->pool, e)->a;
    *value = index < model->values.len ? model->values.data[index] : 0;
    if (!meaning) return true;
    if (meaning >= model->capacity) grow_cache(model, meaning + 1);
    if (!need(model, meaning)) return false;
    *value = value_of(model, meaning);
    return true;
}

/* False if operands have to be evaluated first; they are on the stack then. */
static bool eval_node(ExprModel *model, Expr e, U128 *value)
{
    const Node *node = expr__node(model->pool, e);
    const ExprPool *pool = model->pool;
    switch (node->kind) {
    case EXPR_VAR: return eval_var(model, e, value);
    case EXPR_UNDEF: *value = 0; return true;
    case EXPR_ITE: return eval_ite(model, node, value);
    case EXPR_SELECT: return eval_select(model, node, value);
    case EXPR_APPLY: return eval_apply(model, node, value);
    default: break;
    }
    if (expr_operand_count(node->kind) == 2) {
        bool first = need(model, node->a), second = need(model, node->b);
        if (!first || !second) return false;
        *value = expr_fold(node->kind, node->width, width_of(pool, node->b), value_of(model, node->a), value_of(model, node->b), 0);
        return true;
    }
    if (!need(model, node->a)) return false;
    *value = expr_fold(node->kind, node->width, width_of(pool, node->a), value_of(model, node->a), node->b, 0);
    return true;
}

U128 expr_eval(ExprModel *model, Expr e)
{
    const Node *node = expr__node(model->pool, e);
    if (node->kind == EXPR_CONST) return node_value(node);
    REQUIRE(node->kind != EXPR_ARRAY && node->kind != EXPR_STORE, "an array has no value");
    catch_up(model);
    if (is_kept(model, e)) return value_of(model, e);
    if (e >= model->capacity) grow_cache(model, e + 1);
    uint32_t bottom = model->work.len;
    vec_push(&model->work, e);
    while (model->work.len > bottom) {
        Expr next = vec_top(&model->work);
        U128 value;
        if (!is_kept(model, next)) {
            if (!eval_node(model, next, &value)) continue;
            keep(model, next, value);
            model->pool->evaluated++;
        }
        (void)vec_pop(&model->work);
    }
    return value_of(model, e);
}
