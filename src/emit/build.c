/* emit: how test files are compiled and linked.
 *
 * A test includes the source under test, so it is compiled with that source's flags; every other source of the program is compiled by itself and
 * linked.  Relative paths in flags were meant from where the compiler ran, so they are made absolute here (the Makefile makes them relative to itself). */
#include "emit/emit_int.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- what the declarations tell ---- */

const CFunction *emit__main(const Decls *decls, uint32_t source)
{
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *f = &decls->functions[i];
        if (f->defined && (f->source == source || source == UINT32_MAX) && strcmp(f->name, "main") == 0) return f;
    }
    return NULL;
}

bool emit__defines_main(const Decls *decls, uint32_t source)
{
    return emit__main(decls, source) != NULL;
}

const Unit *emit__unit(const Units *units, const char *name)
{
    for (uint32_t i = 0; units && i < units_count(units); i++)
        if (strcmp(unit_name(units_at(units, i)), name) == 0) return units_at(units, i);
    return NULL;
}

uint32_t emit__unit_source(const Decls *decls, const Units *units, const char *name)
{
    const Unit *unit = emit__unit(units, name);
    const CFunction *function = unit ? unit_function(unit) : strcmp(name, "main") == 0 ? emit__main(decls, UINT32_MAX) : NULL;
    if (!function || function->source >= decls->source_count || decls->sources[function->source].is_bitcode) return UINT32_MAX;
    return function->source;
}

/* By calls, or by stubs of a whole program. */
static bool gives_inputs(const Units *units, const CFunction *function)
{
    static const char *const starts[] = {"clew_", "klee_", "__VERIFIER_", "reach_error", "assume_abort_if_not"};
    if (function->defined) return false;
    for (size_t k = 0; k < COUNT_OF(starts); k++)
        if (strncmp(function->name, starts[k], strlen(starts[k])) == 0) return true;
    return units && units_count(units) == 0 && units_is_stub(units, function->name);
}

bool emit__asks_for_inputs(const Decls *decls, const Units *units)
{
    for (uint32_t i = 0; i < decls->function_count; i++)
        if (gives_inputs(units, &decls->functions[i])) return true;
    return units && units_has_start(units);
}

bool emit__is_linked(const Decls *decls, uint32_t source)
{
    return !emit__has_suffix(decls->sources[source].path, ".h");
}

/* ---- flags ---- */

static char *path_word(const CSource *source, const char *path, bool must_exist)
{
    char *absolute = emit__absolute(source->directory, path);
    if (!must_exist || access(absolute, F_OK) == 0) return absolute;
    free(absolute);
    return mem_strdup(path); /* found along the include path */
}

/* Only for the user's own warnings, or of no use to another compiler run. */
static bool is_dropped(const char *flag)
{
    return strncmp(flag, "-Werror", 7) == 0 || strcmp(flag, "-pedantic-errors") == 0;
}

/* Flags that take a directory or a file; `joined`: it may follow without a space. */
static const struct {
    const char *flag;
    bool joined, file;
} path_flags[] = {
    {"-I", true, false},         {"-L", true, false},       {"-isystem", true, false}, {"-iquote", true, false},
    {"-idirafter", true, false}, {"-include", false, true}, {"-imacros", false, true}, {"-isysroot", true, false},
    {"--sysroot=", true, false}, {"-B", true, false},
};

/* "-idirafter DIR", where clew.h is: the tests have a copy of their own. */
static bool is_for_clew(const char *flag, const char *next, const EmitOptions *options)
{
    if (!options->include_dir || !next || strcmp(flag, "-idirafter") != 0) return false;
    char *a = emit__absolute(NULL, next), *b = emit__absolute(NULL, options->include_dir);
    bool same = strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

/* Adds one flag, with the word after it if that belongs to it; returns how many words that were. */
static uint32_t add_flag(EmitBuild *build, const CSource *source, const EmitOptions *options, uint32_t i)
{
    const char *flag = source->flags[i], *next = i + 1 < source->flag_count ? source->flags[i + 1] : NULL;
    if (is_for_clew(flag, next, options)) return 2;
    for (size_t k = 0; k < COUNT_OF(path_flags); k++) {
        size_t n = strlen(path_flags[k].flag);
        if (strncmp(flag, path_flags[k].flag, n) != 0) continue;
        if (flag[n] == 0 && next) {
            vec_push(&build->flags, mem_strdup(flag));
            vec_push(&build->flags, path_word(source, next, path_flags[k].file));
            return 2;
        }
        if (flag[n] == 0 || !path_flags[k].joined) continue;
        char *path = path_word(source, flag + n, false);
        vec_push(&build->flags, mem_format("%s%s", path_flags[k].flag, path));
        free(path);
        return 1;
    }
    if (!is_dropped(flag)) vec_push(&build->flags, mem_strdup(flag));
    return 1;
}

/* "-I/home/me/include" as seen from `directory`; paths that have nothing in common with it (/usr/include) stay as they are. */
char *emit__relative_flag(const char *flag, const char *directory)
{
    size_t n = 0;
    for (size_t k = 0; k < COUNT_OF(path_flags); k++) {
        size_t length = strlen(path_flags[k].flag);
        if (path_flags[k].joined && strncmp(flag, path_flags[k].flag, length) == 0) n = length;
    }
    if (flag[n] != '/') return mem_strdup(flag);
    size_t first = strcspn(flag + n + 1, "/") + 1;
    bool near = strncmp(flag + n, directory, first) == 0 && (directory[first] == '/' || !directory[first]);
    if (!near) return mem_strdup(flag);
    char *path = emit__relative(directory, flag + n), *word = mem_format("%.*s%s", (int)n, flag, path);
    free(path);
    return word;
}

static void add_flags(EmitBuild *build, const Ledger *ledger, const Decls *decls, const EmitOptions *options, uint32_t source)
{
    const CSource *s = &decls->sources[source];
    for (uint32_t i = 0; i < s->flag_count;) i += add_flag(build, s, options, i);
    if (!options->include_dir || (!decls->includes_clew && !decls->includes_klee)) return;
    vec_push(&build->flags, mem_strdup("-idirafter"));
    char *root = emit__absolute(NULL, options->support ? options->support : ledger->directory);
    vec_push(&build->flags, mem_format("%s/tests", root));
    free(root);
}

void emit_build_source(const Ledger *ledger, const Decls *decls, const EmitOptions *options, uint32_t source, EmitBuild *build)
{
    *build = (EmitBuild){0};
    if (decls->sources[source].is_bitcode) return;
    add_flags(build, ledger, decls, options, source);
    if (emit__defines_main(decls, source)) vec_push(&build->flags, mem_format("-Dmain=clew_program_main_%u", source));
}

void emit_build(const Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *options, const char *unit,
                EmitBuild *build)
{
    *build = (EmitBuild){0};
    uint32_t source = emit__unit_source(decls, units, unit);
    if (source != UINT32_MAX) add_flags(build, ledger, decls, options, source);
    for (uint32_t i = 0; i < decls->source_count; i++)
        if (i != source && emit__is_linked(decls, i)) vec_push(&build->other_sources, i);
    char *root = emit__absolute(NULL, options->support ? options->support : ledger->directory);
    vec_push(&build->libraries, mem_format("%s/tests/clew_test.c", root));
    if (emit__asks_for_inputs(decls, units)) vec_push(&build->libraries, mem_format("%s/tests/clew_inputs.c", root));
    if (options->fail_count) vec_push(&build->libraries, mem_format("%s/tests/clew_fail.c", root));
    if (emit__looks_at_clock(decls, options)) vec_push(&build->libraries, mem_format("%s/tests/clew_clock.c", root));
    emit__libraries(decls, options, &build->libraries);
    free(root);
}

void emit_build_release(EmitBuild *build)
{
    for (uint32_t i = 0; i < build->flags.len; i++) free(build->flags.data[i]);
    for (uint32_t i = 0; i < build->libraries.len; i++) free(build->libraries.data[i]);
    vec_release(&build->flags);
    vec_release(&build->libraries);
    vec_release(&build->other_sources);
}
