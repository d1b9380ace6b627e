/* What isolated code reads becomes its input: in which form a place is read for the first time.
 *
 * Bytes that become inputs are overwritten by their variables (on the trail), so later reads find them like anything else in memory.  A caller records its own
 * first read of a location before the callee does, so both see the same value. */
#include "isolate/isolate_int.h"

enum { LARGE_OBJECT = 4096 }; /* not read whole at an index that is not constant */

/* ---- variables ---- */

static Expr root_at(Isolation *isolation, uint32_t L, Expr e)
{
    return L ? expr_translate(&isolation__level(isolation, L)->session->roots, e) : e;
}

Expr isolation_root(Isolation *isolation, Expr e)
{
    return root_at(isolation, isolation__top(isolation), e);
}

/* The variable of an input, the same in all executions of the call from this state. */
static Expr input(Isolation *isolation, uint32_t L, uint64_t key, unsigned width, const char *name, Expr actual)
{
    IsolatedSession *session = isolation__level(isolation, L)->session;
    ExprModel *model = vm_model(isolation->vm);
    const uint64_t *found = map_find(&session->by_key, key);
    if (found) return session->inputs.data[*found].variable;
    IsolatedInput made = {.variable = expr_var(isolation->pool, width, name), .actual = actual, .key = key};
    made.root = root_at(isolation, L - 1, actual);
    expr_model_set(model, made.variable, expr_eval(model, actual));
    expr_translation_set(&session->roots, made.variable, made.root);
    map_put(&session->by_key, key, session->inputs.len);
    map_put(&session->by_variable, made.variable, session->inputs.len);
    vec_push(&session->inputs, made);
    return made.variable;
}

/* The start of an object as an expression of a view; that it begins there is then a fact. */
static Expr start_at(Isolation *isolation, uint32_t L, uint64_t start)
{
    if (L == 0 || isolation__is_own(isolation, L, start)) return expr_const(isolation->pool, 64, start);
    uint32_t named = isolation__name_of(isolation, L, start);
    const IsolatedBase *base = &isolation__level(isolation, L)->bases.data[named];
    if (!base->variable) return expr_const(isolation->pool, 64, start);
    isolation__note_size(isolation, L, start);
    base = &isolation__level(isolation, L)->bases.data[named];
    return expr_binary(isolation->pool, EXPR_SUB, base->variable, expr_const(isolation->pool, 64, base->address - start));
}

Expr isolation_start(Isolation *isolation, uint64_t address)
{
    return start_at(isolation, isolation__top(isolation), vm_object_start(isolation->vm, address));
}

/* ---- ends that depend on inputs ---- */

static Expr limit_at(Isolation *isolation, uint32_t L, uint64_t start, Expr limit)
{
    if (L == 0 || isolation__is_own(isolation, L, start)) return limit;
    uint32_t named = isolation__name_of(isolation, L, start);
    const Level *level = isolation__level(isolation, L);
    if (level->bases.data[named].limit) return level->bases.data[named].limit;
    isolation__note_size(isolation, L,
                         start); /* where in the object the base points to: what is said of the end is relative to the start */
    Expr actual = limit_at(isolation, L - 1, start, limit);
    IsolatedFact fact = {.kind = FACT_LIMIT, .base = named, .form = FORM_INPUT};
    fact.variable = input(isolation, L, hash_mix(level->bases.data[named].key ^ 0x1e), 64, "size", actual);
    isolation__change_base(isolation, L, named)->limit = fact.variable;
    isolation__add_fact(isolation, L, &fact);
    return fact.variable;
}

Expr isolation__limit(void *data, uint64_t start, Expr limit)
{
    Isolation *isolation = data;
    return limit_at(isolation, isolation__top(isolation), start, limit);
}

Expr isolation_bounds(Isolation *isolation, uint64_t address)
{
    VmObject object;
    uint32_t L = isolation__top(isolation);
    if (L) isolation__note_size(isolation, L, address);
    return vm_object(isolation->vm, address, &object) && object.limit ? limit_at(isolation, L, object.start, object.limit) : 0;
}

/* ---- forms ---- */

/* Does a pointer of unknown value stay in the object it is in under the model, whatever the inputs? */
static bool stays_inside(Isolation *isolation, uint32_t L, Expr root, const VmObject *object)
{
    const IsolatedSession *session = isolation__level(isolation, L)->session;
    Expr offset = expr_binary(isolation->pool, EXPR_SUB, root, expr_const(isolation->pool, 64, object->start));
    Expr inside = expr_binary(isolation->pool, EXPR_ULE, offset, expr_const(isolation->pool, 64, object->size));
    if (expr_is_const(isolation->pool, inside)) return expr_value(isolation->pool, inside) != 0;
    return session->holds && session->holds(session->data, inside);
}

static Expr read_pointer(Isolation *isolation, uint32_t L, uint64_t key, Expr actual, const char *name, IsolatedFact *fact)
{
    uint64_t address = (uint64_t)expr_eval(vm_model(isolation->vm), actual);
    fact->form = FORM_POINTER;
    fact->variable = input(isolation, L, key, 64, name, actual);
    fact->made = isolation__add_base(isolation, L, &(IsolatedBase){.address = address, .key = key, .variable = fact->variable});
    return fact->variable;
}

static Expr read_cursor(Isolation *isolation, uint32_t L, uint64_t key, Expr actual, uint64_t start, const char *name, IsolatedFact *fact)
{
    uint64_t base_key = hash_mix(key ^ 0xb5);
    Expr begin = start_at(isolation, L - 1, start);
    Expr base = input(isolation, L, base_key, 64, "object", begin), offset = expr_binary(isolation->pool, EXPR_SUB, actual, begin);
    fact->form = FORM_CURSOR;
    fact->object = base;
    fact->variable = input(isolation, L, hash_mix(key ^ 0x0f), 64, name, offset);
    fact->made = isolation__add_base(isolation, L, &(IsolatedBase){.address = start, .key = base_key, .variable = base});
    return expr_add(isolation->pool, base, fact->variable);
}

static bool is_plain_in(const Isolation *isolation, uint32_t L, Expr pointer)
{
    const ExprPool *pool = isolation->pool;
    if (expr_kind(pool, pointer) == EXPR_ADD && expr_is_const(pool, expr_operand(pool, pointer, 1)))
        pointer = expr_operand(pool, pointer, 0);
    if (L == 0 || expr_is_const(pool, pointer)) return true;
    return expr_kind(pool, pointer) == EXPR_VAR && map_find(&isolation__level(isolation, L)->session->by_variable, pointer);
}

bool isolation_is_plain(const Isolation *isolation, Expr pointer)
{
    return is_plain_in(isolation, isolation__top(isolation), pointer);
}

/* What the call sees instead of the caller's expression. */
static Expr read_as(Isolation *isolation, uint32_t L, uint64_t key, Expr actual, bool pointer, const char *name, IsolatedFact *fact)
{
    ExprPool *pool = isolation->pool;
    Expr root = root_at(isolation, L - 1, actual);
    bool known = expr_is_const(pool, root), argument = fact->base == ARGUMENT_BASE;
    VmObject object;
    if (pointer && vm_object(isolation->vm, (uint64_t)expr_eval(vm_model(isolation->vm), actual), &object) && object.exists) {
        if (known && !argument && !is_plain_in(isolation, L - 1, actual))
            isolation__be_unfit(isolation, "it reads a pointer that is computed");
        if (known) return read_pointer(isolation, L, key, actual, name, fact);
        if (stays_inside(isolation, L, root, &object)) return read_cursor(isolation, L, key, actual, object.start, name, fact);
        isolation__be_unfit(isolation, "it reads a pointer that may point to several objects");
    }
    bool fixed = !argument && expr_is_const(pool, actual); /* stays so, unless the place is a general one and anyone can write there */
    if (fixed && map_find(isolation__level(isolation, L)->session->general, key)) {
        const IsolatedBase *base = &isolation__level(isolation, L)->bases.data[fact->base];
        fixed = vm_object(isolation->vm, base->address, &object) && object.is_readonly;
    }
    if (fixed) {
        fact->form = FORM_VALUE;
        fact->value = expr_value(pool, actual);
        return actual;
    }
    fact->form = FORM_INPUT;
    fact->variable = input(isolation, L, key, expr_width(pool, actual), name, actual);
    return fact->variable;
}

Expr isolation__read_argument(Isolation *isolation, const Param *param, uint32_t i, Expr actual)
{
    uint32_t L = isolation__top(isolation);
    unsigned width = param->type.width;
    IsolatedFact fact = {.kind = FACT_READ, .base = ARGUMENT_BASE, .offset = i, .bytes = width};
    uint64_t key = isolation_place_key(ARGUMENT_BASE, i, width);
    Expr seen = read_as(isolation, L, key, actual, width == 64 && param->type.kind == SCALAR_POINTER, param->name, &fact);
    isolation__add_fact(isolation, L, &fact);
    return seen;
}

/* ---- bytes that were seen ---- */

static uint64_t touch_key(uint32_t L, uint64_t address)
{
    return address >> 3 | L * (UINT64_C(1) << 48);
}

static uint64_t touched_in_word(const Isolation *isolation, uint32_t L, uint64_t address)
{
    const uint64_t *found = map_find(&isolation->touched, touch_key(L, address));
    return found ? *found : 0;
}

static bool is_touched(const Isolation *isolation, uint32_t L, uint64_t address)
{
    return touched_in_word(isolation, L, address) >> (address & 7) & 1;
}

static bool any_touched(const Isolation *isolation, uint32_t L, uint64_t address, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++)
        if (is_touched(isolation, L, address + k)) return true;
    return false;
}

static void touch(Isolation *isolation, uint32_t L, uint64_t address, uint64_t n)
{
    while (n > 0) {
        uint64_t in = address & 7, count = n < 8 - in ? n : 8 - in, old = touched_in_word(isolation, L, address);
        uint64_t now = old | ((1u << count) - 1) << in;
        if (now != old) {
            isolation__log(isolation, &(Undo){.kind = UNDO_TOUCH, .level = L, .key = touch_key(L, address), .old = old});
            map_put(&isolation->touched, touch_key(L, address), now);
        }
        address += count;
        n -= count;
    }
}

/* ---- reading ---- */

static void note_read(Isolation *isolation, uint32_t L, uint64_t address, uint64_t n);

static void read_bytes(Isolation *isolation, uint32_t L, uint64_t address, uint32_t base, unsigned bytes)
{
    if (L > 1) note_read(isolation, L - 1, address, bytes);
    const IsolatedBase *b = &isolation__level(isolation, L)->bases.data[base];
    IsolatedFact fact = {.kind = FACT_READ, .base = base, .offset = (int64_t)(address - b->address), .bytes = bytes};
    uint64_t key = isolation_place_key(b->key, fact.offset, bytes);
    uint32_t undefined = vm_undefined_bytes(isolation->vm, address, bytes), all = (1u << bytes) - 1;
    if (undefined) {
        fact.form = undefined == all ? FORM_UNDEFINED : FORM_BYTES;
        isolation__add_fact(isolation, L, &fact);
        if (undefined == all) touch(isolation, L, address, bytes);
        for (unsigned k = 0; k < bytes && undefined != all; k++) read_bytes(isolation, L, address + k, base, 1);
        return;
    }
    Expr actual = vm_read(isolation->vm, address, bytes);
    if (expr_has_undef(isolation->pool, actual)) isolation__be_unfit(isolation, "it reads what may be uninitialised");
    Expr seen = read_as(isolation, L, key, actual, bytes == 8, "", &fact);
    isolation__add_fact(isolation, L, &fact);
    touch(isolation, L, address, bytes);
    if (seen != actual) vm_replace(isolation->vm, address, bytes, seen);
}

static bool is_natural(uint64_t n)
{
    return n == 1 || n == 2 || n == 4 || n == 8 || n == 10;
}

/* Whole values where nothing of them was seen yet; else words at their places relative to the base, else bytes. */
static void note_read(Isolation *isolation, uint32_t L, uint64_t address, uint64_t n)
{
    VmObject object;
    if (!vm_object(isolation->vm, address, &object) || isolation__is_own(isolation, L, object.start)) return;
    if (object.is_readonly && map_find(&isolation__level(isolation, L)->placed, object.start)) return; /* always the same */
    uint32_t base = isolation__name_of(isolation, L, object.start);
    uint64_t from = isolation__level(isolation, L)->bases.data[base].address;
    if (is_natural(n) && !any_touched(isolation, L, address, n)) {
        read_bytes(isolation, L, address, base, (unsigned)n);
        return;
    }
    for (uint64_t k = 0; k < n;) {
        uint64_t at = address + k;
        unsigned chunk = (at - from) % 8 == 0 && n - k >= 8 && !any_touched(isolation, L, at, 8) ? 8 : 1;
        if (!is_touched(isolation, L, at)) read_bytes(isolation, L, at, base, chunk);
        k += chunk;
    }
}

static bool is_own_place(const Isolation *isolation, uint64_t address)
{
    uint64_t start = vm_object_start(isolation->vm, address);
    return !start || isolation__is_own(isolation, isolation__top(isolation), start);
}

void isolation__note_read(Isolation *isolation, uint64_t address, uint64_t n)
{
    if (n == 0 || !isolation->levels.len || is_own_place(isolation, address)) return;
    if (n > LARGE_OBJECT) isolation__be_unfit(isolation, "it reads a large object");
    else note_read(isolation, isolation__top(isolation), address, n);
}

void isolation__note_write(Isolation *isolation, uint64_t address, uint64_t n)
{
    uint32_t L = isolation__top(isolation);
    if (n == 0 || is_own_place(isolation, address)) return;
    if (n > LARGE_OBJECT) {
        isolation__be_unfit(isolation, "it writes a large object");
        return;
    }
    touch(isolation, L, address, n);
    vec_push(&isolation__level(isolation, L)->written, ((Range){address, n}));
    isolation__log(isolation, &(Undo){.kind = UNDO_WRITTEN, .level = L});
}

Expr isolation_look(Isolation *isolation, uint64_t address, uint32_t bytes, uint32_t *undefined)
{
    isolation__note_read(isolation, address, bytes);
    *undefined = vm_undefined_bytes(isolation->vm, address, bytes);
    return vm_read(isolation->vm, address, bytes);
}
