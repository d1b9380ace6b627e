/* What a completed call gives its caller, as a function of what it reads. */
#include "summary/summary_int.h"

#include <stdlib.h>

/* ---- meanings of variables ---- */

void meanings_release(Meanings *meanings)
{
    map_release(&meanings->by_content);
    map_release(&meanings->by_variable);
    vec_release(&meanings->all);
    vec_release(&meanings->actuals);
}

const Meaning *meaning_of(const Meanings *meanings, Expr variable)
{
    const uint64_t *found = map_find(&meanings->by_variable, variable);
    return found ? &meanings->all.data[*found] : NULL;
}

void meaning_actuals(const Meanings *meanings, Meaning meaning, ExprTranslation *into, Vec_exprs *actuals)
{
    for (uint32_t i = 0; i < meaning.shape->variables.len; i++) {
        Expr actual = meanings->actuals.data[meaning.actuals + i];
        vec_push(actuals, actual ? expr_translate(into, actual) : 0);
    }
}

static unsigned width_of(const Summaries *s, const Shape *shape, uint32_t output);

Expr meaning_variable(const Summaries *s, Meanings *meanings, ExprPool *pool, const Shape *shape, const Expr *actuals, uint32_t output)
{
    const Uses *uses = shape_uses(s, shape, output);
    uint64_t key = hash_mix(shape->hash ^ output);
    for (uint32_t i = 0; i < uses->count; i++) key = hash_mix(key ^ actuals[uses->number[i]]);
    const uint64_t *known = map_find(&meanings->by_content, key);
    if (known) return (Expr)*known;
    Expr variable = expr_var(pool, width_of(s, shape, output), shape->tree->function->name);
    Meaning meaning = {shape, meanings->actuals.len, output};
    for (uint32_t i = 0; i < shape->variables.len; i++) vec_push(&meanings->actuals, 0);
    for (uint32_t i = 0; i < uses->count; i++) meanings->actuals.data[meaning.actuals + uses->number[i]] = actuals[uses->number[i]];
    map_put(&meanings->by_content, key, variable);
    map_put(&meanings->by_variable, variable, meanings->all.len);
    vec_push(&meanings->all, meaning);
    return variable;
}

/* ---- segments of memory ---- */

typedef struct Written {
    uint64_t address;
    uint32_t bytes;
    uint32_t place, write; /* the first that writes it */
} Written;
typedef Vec(Written) Vec_written;

static int by_address(const void *a, const void *b)
{
    const Written *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The same in every calling state, wherever the objects are. */
static int by_writer(const void *a, const void *b)
{
    const Written *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    if (x->write != y->write) return x->write < y->write ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void collect_written(const Walk *walk, Vec_written *all)
{
    const Tree *tree = walk->call->tree;
    for (uint32_t i = 0; i < walk->places.len; i++) {
        const Place *p = &walk->places.data[i];
        if (p->kind != PLACE_RETURN) continue;
        const Leaf *leaf = &tree->leaves.data[p->leaf];
        for (uint32_t k = 0; k < leaf->write_count; k++)
            vec_push(all, ((Written){walk->addresses.data[p->writes + k], tree->writes.data[leaf->writes + k].bytes, i, k}));
    }
    if (all->len) qsort(all->data, all->len, sizeof(Written), by_address);
}

/* The first of those that write the byte. */
static Written writer_of(const Vec_written *all, uint32_t from, uint32_t end, uint64_t address)
{
    Written found = {address, 1, UINT32_MAX, UINT32_MAX};
    for (uint32_t i = from; i < end; i++) {
        const Written *w = &all->data[i];
        bool earlier = w->place < found.place || (w->place == found.place && w->write < found.write);
        if (address < w->address || address >= w->address + w->bytes || !earlier) continue;
        found.place = w->place;
        found.write = w->write;
    }
    return found;
}

/* What is written on some path: whole values where all agree on them, else bytes. */
static void find_segments(const Walk *walk, Vec_written *segments)
{
    Vec_written all = {0};
    collect_written(walk, &all);
    for (uint32_t i = 0; i < all.len;) {
        uint64_t from = all.data[i].address, end = from + all.data[i].bytes;
        uint32_t next = i + 1, bytes = all.data[i].bytes;
        bool whole = true;
        for (; next < all.len && all.data[next].address < end; next++) {
            whole &= all.data[next].address == from && all.data[next].bytes == bytes;
            if (all.data[next].address + all.data[next].bytes > end) end = all.data[next].address + all.data[next].bytes;
        }
        if (whole) vec_push(segments, all.data[i]);
        for (uint64_t at = from; !whole && at < end; at++) vec_push(segments, writer_of(&all, i, next, at));
        i = next;
    }
    if (segments->len) qsort(segments->data, segments->len, sizeof(Written), by_writer);
    vec_release(&all);
}

/* What a path leaves in the segment; 0: nothing. */
static Expr written_by(const Walk *walk, const Place *place, const Written *segment)
{
    const Tree *tree = walk->call->tree;
    const Leaf *leaf = &tree->leaves.data[place->leaf];
    for (uint32_t i = 0; i < leaf->write_count; i++) {
        const Write *w = &tree->writes.data[leaf->writes + i];
        uint64_t address = walk->addresses.data[place->writes + i];
        if (segment->address < address || segment->address >= address + w->bytes) continue;
        return expr_extract(walk->call->summaries->pool, w->value, (unsigned)(segment->address - address) * 8, segment->bytes * 8);
    }
    return 0;
}

/* ---- shapes ---- */

/* What was there, where a path that returns does not write it. */
static Expr old_value(const Walk *walk, const Shape *shape, const Written *segment)
{
    const Expr *values = shape->values.data + shape->values.len - shape->places.len;
    bool all = true;
    uint32_t undefined;
    for (uint32_t k = 0; k < shape->places.len; k++) all &= shape->places.data[k].kind != PLACE_RETURN || values[k];
    return all ? 0 : isolation_look(walk->call->summaries->isolation, segment->address, segment->bytes, &undefined);
}

static void add_segments(Shape *shape, const Walk *walk, Vec_segments *segments)
{
    Vec_written written = {0};
    find_segments(walk, &written);
    for (uint32_t i = 0; i < written.len; i++) {
        for (uint32_t k = 0; k < walk->places.len; k++) {
            const Place *p = &walk->places.data[k];
            vec_push(&shape->values, p->kind == PLACE_RETURN ? written_by(walk, p, &written.data[i]) : 0);
        }
        vec_push(segments, ((Segment){written.data[i].address, written.data[i].bytes, old_value(walk, shape, &written.data[i])}));
    }
    shape->segment_count = written.len;
    vec_release(&written);
}

static void add_results(Shape *shape, const Walk *walk)
{
    const Tree *tree = walk->call->tree;
    shape->result_count = tree->function->result_count;
    for (uint32_t r = 0; r < shape->result_count; r++)
        for (uint32_t i = 0; i < walk->places.len; i++) {
            const Place *p = &walk->places.data[i];
            const Leaf *leaf = &tree->leaves.data[p->leaf];
            bool has = p->kind == PLACE_RETURN && r < leaf->result_count;
            vec_push(&shape->values, has ? tree->results.data[leaf->results + r] : 0);
        }
}

/* Not of where things are, which is another matter in every calling state. */
static uint64_t shape_hash(const Shape *shape)
{
    uint64_t hash = hash_mix(shape->tree->facts.function ^ hash_mix(shape->result_count));
    for (uint32_t i = 0; i < shape->places.len; i++) {
        const Place *p = &shape->places.data[i];
        hash = hash_mix(hash ^ hash_mix((uint64_t)p->kind << 32 | p->condition) ^ hash_mix((uint64_t)p->yes << 32 | p->no));
    }
    for (uint32_t i = 0; i < shape->variables.len; i++)
        hash = hash_mix(hash ^ hash_mix((uint64_t)shape->variables.data[i] << 1 | shape->by_case.data[i]));
    for (uint32_t i = 0; i < shape->values.len; i++) hash = hash_mix(hash ^ shape->values.data[i]);
    return hash;
}

void shape_free(Shape *shape)
{
    vec_release(&shape->places);
    vec_release(&shape->variables);
    vec_release(&shape->by_case);
    vec_release(&shape->decides);
    vec_release(&shape->values);
    for (uint32_t i = 0; i < shape->uses.len; i++) free(shape->uses.data[i]);
    vec_release(&shape->uses);
    free(shape);
}

static bool is_since(const Map *versions, Expr variable, uint32_t version)
{
    const uint64_t *since = map_find(versions, variable);
    return since && *since <= version;
}

static void mark_deciding(const Summaries *s, const Places *places, Map *marked)
{
    for (uint32_t i = 0; i < places->len; i++)
        if (places->data[i].kind == PLACE_BRANCH) depends_mark(s, places->data[i].condition, marked);
}

/* Only with what matters: addresses of objects, for instance, do not. */
static void add_actuals(Shape *shape, const Walk *walk, const Map *deciding, const Map *marked, Vec_exprs *actuals)
{
    for (uint32_t i = 0; i < walk->variables.len; i++) {
        Expr variable = walk->variables.data[i];
        bool decides = map_find(deciding, variable);
        if (!decides && !map_find(marked, variable)) continue;
        vec_push(&shape->variables, variable);
        vec_push(&shape->decides, decides);
        vec_push(&shape->by_case, is_since(&shape->tree->indexes, variable, walk->version));
        vec_push(actuals, walk->actuals.data[i]);
    }
}

static Shape *shape_new(const Walk *walk)
{
    Shape *shape = mem_alloc(sizeof *shape);
    shape->tree = walk->call->tree;
    shape->first = walk->first;
    for (uint32_t i = 0; i < walk->places.len; i++) vec_push(&shape->places, walk->places.data[i]);
    return shape;
}

Shape *shape_of_places(Summaries *s, const Walk *walk, Vec_exprs *actuals)
{
    Shape *shape = shape_new(walk);
    Map deciding = {0}, none = {0};
    mark_deciding(s, &shape->places, &deciding);
    add_actuals(shape, walk, &deciding, &none, actuals);
    map_release(&deciding);
    return shape;
}

const Shape *shape_of(Summaries *s, const Walk *walk, Vec_exprs *actuals, Vec_segments *segments)
{
    Shape *shape = shape_new(walk);
    Map deciding = {0}, marked = {0};
    add_results(shape, walk);
    add_segments(shape, walk, segments);
    shape_merge_places(shape);
    mark_deciding(s, &shape->places, &deciding);
    for (uint32_t i = 0; i < shape->values.len; i++)
        if (shape->values.data[i]) depends_mark(s, shape->values.data[i], &marked);
    add_actuals(shape, walk, &deciding, &marked, actuals);
    map_release(&deciding);
    map_release(&marked);
    shape->hash = shape_hash(shape);
    const uint64_t *known = map_find(&s->by_content, shape->hash);
    if (known) {
        shape_free(shape);
        return s->shapes.data[*known];
    }
    for (uint32_t i = 0; i < OUTPUT_VALUES + shape->result_count + 2 * shape->segment_count; i++) vec_push(&shape->uses, NULL);
    map_put(&s->by_content, shape->hash, s->shapes.len);
    vec_push(&s->shapes, shape);
    return shape;
}

static bool is_value(const Shape *shape, uint32_t output)
{
    return output >= OUTPUT_VALUES && output < OUTPUT_VALUES + shape->result_count + shape->segment_count;
}

/* The values of an output, for all places; also of the output that says when a segment is written. */
const Expr *shape_values(const Shape *shape, uint32_t output)
{
    uint32_t number = output - OUTPUT_VALUES;
    if (!is_value(shape, output)) number -= shape->segment_count;
    return shape->values.data + (size_t)number * shape->places.len;
}

static Uses *find_uses(const Summaries *s, const Shape *shape, uint32_t output)
{
    Map marked = {0};
    Uses *uses = mem_alloc(sizeof *uses + shape->variables.len * sizeof *uses->number);
    const Expr *values = is_value(shape, output) ? shape_values(shape, output) : NULL;
    for (uint32_t i = 0; values && i < shape->places.len; i++)
        if (values[i]) depends_mark(s, values[i], &marked);
    for (uint32_t i = 0; i < shape->variables.len; i++)
        if (!shape->decides.data[i] && map_find(&marked, shape->variables.data[i])) uses->number[uses->count++] = i;
    uses->bystanders = uses->count;
    for (uint32_t i = 0; i < shape->variables.len; i++)
        if (shape->decides.data[i]) uses->number[uses->count++] = i;
    map_release(&marked);
    return uses;
}

const Uses *shape_uses(const Summaries *s, const Shape *shape, uint32_t output)
{
    Uses **kept = &shape->uses.data[output];
    if (!*kept) *kept = find_uses(s, shape, output);
    return *kept;
}

/* ---- outputs ---- */

static unsigned width_of(const Summaries *s, const Shape *shape, uint32_t output)
{
    if (!is_value(shape, output)) return 1;
    const Expr *values = shape_values(shape, output);
    for (uint32_t i = 0; i < shape->places.len; i++)
        if (values[i]) return expr_width(s->pool, values[i]);
    return 0; /* no path gives it */
}

static bool has_kind(const Shape *shape, PlaceKind kind)
{
    for (uint32_t i = 0; i < shape->places.len; i++)
        if (shape->places.data[i].kind == kind) return true;
    return false;
}

/* All paths that give it give the same; 0: they do not. */
static Expr only_value(const Shape *shape, uint32_t output)
{
    const Expr *values = shape_values(shape, output);
    Expr only = 0;
    for (uint32_t i = 0; i < shape->places.len; i++) {
        if (values[i] && only && values[i] != only) return 0;
        if (values[i]) only = values[i];
    }
    return only;
}

static bool has_undef(const Summaries *s, const Shape *shape, uint32_t output)
{
    const Expr *values = shape_values(shape, output);
    for (uint32_t i = 0; i < shape->places.len; i++)
        if (values[i] && expr_has_undef(s->pool, values[i])) return true;
    return false;
}

typedef struct OwnView {
    Summaries *s;
    Call *view;
    ExprTranslation into;
} OwnView;

Expr shape_given(Summaries *s, Call *view, ExprTranslation *into, Expr variable)
{
    const Meaning *meaning = meaning_of(&s->meanings, variable);
    REQUIRE(meaning, "an input that was not read");
    Meaning m = *meaning;
    Vec_exprs actuals = {0};
    meaning_actuals(&s->meanings, m, into, &actuals);
    Expr output = shape_output(s, view, m.shape, actuals.data, m.output);
    vec_release(&actuals);
    return output ? output : expr_const(into->to, expr_width(into->from, variable), 0);
}

static Expr given(void *data, Expr variable)
{
    OwnView *own = data;
    return shape_given(own->s, own->view, &own->into, variable);
}

static Expr undefined(void *data, unsigned width)
{
    return vm_undefined(((OwnView *)data)->s->vm, width);
}

static void own_view_init(OwnView *own, Summaries *s, Call *view, const Shape *shape, const Expr *actuals)
{
    *own = (OwnView){.s = s, .view = view};
    expr_translation_init(&own->into, s->pool, vm_pool(s->vm));
    own->into.variable = given;
    own->into.undef = undefined;
    own->into.data = own;
    for (uint32_t i = 0; i < shape->variables.len; i++)
        if (actuals[i]) expr_translation_set(&own->into, shape->variables.data[i], actuals[i]);
}

static Expr in_view(Summaries *s, Call *view, const Shape *shape, const Expr *actuals, Expr value)
{
    OwnView own;
    own_view_init(&own, s, view, shape, actuals);
    Expr result = expr_translate(&own.into, value);
    expr_translation_release(&own.into);
    return result;
}

/* A choice along the places: what may be uninitialised must be seen. */
static Expr choice_in_view(Summaries *s, Call *view, const Shape *shape, const Expr *actuals, uint32_t output)
{
    OwnView own;
    ExprPool *pool = vm_pool(s->vm);
    const Expr *values = shape_values(shape, output);
    Vec_exprs chosen = {0};
    own_view_init(&own, s, view, shape, actuals);
    for (uint32_t i = 0; i < shape->places.len; i++) vec_push(&chosen, values[i] ? expr_translate(&own.into, values[i]) : 0);
    for (uint32_t i = shape->places.len; i-- > 0;) {
        const Place *p = &shape->places.data[i];
        if (p->kind != PLACE_BRANCH) continue;
        Expr yes = chosen.data[p->yes], no = chosen.data[p->no];
        chosen.data[i] = !yes ? no : !no ? yes : expr_ite(pool, expr_translate(&own.into, p->condition), yes, no);
    }
    Expr result = chosen.data[shape->first];
    vec_release(&chosen);
    expr_translation_release(&own.into);
    return result;
}

/* A way that all paths take, or none; 0: neither. */
static Expr plain_way(const Summaries *s, const Shape *shape, uint32_t output)
{
    static const PlaceKind kinds[] = {[OUTPUT_ENDS] = PLACE_END, [OUTPUT_IN_PLACE] = PLACE_IN_PLACE, [OUTPUT_MISSING] = PLACE_MISSING};
    ExprPool *pool = vm_pool(s->vm);
    bool ends = has_kind(shape, PLACE_END), missing = has_kind(shape, PLACE_MISSING), in_place = has_kind(shape, PLACE_IN_PLACE);
    bool returns = has_kind(shape, PLACE_RETURN);
    if (output == OUTPUT_RETURNS) return !ends && !missing ? expr_const(pool, 1, 1) : !returns && !in_place ? expr_const(pool, 1, 0) : 0;
    if (!has_kind(shape, kinds[output])) return expr_const(pool, 1, 0);
    return returns + ends + missing + in_place == 1 ? expr_const(pool, 1, 1) : 0;
}

Expr shape_output(Summaries *s, Call *view, const Shape *shape, const Expr *actuals, uint32_t output)
{
    if (!width_of(s, shape, output)) return 0;
    if (!view) return instances_output(s->instances, shape, actuals, output);
    Expr plain = output < OUTPUT_VALUES ? plain_way(s, shape, output) : 0;
    if (plain) return plain;
    Expr only = is_value(shape, output) ? only_value(shape, output) : 0;
    if (only) return in_view(s, view, shape, actuals, only);
    if (is_value(shape, output) && has_undef(s, shape, output)) return choice_in_view(s, view, shape, actuals, output);
    return meaning_variable(s, &view->meanings, vm_pool(s->vm), shape, actuals, output);
}

/* 0: it is always so, or never. */
static Expr undecided(Summaries *s, Expr condition)
{
    return expr_is_const(vm_pool(s->vm), condition) ? 0 : condition;
}

/* What is in the segment afterwards; 0: nobody knows, because no path returns. */
static Expr segment_value(Summaries *s, Call *view, const Shape *shape, const Expr *actuals, uint32_t number, Expr old)
{
    uint32_t output = OUTPUT_VALUES + shape->result_count + number;
    Expr value = shape_output(s, view, shape, actuals, output);
    if (!old || !value) return value ? value : old;
    Expr written = shape_output(s, view, shape, actuals, output + shape->segment_count);
    return written ? expr_ite(vm_pool(s->vm), written, value, old) : old;
}

void shape_complete(Summaries *s, const Shape *shape, const Expr *actuals, const Vec_segments *segments)
{
    Call *view = s->calls.len ? vec_top(&s->calls) : NULL;
    Expr returns = undecided(s, shape_output(s, view, shape, actuals, OUTPUT_RETURNS));
    Expr ends = undecided(s, shape_output(s, view, shape, actuals, OUTPUT_ENDS));
    bool whole = !undecided(s, shape_output(s, view, shape, actuals, OUTPUT_MISSING));
    Vec_exprs outputs = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->result_count; i++) vec_push(&outputs, shape_output(s, view, shape, actuals, OUTPUT_VALUES + i));
    for (uint32_t i = 0; i < segments->len; i++) vec_push(&outputs, segment_value(s, view, shape, actuals, i, segments->data[i].old));
    while (count < shape->result_count && outputs.data[count]) count++;
    isolation_complete(s->isolation, &(IsolatedOutcome){returns, ends, whole, outputs.data, count});
    for (uint32_t i = 0; i < segments->len; i++) {
        Expr value = outputs.data[shape->result_count + i];
        if (value) isolation_put(s->isolation, segments->data[i].address, segments->data[i].bytes, value);
    }
    vec_release(&outputs);
}
