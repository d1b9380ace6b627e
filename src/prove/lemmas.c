/* Lemmas: what the turns of a loop leave as it is, as candidates for generalisation.
 *
 * Backward analysis of a loop ends only if the condition before a turn is included in those that are known.  `i = 15 and i >= n` before `i += 4` is another condition with each turn; but
 * `the lowest two bits of i are not 0`, which follows from it, is the same before every turn.  So at the head of a loop an R-state is replaced by the
 * negation of a lemma that it contradicts.  A lemma that is wrong makes the analysis fail, which is then made again without lemmas.
 *
 * Lemmas come from what the ways round the loop add to each variable (the chains and arithmetic progressions of paper 004, loop navigation): a linear relation that no way
 * changes; lowest bits that no way changes; the order of two variables, where no way adds more to the first than to the second, or more than so many times as
 * much (a way may also set one of them back).  What is on
 * the other side of the relation is what the variables are where the loop is entered.  Nothing here has to be right: the R-states that come of it are proved. */
#include "prove/backward_int.h"

#include "base/arith.h"

#include <stdlib.h>

enum {
    MOST_WAYS = 32,      /* round one loop.  A guess. */
    MOST_BLOCKS = 64,    /* of one way.  A guess. */
    MOST_COUNTERS = 8,   /* variables of one loop that are looked at.  A guess. */
    MOST_LEMMAS = 24,    /* of one loop.  A guess. */
    MOST_BACK = 8,       /* blocks before a loop in which the first value of a variable is looked for.  A guess. */
    MOST_COEFFICIENT = 4 /* of relations among three variables.  A guess. */
};

typedef struct Way {
    uint32_t blocks[MOST_BLOCKS], count;
} Way;

typedef struct Counter {
    Expr variable;
    Expr entry; /* what it is where the loop is entered; 0: not one expression */
    int64_t steps[MOST_WAYS];
    bool is_set[MOST_WAYS]; /* the way makes it the constant `steps`, whatever it was */
    bool any_set;
} Counter;

typedef struct Relation { /* sum = value, at the head of a loop */
    Expr sum, value;
} Relation;

struct LoopLemmas {
    Exprs lemmas;
    Vec(Relation) relations;
};

typedef struct Finder {
    Backward *b;
    uint32_t function;
    const Function *f;
    Places *places;
    const Loop *loop;
    uint8_t *inside; /* per block: it is in the loop */
    uint8_t *visits; /* per block: on the way at hand */
    Way ways[MOST_WAYS];
    uint32_t way_count;
    Counter counters[MOST_COUNTERS];
    uint32_t counter_count;
    const LoopLemmas *outer; /* of the loop around it; NULL: none */
    LoopLemmas *out;
} Finder;

/* ---- ways ---- */

static void extend_way(Finder *x, Way *way, uint32_t block)
{
    if (way->count == MOST_BLOCKS || x->way_count == MOST_WAYS || x->visits[block] == 2) return;
    way->blocks[way->count++] = block;
    x->visits[block]++;
    for (uint32_t i = 0; i < x->f->blocks[block].successor_count; i++) {
        uint32_t next = x->f->blocks[block].successors[i];
        if (next == x->loop->header) {
            if (x->way_count < MOST_WAYS) x->ways[x->way_count++] = *way;
        } else if (x->inside[next]) {
            extend_way(x, way, next);
        }
    }
    x->visits[block]--;
    way->count--;
}

/* ---- what a way does ---- */

typedef struct Before {
    Vars *vars;
    Segment *segment;
} Before;

static Expr variable_before(void *data, Expr var)
{
    Before *before = data;
    VarInfo info = *vars_info(before->vars, var);
    if (info.kind == VAR_MEMORY) return vars_input(before->vars, expr_width(before->vars->pool, var));
    return segment_before(before->vars, before->segment, &info, var, 0);
}

/* The expression at the end of the block in terms of the state at its start; 0: the block makes calls. */
static Expr before_block(Finder *x, uint32_t block, Expr e)
{
    uint32_t at = x->places->first[block];
    if (x->places->first[block + 1] != at + 1) return 0;
    Before before = {&x->b->vars, &x->places->segments[at]};
    ExprTranslation t;
    expr_translation_init(&t, x->b->vars.pool, x->b->vars.pool);
    t.variable = variable_before;
    t.data = &before;
    Expr result = expr_translate(&t, e);
    expr_translation_release(&t);
    return result;
}

/* What each way adds to the variable, or sets it to.  False: neither is a constant. */
static bool find_steps(Finder *x, Counter *c)
{
    ExprPool *pool = x->b->vars.pool;
    bool any = false;
    for (uint32_t i = 0; i < x->way_count; i++) {
        Expr e = c->variable;
        for (uint32_t k = x->ways[i].count; k-- > 0 && e;) e = before_block(x, x->ways[i].blocks[k], e);
        if (!e) return false;
        Expr step = expr_binary(pool, EXPR_SUB, e, c->variable);
        c->is_set[i] = expr_is_const(pool, e);
        c->any_set |= c->is_set[i];
        if (c->is_set[i]) step = e;
        if (!expr_is_const(pool, step)) return false;
        c->steps[i] = (int64_t)arith_sext(expr_value(pool, step), expr_width(pool, c->variable));
        if (c->steps[i] > INT32_MAX || c->steps[i] < INT32_MIN) return false;
        any |= c->is_set[i] || c->steps[i] != 0;
    }
    return any;
}

/* What the variable is where the loop is entered, seen from some blocks before it. */
static Expr find_entry(Finder *x, Expr variable)
{
    const Block *header = &x->f->blocks[x->loop->header];
    Expr found = 0;
    for (uint32_t i = 0; i < header->predecessor_count; i++) {
        uint32_t block = header->predecessors[i];
        if (x->inside[block]) continue;
        Expr e = before_block(x, block, variable);
        for (uint32_t n = 0; n < MOST_BACK && e && !expr_is_const(x->b->vars.pool, e) && x->f->blocks[block].predecessor_count == 1; n++) {
            uint32_t earlier = x->f->blocks[block].predecessors[0];
            Expr before = before_block(x, earlier, e);
            if (!before) break;
            e = before;
            block = earlier;
        }
        if (!e || (found && found != e)) return 0;
        found = e;
    }
    return found;
}

static void find_counters(Finder *x)
{
    Vars *vars = &x->b->vars;
    Map seen = {0};
    for (uint32_t k = 0; k < x->loop->block_count; k++) {
        const Block *block = &x->f->blocks[x->loop->blocks[k]];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const Instr *instr = &x->f->code[i];
            uint32_t width = instr->op == OP_MOV && operand_is_reg(instr->dst) ? vars_width(vars, x->function, instr->dst) : 0;
            if (!width || map_find(&seen, instr->dst) || x->counter_count == MOST_COUNTERS) continue;
            map_put(&seen, instr->dst, 1);
            Counter *c = &x->counters[x->counter_count];
            c->any_set = false;
            c->variable = vars_get(vars, (VarInfo){VAR_REGISTER, 0, x->function, instr->dst, 0}, width);
            if ((vars_flags(vars, c->variable) & HAS_UNNAMED) || !find_steps(x, c)) continue;
            c->entry = find_entry(x, c->variable);
            if (c->entry && (vars_flags(vars, c->entry) & (HAS_INPUT | HAS_UNNAMED))) c->entry = 0;
            if (c->entry) x->counter_count++;
        }
    }
    map_release(&seen);
}

/* ---- relations ---- */

static void add_lemma(Finder *x, Expr lemma)
{
    if (x->out->lemmas.len < MOST_LEMMAS && !expr_is_const(x->b->vars.pool, lemma)) vec_push(&x->out->lemmas, lemma);
}

static Expr term(ExprPool *pool, int64_t factor, Expr e)
{
    return expr_binary(pool, EXPR_MUL, expr_const(pool, expr_width(pool, e), (U128)(I128)factor), e);
}

/* The sum of counters, of their number each, is always what it was at the entry, or what the loop around it says of that. */
static bool add_relation(Finder *x, const uint32_t *which, const int64_t *factors, uint32_t count)
{
    ExprPool *pool = x->b->vars.pool;
    Expr sum = 0, value = 0;
    for (uint32_t i = 0; i < count; i++)
        if (x->counters[which[i]].any_set) return false;
    for (uint32_t w = 0; w < x->way_count; w++) {
        I128 all = 0;
        for (uint32_t i = 0; i < count; i++) all += (I128)factors[i] * x->counters[which[i]].steps[w];
        if (all) return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const Counter *c = &x->counters[which[i]];
        if (expr_width(pool, c->variable) != expr_width(pool, x->counters[which[0]].variable)) return false;
        sum = sum ? expr_add(pool, sum, term(pool, factors[i], c->variable)) : term(pool, factors[i], c->variable);
        value = value ? expr_add(pool, value, term(pool, factors[i], c->entry)) : term(pool, factors[i], c->entry);
    }
    for (uint32_t i = 0; x->outer && i < x->outer->relations.len; i++)
        if (x->outer->relations.data[i].sum == value) value = x->outer->relations.data[i].value;
    vec_push(&x->out->relations, ((Relation){sum, value}));
    add_lemma(x, expr_eq(pool, sum, value));
    return true;
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static void add_pairs(Finder *x)
{
    for (uint32_t i = 0; i < x->counter_count; i++)
        for (uint32_t k = i + 1; k < x->counter_count; k++) {
            int64_t a = 0, c = 0;
            if (x->counters[i].any_set || x->counters[k].any_set) continue;
            for (uint32_t w = 0; w < x->way_count && !a && !c; w++) a = x->counters[i].steps[w], c = x->counters[k].steps[w];
            int64_t common = divisor(a, c);
            if (a && c) add_relation(x, (uint32_t[]){i, k}, (int64_t[]){c / common, -a / common}, 2);
        }
}

/* Sums of three with small factors, and of four with factors of one. */
static void add_more(Finder *x)
{
    uint32_t n = x->counter_count;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++)
            for (uint32_t l = k + 1; l < n; l++) {
                bool found = false;
                for (int64_t a = 1; a <= MOST_COEFFICIENT && !found; a++)
                    for (int64_t c = -MOST_COEFFICIENT; c <= MOST_COEFFICIENT && !found; c++)
                        for (int64_t d = -MOST_COEFFICIENT; d <= MOST_COEFFICIENT && !found; d++)
                            found = c && d && add_relation(x, (uint32_t[]){i, k, l}, (int64_t[]){a, c, d}, 3);
                for (uint32_t m = l + 1; m < n; m++)
                    for (unsigned signs = 0; signs < 8; signs++)
                        add_relation(x, (uint32_t[]){i, k, l, m},
                                     (int64_t[]){1, signs & 1 ? -1 : 1, signs & 2 ? -1 : 1, signs & 4 ? -1 : 1}, 4);
            }
}

/* Bits below the lowest that any way changes stay as they are. */
static void add_low_bits(Finder *x)
{
    ExprPool *pool = x->b->vars.pool;
    for (uint32_t i = 0; i < x->counter_count; i++) {
        const Counter *c = &x->counters[i];
        uint64_t changed = 0;
        for (uint32_t w = 0; w < x->way_count; w++) changed |= (uint64_t)c->steps[w];
        unsigned bits = changed ? (unsigned)__builtin_ctzll(changed) : 0;
        if (!c->any_set && bits && bits < expr_width(pool, c->variable))
            add_lemma(x, expr_eq(pool, expr_extract(pool, c->variable, 0, bits), expr_extract(pool, c->entry, 0, bits)));
    }
}

/* So do those of the sum of two counters, or of their difference: of `a++, b++` and `a += 2` both leave the lowest bit of a + b as it is. */
static void add_low_bits_of_two(Finder *x, const Counter *a, const Counter *c, int sign)
{
    ExprPool *pool = x->b->vars.pool;
    uint64_t changed = 0, each = 0;
    for (uint32_t w = 0; w < x->way_count; w++) {
        changed |= (uint64_t)a->steps[w] + (uint64_t)sign * (uint64_t)c->steps[w];
        each |= (uint64_t)a->steps[w] | (uint64_t)c->steps[w];
    }
    unsigned width = expr_width(pool, a->variable), bits = changed ? (unsigned)__builtin_ctzll(changed) : 0;
    if (!bits || bits >= width || !(each & (((uint64_t)1 << bits) - 1))) return;
    Expr sum = expr_add(pool, a->variable, term(pool, sign, c->variable)), value = expr_add(pool, a->entry, term(pool, sign, c->entry));
    add_lemma(x, expr_eq(pool, expr_extract(pool, sum, 0, bits), expr_extract(pool, value, 0, bits)));
}

static void add_low_bits_of_pairs(Finder *x)
{
    for (uint32_t i = 0; i < x->counter_count; i++)
        for (uint32_t k = i + 1; k < x->counter_count; k++) {
            const Counter *a = &x->counters[i], *c = &x->counters[k];
            if (a->any_set || c->any_set || expr_width(x->b->vars.pool, a->variable) != expr_width(x->b->vars.pool, c->variable)) continue;
            add_low_bits_of_two(x, a, c, 1);
            add_low_bits_of_two(x, a, c, -1);
        }
}

/* One that no way makes grow by more than another stays below it. */
static void add_orders(Finder *x)
{
    ExprPool *pool = x->b->vars.pool;
    for (uint32_t i = 0; i < x->counter_count; i++)
        for (uint32_t k = 0; k < x->counter_count; k++) {
            const Counter *a = &x->counters[i], *c = &x->counters[k];
            unsigned width = expr_width(pool, a->variable);
            if (i == k || a->any_set || c->any_set || width != expr_width(pool, c->variable) || !expr_is_const(pool, a->entry) ||
                !expr_is_const(pool, c->entry))
                continue;
            bool below = arith_sext(expr_value(pool, a->entry), width) <= arith_sext(expr_value(pool, c->entry), width);
            for (uint32_t w = 0; w < x->way_count; w++) below &= a->steps[w] <= c->steps[w];
            if (!below) continue;
            add_lemma(x, expr_binary(pool, EXPR_SLE, a->variable, c->variable));
            add_lemma(x, expr_binary(pool, EXPR_ULE, a->variable, c->variable));
        }
}

/* Where `a` is set to no more than it was at the entry, and `c` never becomes less than it was there, the order of their multiples stays as it was. */
static bool never_less(const Counter *c, uint32_t ways)
{
    for (uint32_t w = 0; w < ways; w++)
        if (c->is_set[w] || c->steps[w] < 0) return false;
    return true;
}

/* p times what a way adds to `a` is at most q times what it adds to `c`. */
static bool grows_less(const Finder *x, const Counter *a, int64_t p, const Counter *c, int64_t q, int64_t entry)
{
    for (uint32_t w = 0; w < x->way_count; w++) {
        bool fits = !a->is_set[w] && !c->is_set[w] && (I128)p * a->steps[w] <= (I128)q * c->steps[w];
        bool is_reset = a->is_set[w] && a->steps[w] <= entry && never_less(c, x->way_count);
        if (!fits && !is_reset) return false;
    }
    return true;
}

/* p * a <= q * c + d, in 64 bits, so that no product wraps around. */
static void add_slope(Finder *x, const Counter *a, int64_t p, const Counter *c, int64_t q)
{
    ExprPool *pool = x->b->vars.pool;
    unsigned width = expr_width(pool, a->variable);
    int64_t from_a = (int64_t)arith_sext(expr_value(pool, a->entry), width),
            from_c = (int64_t)arith_sext(expr_value(pool, c->entry), width);
    I128 d = (I128)p * from_a - (I128)q * from_c;
    if (d > INT32_MAX || d < INT32_MIN || !grows_less(x, a, p, c, q, from_a)) return;
    Expr more = expr_add(pool, term(pool, q, expr_sext(pool, c->variable, 64)), expr_const(pool, 64, (U128)d));
    add_lemma(x, expr_binary(pool, EXPR_SLE, term(pool, p, expr_sext(pool, a->variable, 64)), more));
}

/* One that each way makes grow by at most so many times as much as another.  The ratio is that of a way which changes both. */
static void add_slopes(Finder *x)
{
    ExprPool *pool = x->b->vars.pool;
    for (uint32_t i = 0; i < x->counter_count; i++)
        for (uint32_t k = 0; k < x->counter_count; k++) {
            const Counter *a = &x->counters[i], *c = &x->counters[k];
            unsigned width = expr_width(pool, a->variable);
            if (i == k || width > 32 || width != expr_width(pool, c->variable) || !expr_is_const(pool, a->entry) ||
                !expr_is_const(pool, c->entry))
                continue;
            int64_t last_p = 0, last_q = 0;
            for (uint32_t w = 0; w < x->way_count; w++) {
                if (a->is_set[w] || c->is_set[w] || a->steps[w] <= 0 || c->steps[w] <= 0) continue;
                int64_t common = divisor(a->steps[w], c->steps[w]), p = c->steps[w] / common, q = a->steps[w] / common;
                if (p != last_p || q != last_q) add_slope(x, a, p, c, q);
                last_p = p;
                last_q = q;
            }
        }
}

/* ---- */

static const LoopLemmas *lemmas_of(Backward *b, uint32_t function, uint32_t loop)
{
    uint64_t key = (uint64_t)function << 32 | loop;
    const uint64_t *known = map_find(&b->loop_lemmas, key);
    if (known) return vec_at(&b->lemmas, *known);
    const Function *f = &b->program->functions[function];
    const LoopLemmas *outer = f->loops[loop].parent != UINT32_MAX ? lemmas_of(b, function, f->loops[loop].parent) : NULL;
    Finder *x = mem_alloc(sizeof *x);
    *x = (Finder){.b = b, .function = function, .f = f, .places = backward__places(b, function), .loop = &f->loops[loop], .outer = outer};
    x->inside = mem_alloc(f->block_count + 1);
    x->visits = mem_alloc(f->block_count + 1);
    x->out = mem_alloc(sizeof *x->out);
    for (uint32_t i = 0; i < x->loop->block_count; i++) x->inside[x->loop->blocks[i]] = 1;
    extend_way(x, &(Way){0}, x->loop->header);
    if (x->way_count && x->way_count < MOST_WAYS) find_counters(x);
    add_low_bits(x);
    add_low_bits_of_pairs(x);
    add_pairs(x);
    add_more(x);
    add_orders(x);
    add_slopes(x);
    LoopLemmas *result = x->out;
    map_put(&b->loop_lemmas, key, b->lemmas.len);
    vec_push(&b->lemmas, result);
    free(x->inside);
    free(x->visits);
    free(x);
    return result;
}

void backward__release_lemmas(Backward *b)
{
    for (uint32_t i = 0; i < b->lemmas.len; i++) {
        vec_release(&b->lemmas.data[i]->lemmas);
        vec_release(&b->lemmas.data[i]->relations);
        free(b->lemmas.data[i]);
    }
    vec_release(&b->lemmas);
    map_release(&b->loop_lemmas);
}

/* Does the condition read memory at an address that moves with the turns of the loop? */
static bool reads_along(Backward *b, const Function *f, const Loop *loop, Expr condition)
{
    Map seen = {0};
    Exprs vars = {0};
    bool found = false;
    conditions_variables(b->vars.pool, condition, &seen, &vars);
    for (uint32_t i = 0, direct = vars.len; i < direct && !found; i++) {
        const VarInfo *info = vars_info(&b->vars, vars.data[i]);
        if (info->kind != VAR_MEMORY) continue;
        Exprs registers = {0};
        Map inner = {0};
        conditions_variables(b->vars.pool, info->index, &inner, &registers);
        for (uint32_t k = 0; k < registers.len && !found; k++) {
            const VarInfo *part = vars_info(&b->vars, registers.data[k]);
            found = part->kind == VAR_REGISTER && part->depth == 0 && backward__loop_writes(f, loop, part->index);
        }
        vec_release(&registers);
        map_release(&inner);
    }
    map_release(&seen);
    vec_release(&vars);
    return found;
}

static bool is_in_loop(const Loop *loop, uint32_t block)
{
    for (uint32_t i = 0; i < loop->block_count; i++)
        if (loop->blocks[i] == block) return true;
    return false;
}

/* Within a loop: what elements of an array are that a turn looks at decides which way the turn goes, and lemmas hold on every way.  So such conditions are left out where
 * others remain; the elements of all turns together are no finite condition.  Returns whether any was left out. */
static bool forget_elements(Backward *b, Candidate *c, const Function *f, uint32_t block)
{
    uint32_t inner = UINT32_MAX, kept = 0;
    for (uint32_t l = 0; l < f->loop_count; l++)
        if (is_in_loop(&f->loops[l], block) && (inner == UINT32_MAX || f->loops[l].depth > f->loops[inner].depth)) inner = l;
    if (inner == UINT32_MAX || !lemmas_of(b, c->function, inner)->lemmas.len) return false;
    for (uint32_t i = 0; i < c->conditions.len; i++) kept += !reads_along(b, f, &f->loops[inner], c->conditions.data[i]);
    if (!kept || kept == c->conditions.len) return false;
    kept = 0;
    for (uint32_t i = 0; i < c->conditions.len; i++)
        if (!reads_along(b, f, &f->loops[inner], c->conditions.data[i])) c->conditions.data[kept++] = c->conditions.data[i];
    c->conditions.len = kept;
    c->parent = 0; /* as in backward__generalise */
    b->generalised++;
    return true;
}

bool backward__generalise(Backward *b, Candidate *c, const Exprs *bounds)
{
    const Function *f = &b->program->functions[c->function];
    const Places *p = backward__places(b, c->function);
    uint32_t loop = 0;
    if (!b->generalises || c->location >= p->first[f->block_count]) return false;
    while (loop < f->loop_count && p->first[f->loops[loop].header] != c->location) loop++;
    if (loop == f->loop_count) return forget_elements(b, c, f, p->segments[c->location].block);
    const LoopLemmas *known = lemmas_of(b, c->function, loop);
    for (uint32_t i = 0; i < known->lemmas.len; i++) {
        Expr lemma = known->lemmas.data[i];
        Exprs more = {0};
        vec_push(&more, lemma);
        bool contradicts = backward__ask(b, &c->conditions, &more) == SOLVE_UNSAT, with_bounds = false;
        for (uint32_t k = 0; k < bounds->len; k++) vec_push(&more, bounds->data[k]);
        if (!contradicts && bounds->len) with_bounds = contradicts = backward__ask(b, &c->conditions, &more) == SOLVE_UNSAT;
        vec_release(&more);
        Exprs negated = {0};
        if (!contradicts || !conditions_add(b->vars.pool, expr_not(b->vars.pool, lemma), &negated)) {
            vec_release(&negated);
            continue;
        }
        if (with_bounds) backward__rests_on(b, REST_FACTS);
        b->generalised++;
        vec_release(&c->conditions);
        c->conditions = negated;
        c->parent = 0; /* the R-state that follows from it is a part of it only, so nothing is known of that where this one is reached */
        return true;
    }
    return false;
}
