/* Whole programs: a variable that no source defines is an input, as it is to a unit (externs.c), with a value that it gets before main.
 *
 * For each source that has such variables the harness has a function clew__start_N.  In the machine that function is a constructor which runs
 * before all others.  A test calls it itself (units_start), after it has said what the inputs are. */
#include "unit/unit_int.h"

#include <stdlib.h>

/* How the function uses it that tells most. */
static const CUse *use_of(const Decls *decls, const CGlobal *global)
{
    const CUse *best = NULL;
    for (uint32_t i = 0; i < decls->function_count; i++) {
        for (uint32_t k = 0; k < decls->functions[i].global_count; k++) {
            const CGlobalUse *use = &decls->functions[i].globals[k];
            if (&decls->globals[use->global] != global) continue;
            bool better = !best || (use->use.dereferenced && !best->dereferenced) || (use->use.indexed && !best->indexed);
            if (better) best = &use->use;
        }
    }
    return best;
}

static Start *start_of(Units *units, uint32_t source)
{
    for (uint32_t i = 0; i < units->starts.len; i++) {
        if (units->starts.data[i]->source == source) return units->starts.data[i];
    }
    Start *start = arena_alloc(&units->arena, sizeof *start);
    *start = (Start){.source = source, .plan = {.units = units, .owner = "main", .characters = units->options.characters}};
    vec_push(&units->starts, start);
    return start;
}

void unit__plan_starts(Units *units)
{
    for (uint32_t i = 0; i < units->externs.len; i++) {
        const Extern *it = units->externs.data[i];
        const char *name = it->global->name;
        if (unit__has_const(it->type) || unit__is_system_type(it->type)) continue;
        Start *start = start_of(units, units->main_source != UINT32_MAX ? units->main_source : it->global->source);
        Where where = {.name = name, .place = it->place, .test = it->place, .path = name, .use = use_of(units->decls, it->global)};
        vec_push(&start->externs, unit__shape(&start->plan, it->type, &where));
    }
}

void unit__print_start(const Units *units, uint32_t source, StrBuf *out)
{
    for (uint32_t i = 0; i < units->starts.len; i++) {
        const Start *start = units->starts.data[i];
        if (start->source != source) continue;
        unit__declare_objects(&start->plan, out);
        unit__print_stubs(&start->plan, out);
        strbuf_add(out, "#ifndef clew__at_start\n#define clew__at_start __attribute__((__constructor__(101)))\n#endif\n");
        strbuf_addf(out, "clew__at_start static void clew__start_%u(void)\n{\n", source);
        unit__make_objects(&start->plan, out);
        for (uint32_t k = 0; k < start->externs.len; k++) unit__print_input(start->externs.data[k], out);
        unit__print_bounds(&start->plan, out);
        strbuf_add(out, "}\n");
    }
}

void units_start(const Units *units, StrBuf *out)
{
    for (uint32_t i = 0; i < units->starts.len; i++) strbuf_addf(out, "    clew__start_%u();\n", units->starts.data[i]->source);
}

bool units_has_start(const Units *units)
{
    return units->starts.len > 0;
}

void unit__release_starts(Units *units)
{
    for (uint32_t i = 0; i < units->starts.len; i++) {
        Start *start = units->starts.data[i];
        for (uint32_t k = 0; k < start->plan.callbacks.len; k++) unit__stub_release(start->plan.callbacks.data[k]);
        unit__plan_release(&start->plan);
        vec_release(&start->externs);
    }
    vec_release(&units->starts);
}
