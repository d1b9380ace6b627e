/* Globals as inputs.
 *
 * What the function, or anything it comes to, reads from a global is as much an input as a parameter.  A global takes part if the harness
 * can name it, at the end of the translation unit of the function: it is defined there or some function of that source refers to it.  What is only
 * written is observed after the call. */
#include "unit/unit_int.h"

#include <stdlib.h>

typedef struct GlobalUse {
    bool read, written, visible;
    const CUse *use; /* of the function that tells most about it */
} GlobalUse;

static void collect(const Unit *unit, const bool *reached, GlobalUse *uses)
{
    const Decls *decls = unit->plan.units->decls;
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *function = &decls->functions[i];
        for (uint32_t k = 0; k < function->global_count; k++) {
            const CGlobalUse *use = &function->globals[k];
            assert(use->global < decls->global_count);
            GlobalUse *to = &uses[use->global];
            if (function->defined && function->source == unit->function->source) to->visible = true;
            if (!reached[i]) continue;
            to->read |= use->read;
            to->written |= use->written;
            bool better = !to->use || (use->use.dereferenced && !to->use->dereferenced) || (use->use.indexed && !to->use->indexed) ||
                          use->use.freed;
            if (better) to->use = &use->use;
        }
    }
}

static bool can_be_named(const Unit *unit, const CGlobal *global, const GlobalUse *use)
{
    const Extern *missing = unit__extern(unit->plan.units, global);
    const CType *type = missing ? missing->type : global->type;
    if (global->is_local || global->in_system_header || unit__has_const(type) || unit__is_system_type(type)) return false;
    if (!global->defined && !missing) return false; /* the C library's, or of a type that is not known */
    if (global->source == unit->function->source) return true;
    return !global->is_static && use->visible;
}

/* Nothing here gives it another value than its first.  One that other sources see is meant to be set there if it is a plain number, or has no value
 * of its own. */
static bool is_constant(const CGlobal *global)
{
    if (!global->defined || global->written || global->type->is_volatile) return false;
    return global->is_static || (global->initialised && !unit__is_number(global->type));
}

static bool is_param(const Unit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        if (strcmp(unit->function->params[i].name, name) == 0) return true;
    }
    return false;
}

static void plan_global(Unit *unit, const CGlobal *global, const GlobalUse *use)
{
    Plan *plan = &unit->plan;
    /* In the record a global must not be taken for a parameter. */
    const char *name = is_param(unit, global->name) ? unit__text(&plan->units->arena, "::%s", global->name) : global->name;
    const Extern *missing = unit__extern(plan->units, global);
    const char *place = missing ? missing->place : global->name;
    Where where = {.name = name, .place = place, .test = place, .path = global->name, .use = use->use};
    where.keeps = !missing; /* what we define is NULL */
    where.siblings = (Siblings){.known = true, .number = (uint32_t)(global - plan->units->decls->globals)};
    plan->watching = !use->read;
    Shape *shape = unit__shape(plan, missing ? missing->type : global->type, &where);
    plan->watching = false;
    if (!use->read) {
        vec_push(&unit->watched, shape);
        return;
    }
    vec_push(&unit->globals, shape);
    if (global->type->kind != C_POINTER) unit__assume(plan, "the global %s may have any value", global->name);
}

void unit__plan_globals(Unit *unit, const bool *reached)
{
    const Decls *decls = unit->plan.units->decls;
    GlobalUse *uses = mem_alloc((decls->global_count + 1) * sizeof *uses);
    collect(unit, reached, uses);
    for (uint32_t i = 0; i < decls->global_count; i++) {
        const CGlobal *global = &decls->globals[i];
        if ((!uses[i].read && !uses[i].written) || !can_be_named(unit, global, &uses[i])) continue;
        if (is_constant(global) && !unit__speaks_of(&unit->plan, global->name))
            unit__assume(&unit->plan, "%s keeps its first value: nothing here changes it", global->name);
        else plan_global(unit, global, &uses[i]);
    }
    free(uses);
}
