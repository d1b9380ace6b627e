/* What the user says of parameters: --array, --string, --nonnull name one, --assume speaks of several.
 *
 * A parameter is named "P", a field behind it "P->f" (or "P.f"), and "FUNCTION.P" means that of one function only.  A name that no planned
 * function has is an error: it would otherwise be a precondition that silently does not hold. */
#include "unit/unit_int.h"

#include <ctype.h>

/* Equal, where "->" and "." are the same. */
static bool same_path(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        if (a[0] == '-' && a[1] == '>') a++;
        if (b[0] == '-' && b[1] == '>') b++;
        bool steps = (*a == '>' || *a == '.') && (*b == '>' || *b == '.');
        if (*a != *b && !steps) return false;
    }
    return *a == *b;
}

static bool names_path(const Plan *plan, const char *wish, const char *path)
{
    if (same_path(wish, path)) return true;
    size_t n = strlen(plan->owner);
    return strncmp(wish, plan->owner, n) == 0 && wish[n] == '.' && same_path(wish + n + 1, path);
}

const char *unit__wish(const Plan *plan, bool string, const char *path)
{
    const UnitOptions *options = &plan->units->options;
    uint32_t count = string ? options->strings.len : options->arrays.len;
    const UnitWish *wishes = string ? options->strings.data : options->arrays.data;
    for (uint32_t i = 0; i < count; i++) {
        if (names_path(plan, wishes[i].name, path)) return wishes[i].value;
    }
    return NULL;
}

bool unit__wished_nonnull(const Plan *plan, const char *path)
{
    const UnitOptions *options = &plan->units->options;
    for (uint32_t i = 0; i < options->nonnull.len; i++) {
        if (names_path(plan, options->nonnull.data[i], path)) return true;
    }
    return false;
}

static bool starts_with(const char *wish, const char *name)
{
    size_t n = strlen(name);
    return strncmp(wish, name, n) == 0 && !unit__is_word(wish[n]);
}

bool unit__speaks_of(const Plan *plan, const char *name)
{
    const UnitOptions *options = &plan->units->options;
    bool any = false;
    for (uint32_t i = 0; i < options->arrays.len; i++) any |= starts_with(options->arrays.data[i].name, name);
    for (uint32_t i = 0; i < options->strings.len; i++) any |= starts_with(options->strings.data[i].name, name);
    for (uint32_t i = 0; i < options->nonnull.len; i++) any |= starts_with(options->nonnull.data[i], name);
    for (uint32_t i = 0; i < options->assumes.len; i++) any |= unit__has_word(options->assumes.data[i], name);
    return any;
}

static bool is_used(const Units *units, const char *name)
{
    for (uint32_t i = 0; i < units->units.len; i++) {
        const Plan *plan = &units->units.data[i]->plan;
        for (uint32_t k = 0; k < plan->pointers.len; k++) {
            if (names_path(plan, name, plan->pointers.data[k]->path)) return true;
        }
    }
    return false;
}

Status unit__wishes_used(const Units *units, Error *error)
{
    const UnitOptions *options = &units->options;
    for (uint32_t i = 0; i < options->arrays.len; i++) {
        if (!is_used(units, options->arrays.data[i].name))
            return fail(error, "--array: no function has a pointer %s", options->arrays.data[i].name);
    }
    for (uint32_t i = 0; i < options->strings.len; i++) {
        if (!is_used(units, options->strings.data[i].name))
            return fail(error, "--string: no function has a pointer %s", options->strings.data[i].name);
    }
    for (uint32_t i = 0; i < options->nonnull.len; i++) {
        if (!is_used(units, options->nonnull.data[i]))
            return fail(error, "--nonnull: no function has a pointer %s", options->nonnull.data[i]);
    }
    return OK;
}

/* ---- --assume ---- */

/* The next name that is no field, no number, no character; *at moves past it.  False at the end. */
static bool next_name(const char **at, char *name, size_t size)
{
    const char *p = *at;
    bool field = false;
    while (*p) {
        if (*p == '"' || *p == '\'') {
            char quote = *p++;
            while (*p && *p != quote) p += *p == '\\' && p[1] ? 2 : 1;
            if (*p) p++;
        } else if (isdigit((unsigned char)*p)) {
            while (unit__is_word(*p) || *p == '.') p++;
        } else if (unit__is_word(*p)) {
            size_t n = 0;
            while (unit__is_word(p[n])) n++;
            if (!field && n < size) {
                memcpy(name, p, n);
                name[n] = 0;
                *at = p + n;
                return true;
            }
            p += n;
            field = false;
        } else {
            if (!isspace((unsigned char)*p)) field = *p == '.' || (*p == '>' && p > *at && p[-1] == '-');
            p++;
        }
    }
    *at = p;
    return false;
}

static bool has_param(const Unit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        if (strcmp(unit->function->params[i].name, name) == 0) return true;
    }
    return false;
}

static bool is_global(const Units *units, const char *name)
{
    for (uint32_t i = 0; i < units->decls->global_count; i++) {
        const CGlobal *global = &units->decls->globals[i];
        if (!global->is_local && !global->in_system_header && strcmp(global->name, name) == 0) return true;
    }
    return false;
}

static bool uses_global(const Unit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->globals.len; i++) {
        if (strcmp(unit->globals.data[i]->path, name) == 0) return true;
    }
    return false;
}

static bool is_param_of_some(const Units *units, const char *name)
{
    for (uint32_t i = 0; i < units->units.len; i++) {
        if (has_param(units->units.data[i], name)) return true;
    }
    return false;
}

/* Does it speak of this unit's inputs, and of no other's?  Names that are nobody's inputs are macros, types, functions. */
static bool fits(const Unit *unit, const char *expression)
{
    const Units *units = unit->plan.units;
    char name[256];
    bool any = false;
    for (const char *at = expression; next_name(&at, name, sizeof name);) {
        bool mine = has_param(unit, name) || uses_global(unit, name);
        if (!mine && (is_param_of_some(units, name) || is_global(units, name))) return false;
        any |= mine;
    }
    return any;
}

Status unit__assumes(Units *units, Error *error)
{
    for (uint32_t i = 0; i < units->options.assumes.len; i++) {
        const char *expression = units->options.assumes.data[i];
        bool any = false;
        for (uint32_t k = 0; k < units->units.len; k++) {
            Unit *unit = units->units.data[k];
            if (!fits(unit, expression)) continue;
            vec_push(&unit->assumes, expression);
            unit__assume(&unit->plan, "%s (as asked for)", expression);
            any = true;
        }
        if (!any) return fail(error, "--assume '%s': no function has parameters or globals of these names", expression);
    }
    return OK;
}
