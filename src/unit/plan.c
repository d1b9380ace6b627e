/* Which functions are tested, and the plan of each: parameters, globals, result. */
#include "unit/unit_int.h"

#include <stdlib.h>

/* ---- what a function may come to ---- */

static void reach(const Decls *decls, const CFunction *function, bool *reached)
{
    reached[function - decls->functions] = true;
    for (uint32_t i = 0; i < function->call_count; i++) {
        if (!reached[function->calls[i]]) reach(decls, &decls->functions[function->calls[i]], reached);
    }
}

static bool reaches(const Decls *decls, const bool *reached, const char *const *names, size_t count)
{
    for (uint32_t i = 0; i < decls->function_count; i++) {
        for (size_t k = 0; reached[i] && k < count; k++) {
            if (strcmp(decls->functions[i].name, names[k]) == 0) return true;
        }
    }
    return false;
}

static bool frees_memory(const Decls *decls, const bool *reached)
{
    static const char *const names[] = {"free", "realloc", "reallocarray", "cfree"};
    return reaches(decls, reached, names, COUNT_OF(names));
}

/* Through a global that is given `free`. */
static bool frees_by_pointer(const Decls *decls, const bool *reached)
{
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *function = &decls->functions[i];
        for (uint32_t k = 0; reached[i] && k < function->global_count; k++) {
            if (decls->globals[function->globals[k].global].frees) return true;
        }
    }
    return false;
}

static bool uses_streams(const Decls *decls, const bool *reached)
{
    static const char *const names[] = {"fprintf", "vfprintf", "fputs", "fputc",  "putc",   "fwrite",  "fread",
                                        "fgets",   "fgetc",    "getc",  "ungetc", "fscanf", "fflush",  "fclose",
                                        "fseek",   "ftell",    "feof",  "ferror", "rewind", "getline", "getdelim"};
    return reaches(decls, reached, names, COUNT_OF(names));
}

/* Names that a variable in a test would hide. */
static void reserve_names(Units *units)
{
    NameMap *names = &units->reserved;
    static const char *const words[] = {"result", "malloc", "NULL", "assert", "strcmp", "sizeof"};
    for (size_t i = 0; i < COUNT_OF(words); i++) names_put(names, words[i], 1);
    const Decls *decls = units->decls;
    for (uint32_t i = 0; i < decls->function_count; i++) {
        if (!decls->functions[i].in_system_header) names_put(names, decls->functions[i].name, 1);
    }
    for (uint32_t i = 0; i < decls->global_count; i++) {
        if (!decls->globals[i].in_system_header && !decls->globals[i].is_local) names_put(names, decls->globals[i].name, 1);
    }
    for (uint32_t i = 0; i < units->externs.len; i++) names_put(names, units->externs.data[i]->place, 1);
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        const Plan *plan = units->stubs.data[i]->plan;
        for (uint32_t k = 0; k < plan->objects.len; k++) names_put(names, plan->objects.data[k]->name, 1);
    }
}

/* ---- parameters ---- */

static bool is_argument_list(const CType *type)
{
    return strstr(type->spelling, "va_list") != NULL;
}

/* `int a[8]` is a pointer with a promise. */
const CType *unit__adjusted(Units *units, const CType *type)
{
    if (type->kind != C_ARRAY) return type;
    CType *pointer = arena_alloc(&units->arena, sizeof *pointer);
    StrBuf text = {0};
    unit__declare(&text, type->of, "*");
    *pointer = (CType){.kind = C_POINTER, .of = type->of, .size = 8, .align = 8};
    if (type->of->is_const) pointer->plain = unit__text(&units->arena, "const %s", text.text);
    else pointer->plain = arena_strdup(&units->arena, text.text);
    pointer->spelling = pointer->plain;
    strbuf_release(&text);
    return pointer;
}

static Where param_where(Unit *unit, uint32_t i)
{
    Arena *arena = &unit->plan.units->arena;
    const CParam *param = &unit->function->params[i];
    const char *name = param->name[0] ? param->name : unit__text(arena, "argument%u", i + 1);
    Where where = {.name = name, .test = name, .path = name, .place = unit__text(arena, "clew__p_%s", name), .use = &param->use};
    if (param->type->kind == C_STRUCT || param->type->kind == C_UNION) where.test = unit__unique(&unit->plan, name);
    return where;
}

/* Does it point into an array that another parameter gives? */
static bool is_inside(const Unit *unit, uint32_t i)
{
    const CUse *use = &unit->function->params[i].use;
    return unit->function->params[i].type->kind == C_POINTER && use->inside && use->inside - 1 < unit->function->param_count;
}

static void plan_param(Unit *unit, uint32_t i)
{
    const CFunction *function = unit->function;
    const CParam *param = &function->params[i];
    Where where = param_where(unit, i);
    if (is_argument_list(param->type)) unit__problem(&unit->plan, "parameter %s: a list of variable arguments cannot be made", where.path);
    where.siblings = (Siblings){.known = true, .function = function, .number = i};
    where.is_param = true;
    where.declared = param->type->kind == C_ARRAY ? param->type->count : param->use.declared;
    int32_t length = param->use.length;
    if (length >= 0 && (uint32_t)length < function->param_count) {
        const Shape *number = unit->params[length];
        if (number && number->kind == SHAPE_NUMBER && number->type->kind == C_INT && number->type->size <= 8) where.length = number;
    }
    const CType *type = unit__adjusted(unit->plan.units, param->type);
    if (function->variadic && i + 1 == function->param_count && type->kind == C_POINTER && type->of->kind == C_CHAR) where.format = true;
    Shape *inside = is_inside(unit, i) ? unit__pointer_inside(&unit->plan, type, &where, unit->params[param->use.inside - 1]) : NULL;
    unit->params[i] = inside ? inside : unit__shape(&unit->plan, type, &where);
}

static void plan_params(Unit *unit)
{
    const CFunction *function = unit->function;
    unit->params = arena_alloc(&unit->plan.units->arena, (function->param_count + 1) * sizeof *unit->params);
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t i = 0; i < function->param_count; i++) {
            CTypeKind kind = function->params[i].type->kind;
            int turn = is_inside(unit, i) ? 2 : kind == C_POINTER || kind == C_ARRAY;
            if (turn == pass) plan_param(unit, i);
        }
    }
    if (function->variadic) unit__assume(&unit->plan, "%s is called without further arguments", function->name);
}

static void plan_result(Unit *unit)
{
    const CType *result = unit->function->result;
    if (!result || result->kind == C_VOID) return;
    Where where = {.name = "result", .place = "clew__result", .test = "result", .path = "result"};
    unit->plan.watching = true;
    unit->result = unit__shape(&unit->plan, result, &where);
    unit->plan.watching = false;
    unit__plan_result_release(unit);
}

/* ---- units ---- */

/* What the functions that it comes to say of texts and fields. */
static void learn(Unit *unit, const bool *reached)
{
    const Units *units = unit->plan.units;
    uint32_t longest = 0;
    for (uint32_t i = 0; i < units->decls->function_count; i++) {
        const CFunction *function = &units->decls->functions[i];
        if (!reached[i]) continue;
        if (function->text > longest) longest = function->text;
        for (uint32_t k = 0; k < function->checked_count; k++) vec_push(&unit->plan.checked, function->checked[k]);
    }
    unit->plan.characters = units->options.characters;
    if (units->characters_given || longest < UNIT_CHARACTERS) return;
    unit->plan.characters = longest < UNIT_CHARACTERS_MOST ? longest + 1 : UNIT_CHARACTERS_MOST;
}

static void plan_unit(Units *units, const CFunction *function)
{
    Unit *unit = arena_alloc(&units->arena, sizeof *unit);
    const Decls *decls = units->decls;
    unit->function = function;
    unit->name = function->name;
    unit->plan = (Plan){.units = units, .function = function, .owner = function->name};
    if (function->is_static) unit->entry = unit__text(&units->arena, "clew_unit_%u_%s", function->source, function->name);
    else unit->entry = unit__text(&units->arena, "clew_unit_%s", function->name);
    vec_push(&units->units, unit);
    bool *reached = mem_alloc(decls->function_count * sizeof *reached);
    reach(decls, function, reached);
    unit->plan.frees = frees_memory(decls, reached) || frees_by_pointer(decls, reached);
    unit->plan.streams = uses_streams(decls, reached);
    learn(unit, reached);
    plan_params(unit);
    unit__plan_globals(unit, reached);
    unit__aliases(unit);
    plan_result(unit);
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        const CFunction *stub = units->stubs.data[i]->function;
        if (reached[stub - decls->functions])
            unit__assume(&unit->plan, "%s, which no source defines, %s", stub->name,
                         stub->noreturn ? "ends the program" : "may give anything");
    }
    free(reached);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Static functions of one name are told apart by their files. */
static void name_units(Units *units)
{
    NameMap times = {0};
    for (uint32_t i = 0; i < units->units.len; i++) {
        const char *name = units->units.data[i]->function->name;
        uint32_t *known = names_find(&times, name);
        names_put(&times, name, known ? *known + 1 : 1);
    }
    for (uint32_t i = 0; i < units->units.len; i++) {
        Unit *unit = units->units.data[i];
        const CFunction *function = unit->function;
        if (*names_find(&times, function->name) > 1)
            unit->name = unit__text(&units->arena, "%s:%s", base_name(units->decls->sources[function->source].path), function->name);
    }
    names_release(&times);
}

static bool is_tested_by_default(const CFunction *function)
{
    if (!function->defined || function->is_static || function->in_header || function->in_system_header) return false;
    return strcmp(function->name, "main") != 0;
}

static bool is_path_end(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return m <= n && strcmp(path + n - m, end) == 0 && (m == n || end[0] == '/' || path[n - m - 1] == '/');
}

/* "NAME" or "FILE:NAME"; returns how many functions that is. */
static uint32_t plan_named(Units *units, const char *wish)
{
    const Decls *decls = units->decls;
    const char *colon = strrchr(wish, ':'), *name = colon ? colon + 1 : wish;
    char *file = colon ? unit__text(&units->arena, "%.*s", (int)(colon - wish), wish) : NULL;
    uint32_t found = 0;
    for (int statics = 0; statics < 2; statics++) {
        for (uint32_t i = 0; i < decls->function_count; i++) {
            const CFunction *function = &decls->functions[i];
            if (!function->defined || function->is_static != (statics == 1) || strcmp(function->name, name) != 0) continue;
            bool in_file = !file || is_path_end(function->file, file) || is_path_end(decls->sources[function->source].path, file);
            if (!in_file || (statics && found && !file)) continue;
            plan_unit(units, function);
            found++;
        }
    }
    return found;
}

static Units *units_new(const Decls *decls, const UnitOptions *options, uint32_t main_source)
{
    Units *units = mem_alloc(sizeof *units);
    units->decls = decls;
    units->main_source = main_source;
    units->options = *options;
    units->depth_given = options->depth != 0;
    units->characters_given = options->characters != 0;
    if (!units->options.elements) units->options.elements = UNIT_ELEMENTS;
    if (!units->options.characters) units->options.characters = UNIT_CHARACTERS;
    if (!units->options.depth) units->options.depth = UNIT_DEPTH;
    unit__find_complete(units);
    unit__plan_stubs(units);
    unit__plan_externs(units);
    reserve_names(units);
    return units;
}

static Status plan_functions(Units *units, const char *const *names, uint32_t count, Error *error)
{
    const Decls *decls = units->decls;
    for (uint32_t i = 0; i < count; i++) {
        if (plan_named(units, names[i]) == 0) return fail(error, "no function %s is defined in the sources", names[i]);
    }
    for (uint32_t i = 0; count == 0 && i < decls->function_count; i++) {
        if (is_tested_by_default(&decls->functions[i])) plan_unit(units, &decls->functions[i]);
    }
    name_units(units);
    if (unit__assumes(units, error) != OK) return FAILED;
    return unit__wishes_used(units, error);
}

Status units_plan(const Decls *decls, const UnitOptions *options, const char *const *names, uint32_t count, Units **units, Error *error)
{
    *units = units_new(decls, options, UINT32_MAX);
    if (plan_functions(*units, names, count, error) == OK) return OK;
    units_free(*units);
    *units = NULL;
    return FAILED;
}

Status units_plan_program(const Decls *decls, const UnitOptions *options, Units **units, Error *error)
{
    const CFunction *main_function = decls_function(decls, "main", UINT32_MAX);
    (void)error;
    *units = units_new(decls, options, main_function && main_function->defined ? main_function->source : UINT32_MAX);
    unit__plan_starts(*units);
    return OK;
}

static void unit_release(Unit *unit)
{
    for (uint32_t i = 0; i < unit->plan.callbacks.len; i++) unit__stub_release(unit->plan.callbacks.data[i]);
    unit__plan_release(&unit->plan);
    vec_release(&unit->globals);
    vec_release(&unit->watched);
    vec_release(&unit->assumes);
}

void units_free(Units *units)
{
    if (!units) return;
    for (uint32_t i = 0; i < units->units.len; i++) unit_release(units->units.data[i]);
    for (uint32_t i = 0; i < units->stubs.len; i++) unit__stub_release(units->stubs.data[i]);
    unit__release_starts(units);
    vec_release(&units->units);
    vec_release(&units->stubs);
    vec_release(&units->externs);
    map_release(&units->foreign);
    map_release(&units->mute);
    strbuf_release(&units->foreign_text);
    names_release(&units->complete);
    names_release(&units->reserved);
    arena_release(&units->arena);
    free(units);
}

/* ---- answers ---- */

uint32_t units_count(const Units *units)
{
    return units->units.len;
}

const Unit *units_at(const Units *units, uint32_t i)
{
    return vec_at(&units->units, i);
}

const CFunction *unit_function(const Unit *unit)
{
    return unit->function;
}

const char *unit_name(const Unit *unit)
{
    return unit->name;
}

const char *unit_entry(const Unit *unit)
{
    return unit->entry;
}

const char *unit_problem(const Unit *unit)
{
    return unit->plan.problem;
}

const char *const *unit_assumptions(const Unit *unit, uint32_t *count)
{
    *count = unit->plan.assumptions.len;
    return unit->plan.assumptions.data;
}

bool units_is_stub(const Units *units, const char *function)
{
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        if (strcmp(units->stubs.data[i]->name, function) == 0) return true;
    }
    return false;
}
