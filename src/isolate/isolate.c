/* What an isolation knows of the path at hand, and how it is undone; what the machine tells it (vm/observer.h). */
#include "isolate/isolate_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ISOLATED_INSTRUCTIONS = 200000 }; /* of a path, from where it was left last; calls within included */

/* ---- the log: what has to be undone when the machine goes back ---- */

void isolation__log(Isolation *isolation, const Undo *entry)
{
    vec_push(&isolation->log, *entry);
    isolation->observer->position = isolation->log.len;
}

void isolation__add_fact(Isolation *isolation, uint32_t L, const IsolatedFact *fact)
{
    vec_push(&isolation__level(isolation, L)->facts, *fact);
    isolation__log(isolation, &(Undo){.kind = UNDO_FACT, .level = L});
}

static void own(Isolation *isolation, uint64_t address)
{
    uint32_t L = isolation__top(isolation);
    const uint64_t *old = map_find(&isolation->own, address);
    isolation__log(isolation, &(Undo){.kind = UNDO_OWN, .level = L, .key = address, .old = old ? *old : 0});
    map_put(&isolation->own, address, L);
    vec_push(&isolation__level(isolation, L)->own, address);
}

bool isolation__is_own(const Isolation *isolation, uint32_t L, uint64_t start)
{
    const uint64_t *level = map_find(&isolation->own, start);
    return level && *level >= L;
}

static void restore(Map *map, uint64_t key, uint64_t old)
{
    if (old) map_put(map, key, old);
    else map_remove(map, key);
}

static void undo_base(Level *level)
{
    IsolatedBase base = vec_pop(&level->bases);
    const uint64_t *known = base.variable ? map_find(&level->base_of, base.variable) : NULL;
    if (known && *known == level->bases.len) map_remove(&level->base_of, base.variable);
    if (!base.variable) map_remove(&level->placed, base.address);
}

static void undo_level(Isolation *isolation)
{
    Level *level = &vec_top(&isolation->levels);
    vec_release(&level->bases);
    vec_release(&level->facts);
    map_release(&level->base_of);
    map_release(&level->placed);
    vec_release(&level->own);
    vec_release(&level->written);
    vec_release(&level->results);
    vec_release(&level->writes);
    (void)vec_pop(&isolation->levels);
}

static void undo(Isolation *isolation, const Undo *entry)
{
    Level *level = isolation__level(isolation, entry->level);
    switch (entry->kind) {
    case UNDO_LEVEL: undo_level(isolation); break;
    case UNDO_FACT: (void)vec_pop(&level->facts); break;
    case UNDO_BASE: undo_base(level); break;
    case UNDO_CHANGE: vec_at(&level->bases, entry->index) = entry->base; break;
    case UNDO_WRITTEN: (void)vec_pop(&level->written); break;
    case UNDO_TOUCH: restore(&isolation->touched, entry->key, entry->old); break;
    case UNDO_OWN:
        restore(&isolation->own, entry->key, entry->old);
        (void)vec_pop(&level->own);
        break;
    }
}

static void undone(void *data, uint32_t position)
{
    Isolation *isolation = data;
    while (isolation->log.len > position) {
        Undo entry = vec_pop(&isolation->log);
        undo(isolation, &entry);
    }
    isolation->observer->position = position;
    isolation->observer->isolating = isolation->levels.len > 0;
    isolation->unfit[0] = 0;
    isolation->how_unfit = UNFIT_HERE;
    isolation->in_place = false;
    isolation->trial = 0;
    isolation->end = vm_stats(isolation->vm)->instructions + ISOLATED_INSTRUCTIONS;
}

/* ---- what does not fit ---- */

/* The first reason counts. */
static void be_unfit(Isolation *isolation, const char *why, Unfit how)
{
    if (isolation->unfit[0] || !isolation->levels.len) return;
    snprintf(isolation->unfit, sizeof isolation->unfit, "%s", why);
    isolation->how_unfit = how;
    vm_end_run(isolation->vm, VM_UNSUPPORTED, "%s", why);
}

void isolation__be_unfit(Isolation *isolation, const char *why)
{
    be_unfit(isolation, why, UNFIT_HERE);
}

/* What it does on this path it would do in any state. */
void isolation__be_unfit_always(Isolation *isolation, const char *why)
{
    be_unfit(isolation, why, UNFIT_ALWAYS);
}

void isolation_leave(Isolation *isolation, const char *why)
{
    be_unfit(isolation, why, UNFIT_OUTSIDE);
}

const char *isolation_unfit(const Isolation *isolation, Unfit *how)
{
    *how = isolation->how_unfit;
    return isolation->unfit[0] ? isolation->unfit : NULL;
}

static bool outside(void *data, VmOutside what, const char *text)
{
    static const char *const fit[] = {"malloc",
                                      "clew__malloc",
                                      "calloc",
                                      "free",
                                      "clew__free",
                                      "realloc",
                                      "clew__realloc",
                                      "clew__assume",
                                      "clew__exit",
                                      "clew__die",
                                      "clew__trap",
                                      "clew__assertion_failed",
                                      "clew__wrong_verdict",
                                      "aligned_alloc",
                                      "memalign",
                                      "clew__memalign",
                                      "clew__is_symbolic",
                                      "clew__destructor_at",
                                      "clew__real_effects"};
    for (size_t i = 0; what == OUTSIDE_MACHINE && i < COUNT_OF(fit); i++)
        if (strcmp(text, fit[i]) == 0) return true;
    Isolation *isolation = data;
    char why[sizeof isolation->unfit];
    snprintf(why, sizeof why, "%s (%s)", what == OUTSIDE_NATIVE ? "it calls a native function" : "it uses the world outside", text);
    if (what == OUTSIDE_LOSS || what == OUTSIDE_FLOATS) isolation__be_unfit(isolation, text);
    else isolation_leave(isolation, why);
    return false;
}

/* ---- what the machine tells ---- */

static void free_object(Isolation *isolation, uint64_t address)
{
    uint64_t start = vm_object_start(isolation->vm, address);
    if (start && !isolation__is_own(isolation, isolation__top(isolation), start))
        isolation__be_unfit_always(isolation, "it frees memory that it has not allocated");
}

static void place(void *data, VmPlaceEvent event, uint64_t address, uint64_t bytes)
{
    Isolation *isolation = data;
    uint32_t L = isolation__top(isolation);
    switch (event) {
    case PLACE_NAMED: isolation__name(isolation, L, address); break;
    case PLACE_SIZED: isolation__note_size(isolation, L, address); break;
    case PLACE_READ: isolation__note_read(isolation, address, bytes); break;
    case PLACE_WRITTEN: isolation__note_write(isolation, address, bytes); break;
    case PLACE_MADE: own(isolation, address); break;
    case PLACE_FREED: free_object(isolation, address); break;
    }
}

static void tick(void *data)
{
    Isolation *isolation = data;
    if (vm_stats(isolation->vm)->instructions >= isolation->end) isolation__be_unfit(isolation, "a path of it has too many instructions");
}

static void branch(void *data, uint32_t number)
{
    Isolation *isolation = data;
    if (vm_branches_seen(isolation->vm)[number] || isolation->seen[number]) return;
    isolation->seen[number] = 1;
    vec_push(&isolation->newly_seen, number);
}

uint32_t isolation_new_branches(const Isolation *isolation)
{
    return isolation->newly_seen.len;
}

void isolation_forget_branches(Isolation *isolation, uint32_t count)
{
    while (isolation->newly_seen.len > count) isolation->seen[vec_pop(&isolation->newly_seen)] = 0;
}

static bool returned(void *data, const Function *function, const Expr *results, uint32_t count)
{
    Isolation *isolation = data;
    bool ends = results && isolation->levels.len && vm_depth(isolation->vm) == vec_top(&isolation->levels).depth + 1;
    if (ends) isolation__end(isolation, function, results, count);
    else isolation->trial = 0;
    return ends;
}

Isolation *isolation_new(Vm *vm, const Function *top)
{
    Isolation *isolation = mem_alloc(sizeof *isolation);
    const Program *program = vm_program(vm);
    isolation->vm = vm;
    isolation->pool = vm_pool(vm);
    isolation->observer = vm_observer(vm);
    isolation->watching = true;
    isolation->seen = mem_alloc(program->branch_count + 1);
    isolation->met = mem_alloc((program->function_count + 1) * sizeof *isolation->met);
    *isolation->observer = (VmObserver){.data = isolation,
                                        .call = isolation__call,
                                        .returned = returned,
                                        .condition = isolation__condition,
                                        .branch = branch,
                                        .undone = undone,
                                        .tick = tick,
                                        .settle = isolation__settle,
                                        .place = place,
                                        .access = isolation__access,
                                        .limit = isolation__limit,
                                        .outside = outside};
    if (top) vm_decline(vm, top);
    return isolation;
}

void isolation_free(Isolation *isolation)
{
    if (!isolation) return;
    undone(isolation, 0);
    *isolation->observer = (VmObserver){0};
    vec_release(&isolation->levels);
    vec_release(&isolation->log);
    map_release(&isolation->touched);
    map_release(&isolation->own);
    free(isolation->seen);
    free(isolation->met);
    vec_release(&isolation->newly_seen);
    free(isolation);
}

void isolated_session_release(IsolatedSession *session)
{
    vec_release(&session->inputs);
    map_release(&session->by_key);
    map_release(&session->by_variable);
    expr_translation_release(&session->roots);
}
