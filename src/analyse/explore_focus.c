/* What explorations (explore.c) join states over, and what they leave out.
 *
 * What takes many values would make too many states: where a point has more than MOST_AT_POINT, the registers and cells that have most values there are joined over
 * from then on, and the exploration starts again.  When it has ended and a branch is not taken, states are joined over each name, and names are left out,
 * as long as the branch is still not taken: clew-check has to judge every fact of the certificate. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

enum {
    MOST_WRITTEN = 2000, /* states in a certificate; clew-check had no answer in time for 4,000.  A guess. */
    FOCUS_PART = 4,      /* of the work, for one branch.  A guess. */
    MOST_LAYOUTS = 8     /* times that cells are added.  A guess. */
};

/* ---- what states are joined over ---- */

static void lay_out(Analysis *a)
{
    Explorer *x = a->explorer;
    x->names = a->memory.global_slots;
    for (uint32_t f = 0; f < a->program->function_count; f++) {
        x->first_name[f] = x->names;
        x->names += explore__frame_size(a, f);
    }
    free(x->joined);
    free(x->left_out);
    x->joined = mem_alloc(x->names + 1);
    x->left_out = mem_alloc(x->names + 1);
}

typedef struct Spread {
    const Point *point;
    uint32_t *counts; /* per name (register or cell): how many values the states at the point have for it */
    uint32_t most;
} Spread;

static void find_spread(Analysis *a, void *data, uint32_t slot, uint32_t name)
{
    Spread *spread = data;
    Map seen = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; !a->explorer->joined[name] && i < spread->point->states.len; i++) {
        uint32_t id = spread->point->states.data[i].state[slot];
        if (!explore__is_single(a, id) || map_find(&seen, id)) continue;
        map_put(&seen, id, 1);
        count++;
    }
    map_release(&seen);
    if (count > spread->counts[name]) spread->counts[name] = count;
    if (count > spread->most) spread->most = count;
}

/* States at a crowded point are joined over the name that has most values there, from now on and at every point.  When half of the work is spent, all names
 * with half as many values are taken at once, so that the exploration ends in time.  False: no name has two values, so joining would not help. */
static bool join_more(Analysis *a)
{
    Explorer *x = a->explorer;
    Spread spread = {.point = &vec_at(&x->points, x->crowded - 1), .counts = mem_alloc((x->names + 1) * sizeof(uint32_t)), .most = 1};
    explore__each_slot(a, spread.point->activation, find_spread, &spread);
    bool late = a->work > x->work_end / 2, found = false;
    for (uint32_t i = 0; spread.most > 1 && i < x->names && (late || !found); i++) {
        found = late ? spread.counts[i] > 1 && 2 * spread.counts[i] >= spread.most : spread.counts[i] == spread.most;
        if (found) x->joined[i] = 1;
    }
    free(spread.counts);
    return spread.most > 1;
}

static bool add_missing_cells(Analysis *a)
{
    Explorer *x = a->explorer;
    bool added = false;
    for (uint32_t i = 0; i < x->missing.len; i++) {
        Cell cell = x->missing.data[i];
        added |= objects_add_cell(&a->memory, cell.object, cell.offset, cell.bytes);
    }
    vec_clear(&x->missing);
    if (!added) return false;
    explore__forget_points(x);
    objects_number_cells(&a->memory);
    lay_out(a);
    return true;
}

/* Explores until no cell is missing and no point is crowded. */
static bool settle(Analysis *a)
{
    Explorer *x = a->explorer;
    uint32_t layouts = 0;
    for (;;) {
        bool done = explore__once(a);
        if (x->failed) return false;
        if (x->missing.len && layouts++ < MOST_LAYOUTS && add_missing_cells(a)) continue;
        if (done) return true;
        if (!join_more(a)) return false;
    }
}

typedef struct Used {
    const uint32_t *state;
    uint8_t *used;
} Used;

static void note_used(Analysis *a, void *data, uint32_t slot, uint32_t name)
{
    Used *used = data;
    (void)a;
    if (used->state[slot]) used->used[name] = 1;
}

typedef Vec(uint32_t) Names;

/* The names of which something is known anywhere. */
static void find_used(Analysis *a, Names *names)
{
    Explorer *x = a->explorer;
    uint8_t *used = mem_alloc(x->names + 1);
    for (uint32_t i = 0; i < x->points.len; i++)
        for (uint32_t k = 0; k < x->points.data[i].states.len; k++) {
            Used one = {x->points.data[i].states.data[k].state, used};
            explore__each_slot(a, x->points.data[i].activation, note_used, &one);
        }
    for (uint32_t i = 0; i < x->names; i++)
        if (used[i]) vec_push(names, i);
    free(used);
}

/* Sets the flags of names as long as the target is not taken: first of halves of them, then of smaller and smaller parts. */
static void minimise(Analysis *a, const Names *all, uint8_t *flags)
{
    Explorer *x = a->explorer;
    Names names = {0};
    for (uint32_t i = 0; i < all->len; i++) vec_push(&names, all->data[i]);
    for (uint32_t part = names.len; part && a->work < x->work_end; part = part == 1 ? 0 : (part + 1) / 2)
        for (uint32_t at = names.len; at > 0 && a->work < x->work_end;) {
            uint32_t n = at < part ? at : part;
            at -= n;
            for (uint32_t i = at; i < at + n; i++) flags[names.data[i]] = 1;
            if (explore__once(a)) {
                memmove(names.data + at, names.data + at + n, (names.len - at - n) * sizeof *names.data);
                names.len -= n;
            } else {
                for (uint32_t i = at; i < at + n; i++) flags[names.data[i]] = 0;
            }
        }
    vec_release(&names);
}

static uint32_t count_states(const Explorer *x)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->points.len; i++) count += x->points.data[i].states.len;
    return count;
}

/* First the states are made fewer, which makes all further explorations cheaper, then what is noted of each. */
bool explore_focus(Analysis *a, uint32_t branch)
{
    Explorer *x = a->explorer;
    Names used = {0}, apart = {0};
    uint8_t *joined = mem_alloc(x->names + 1);
    uint64_t left = a->options.work > a->work ? a->options.work - a->work : 0;
    memcpy(joined, x->joined, x->names);
    memset(x->left_out, 0, x->names);
    x->target = branch;
    x->work_end = a->options.work ? a->work + left / FOCUS_PART : UINT64_MAX;
    bool good = explore__once(a);
    if (good) {
        find_used(a, &used);
        for (uint32_t i = 0; i < used.len; i++)
            if (!x->joined[used.data[i]]) vec_push(&apart, used.data[i]);
        minimise(a, &apart, x->joined);
        minimise(a, &used, x->left_out);
        x->work_end = UINT64_MAX;
        good = explore__once(a) && count_states(x) <= MOST_WRITTEN;
    }
    memcpy(x->joined, joined, x->names);
    free(joined);
    vec_release(&used);
    vec_release(&apart);
    return good;
}

/* ---- the whole ---- */

Analysis *explore(const Program *program, const AnalyseOptions *options)
{
    Analysis *a = mem_alloc(sizeof *a);
    uint32_t n = program->function_count;
    a->program = program;
    a->options = *options;
    a->takes = mem_alloc(program->branch_count + 1);
    a->orders = mem_alloc((n + 1) * sizeof *a->orders);
    a->keys = mem_alloc((n + 1) * sizeof *a->keys);
    values_init(&a->values, program);
    bool good = objects_find(&a->memory, program, options);
    if (good) analyse__choose_keys(a);
    Explorer *x = a->explorer = mem_alloc(sizeof *x);
    x->live = mem_alloc((n + 1) * sizeof *x->live);
    x->orders = mem_alloc((n + 1) * sizeof *x->orders);
    x->definitions = mem_alloc((n + 1) * sizeof *x->definitions);
    x->first_name = mem_alloc((n + 1) * sizeof *x->first_name);
    x->work_end = options->work ? options->work / 2 : UINT64_MAX;
    x->target = UINT32_MAX;
    if (good) lay_out(a);
    good = good && settle(a);
    if (good) return a;
    analysis_free(a);
    return NULL;
}

void explore__release(Analysis *a)
{
    Explorer *x = a->explorer;
    if (!x) return;
    explore__forget_points(x);
    for (uint32_t f = 0; f < a->program->function_count; f++) {
        free(x->live[f]);
        free(x->orders[f]);
        free(x->definitions[f]);
    }
    vec_release(&x->points);
    vec_release(&x->queue);
    vec_release(&x->activations);
    vec_release(&x->missing);
    free(x->live);
    free(x->orders);
    free(x->definitions);
    free(x->first_name);
    free(x->joined);
    free(x->left_out);
    free(x);
}
