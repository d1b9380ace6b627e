/* Functions and variables: one entry for each, filled from the declaration that says most.  External ones of the same name are one entry over
 * all sources; static ones belong to their source.  What is only declared is entered when something refers to it, so the thousands of
 * declarations of system headers cost nothing. */
#include "front/declare_int.h"

#include <stdlib.h>

/* ---- names and places ---- */

const char *declare__keep(Arena *arena, CXString text)
{
    const char *bytes = clang_getCString(text);
    const char *kept = arena_strdup(arena, bytes ? bytes : "");
    clang_disposeString(text);
    return kept;
}

uint64_t declare__key(CXCursor declaration)
{
    return (uintptr_t)clang_getCanonicalCursor(declaration).data[0];
}

typedef struct Place {
    const char *file;
    uint32_t line;
    bool in_system_header, in_main_file;
} Place;

/* Named as in the program model: relative paths are relative to where Clew runs, unless the compiler ran elsewhere. */
const char *declare__file_name(Arena *arena, const CSource *source, const char *here, CXFile file)
{
    const char *name = declare__keep(arena, clang_getFileName(file));
    const char *directory = source->directory;
    if (!directory || !name[0] || name[0] == '/' || strcmp(directory, here) == 0) return name;
    char *joined = mem_format("%s/%s", directory, name);
    name = arena_strdup(arena, joined);
    free(joined);
    return name;
}

static Place place_of(Declarer *d, CXCursor cursor)
{
    CXSourceLocation location = clang_getCursorLocation(cursor);
    CXFile file;
    unsigned line;
    clang_getFileLocation(location, &file, &line, NULL, NULL);
    if (!file) return (Place){.file = "", .in_system_header = true};
    return (Place){declare__file_name(&d->decls->arena, d->place, d->here, file), line, clang_Location_isInSystemHeader(location),
                   clang_Location_isFromMainFile(location)};
}

static bool is_internal(CXCursor cursor)
{
    return clang_getCursorLinkage(cursor) != CXLinkage_External && clang_getCursorLinkage(cursor) != CXLinkage_UniqueExternal;
}

static char *entry_name(const Declarer *d, const char *name, bool internal)
{
    return internal ? mem_format("%u:%s", d->source, name) : mem_strdup(name);
}

/* ---- functions ---- */

static bool is_builtin(const char *name)
{
    static const char *const prefixes[] = {"__builtin_", "__sync_", "__atomic_", "__c11_"};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

static bool never_returns(CXCursor cursor)
{
    CXString type = clang_getTypeSpelling(clang_getCursorType(cursor));
    bool found = strstr(clang_getCString(type), "noreturn") != NULL;
    clang_disposeString(type);
    if (found || !clang_Cursor_hasAttrs(cursor)) return found;
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(cursor);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    CXString text = clang_getCursorPrettyPrinted(cursor, policy);
    found = strstr(clang_getCString(text), "oreturn") != NULL; /* noreturn, __noreturn__, _Noreturn */
    clang_disposeString(text);
    clang_PrintingPolicy_dispose(policy);
    return found;
}

static void fill_params(Declarer *d, CXCursor cursor, CFunction *function)
{
    CXType type = clang_getCursorType(cursor);
    int count = clang_Cursor_getNumArguments(cursor);
    function->param_count = count > 0 ? (uint32_t)count : 0;
    function->params = arena_alloc(&d->decls->arena, function->param_count * sizeof *function->params);
    for (uint32_t i = 0; i < function->param_count; i++) {
        CXCursor param = clang_Cursor_getArgument(cursor, i);
        CParam *entry = &function->params[i];
        entry->name = declare__keep(&d->decls->arena, clang_getCursorSpelling(param));
        entry->type = declare__param_type(d, clang_getCursorType(param), type, i);
        entry->use.length = -1;
    }
}

/* A .c file that another one includes is a part of that, not a header. */
static bool is_c_file(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && strcmp(dot, ".c") == 0;
}

/* Reads everything but the body from a declaration or definition. */
static void fill_function(Declarer *d, CXCursor cursor, CFunction *function)
{
    Place place = place_of(d, cursor);
    bool defines = clang_isCursorDefinition(cursor);
    function->file = place.file;
    function->line = place.line;
    function->source = d->source;
    function->type = declare__type(d, clang_getCursorType(cursor));
    function->result = declare__type(d, clang_getCursorResultType(cursor));
    function->is_static = is_internal(cursor);
    function->is_inline = clang_Cursor_isFunctionInlined(cursor);
    function->variadic = clang_Cursor_isVariadic(cursor);
    function->noreturn |= never_returns(cursor);
    function->defined = defines;
    function->in_header = defines && !place.in_main_file && !place.in_system_header && !is_c_file(place.file);
    function->in_system_header = place.in_system_header;
    fill_params(d, cursor, function);
}

/* A definition says more than a declaration, one in this source more than in another. */
static bool says_more(CXCursor cursor, const CFunction *known)
{
    return !known->defined && clang_isCursorDefinition(cursor);
}

static uint32_t enter_function(Declarer *d, CXCursor cursor, const char *name)
{
    char *key = entry_name(d, name, is_internal(cursor));
    uint32_t *known = names_find(&d->function_names, key), index = known ? *known : d->functions.len;
    if (!known) {
        CFunction function = {.name = arena_strdup(&d->decls->arena, name)};
        names_put(&d->function_names, key, index);
        vec_push(&d->functions, function);
        vec_push(&d->facts, (Facts){0});
    }
    free(key);
    CFunction *function = &d->functions.data[index];
    if (!known || says_more(cursor, function)) fill_function(d, cursor, function);
    return index;
}

uint32_t declare__function(Declarer *d, CXCursor declaration)
{
    uint64_t key = declare__key(declaration), *known = map_find(&d->function_of, key);
    if (known) return (uint32_t)*known;
    CXCursor definition = clang_getCursorDefinition(declaration);
    CXString spelling = clang_getCursorSpelling(declaration);
    const char *name = clang_getCString(spelling);
    uint32_t index = is_builtin(name) ? UINT32_MAX : enter_function(d, clang_Cursor_isNull(definition) ? declaration : definition, name);
    clang_disposeString(spelling);
    map_put(&d->function_of, key, index);
    return index;
}

/* ---- variables ---- */

static bool is_static_local(CXCursor cursor)
{
    return clang_getCursorLinkage(cursor) == CXLinkage_NoLinkage;
}

bool declare__defines(CXCursor cursor)
{
    return clang_Cursor_getStorageClass(cursor) != CX_SC_Extern || !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(cursor));
}

static void fill_global(Declarer *d, CXCursor cursor, CGlobal *global)
{
    Place place = place_of(d, cursor);
    global->type = declare__type(d, clang_getCursorType(cursor));
    global->file = place.file;
    global->line = place.line;
    global->source = d->source;
    global->is_static = is_internal(cursor);
    global->is_local = is_static_local(cursor);
    global->defined = declare__defines(cursor);
    global->in_system_header = place.in_system_header;
    if (!global->is_local) declare__name_type(d, global->type, global->name);
}

uint32_t declare__global(Declarer *d, CXCursor declaration)
{
    uint64_t key = declare__key(declaration), *seen = map_find(&d->global_of, key);
    const char *name = seen ? NULL : declare__keep(&d->decls->arena, clang_getCursorSpelling(declaration));
    uint32_t index = seen ? (uint32_t)*seen : d->globals.len;
    if (!seen && !is_static_local(declaration)) {
        char *entry = entry_name(d, name, is_internal(declaration));
        uint32_t *known = names_find(&d->global_names, entry);
        if (known) index = *known;
        if (!known) names_put(&d->global_names, entry, index);
        free(entry);
    }
    if (!seen) map_put(&d->global_of, key, index);
    if (index == d->globals.len) {
        vec_push(&d->globals, (CGlobal){.name = name});
        fill_global(d, declaration, &d->globals.data[index]);
    } else if (!d->globals.data[index].defined && declare__defines(declaration)) {
        fill_global(d, declaration, &d->globals.data[index]);
    } else if (d->globals.data[index].type->kind == C_ARRAY && !d->globals.data[index].type->count &&
               d->globals.data[index].source == d->source) {
        d->globals.data[index].type = declare__type(d, clang_getCursorType(declaration)); /* int a[]; int a[3]; */
    }
    return index;
}
