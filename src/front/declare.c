/* front_declare: every source is parsed by libclang with the flags the compiler gets, and what stands at its top is noted: functions that
 * are defined in files of the user, with their bodies, and variables.  When a whole unit has been read its bodies are analysed
 * (declare_use.c), and after the last source uses flow from callees to callers (declare_flow.c). */
#include "front/declare_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- one translation unit ---- */

/* "struct node", "uint8_t" */
static void note_type(Declarer *d, CXCursor cursor)
{
    CXString spelling = clang_getTypeSpelling(clang_getCursorType(cursor));
    names_put(&d->decls->sources[d->source].types, clang_getCString(spelling), 1);
    clang_disposeString(spelling);
}

static void note_function(Declarer *d, CXCursor cursor)
{
    CXString name = clang_getCursorSpelling(cursor);
    names_put(&d->decls->sources[d->source].functions, clang_getCString(name), 1);
    clang_disposeString(name);
}

static bool declares_type(enum CXCursorKind kind)
{
    return kind == CXCursor_TypedefDecl || kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl;
}

static enum CXChildVisitResult note_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Declarer *d = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_FunctionDecl) {
        if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor))) return CXChildVisit_Continue;
        note_function(d, cursor);
        if (!clang_isCursorDefinition(cursor)) return CXChildVisit_Continue;
        uint32_t index = declare__function(d, cursor);
        bool here = index != UINT32_MAX && d->functions.data[index].source == d->source && !d->facts.data[index].analysed;
        if (here) declare__build_body(d, index, cursor);
    } else if (kind == CXCursor_VarDecl) {
        if (!declare__defines(cursor) || clang_Location_isInSystemHeader(clang_getCursorLocation(cursor))) return CXChildVisit_Continue;
        uint32_t global = declare__global(d, cursor);
        CXCursor initializer = clang_Cursor_getVarDeclInitializer(cursor);
        if (!clang_Cursor_isNull(initializer)) declare__visit_initializer(d, global, initializer);
    } else if (declares_type(kind)) {
        note_type(d, cursor);
    }
    return CXChildVisit_Continue;
}

static void analyse_bodies(Declarer *d)
{
    bool changed = true;
    for (uint32_t round = 0; changed && round < 10; round++) {
        changed = false;
        for (uint32_t i = 0; i < d->bodies.len; i++) changed |= declare__alias(d, &d->bodies.data[i]);
    }
    for (uint32_t i = 0; i < d->bodies.len; i++) {
        Body *body = &d->bodies.data[i];
        declare__use(d, body);
        vec_release(&body->variables);
        map_release(&body->variable_of);
    }
    vec_clear(&d->bodies);
}

static void forget_unit(Declarer *d)
{
    map_release(&d->types);
    map_release(&d->records);
    map_release(&d->function_of);
    map_release(&d->global_of);
    map_release(&d->field_of);
    arena_release(&d->trees);
    d->trees = (Arena){0};
}

/* ---- one source ---- */

static bool is_file(const char *path, const char *name)
{
    size_t n = strlen(path), m = strlen(name);
    return n >= m && strcmp(path + n - m, name) == 0 && (n == m || path[n - m - 1] == '/');
}

static void add_to_hash(CSource *source, const void *bytes, size_t n)
{
    source->hash = hash_mix(source->hash ^ hash_bytes(bytes, n));
}

static void hash_bitcode(CSource *source)
{
    char bytes[4096];
    FILE *in = fopen(source->path, "r");
    for (size_t n; in && (n = fread(bytes, 1, sizeof bytes, in)) > 0;) add_to_hash(source, bytes, n);
    if (in) fclose(in);
}

typedef struct Inclusions {
    Decls *decls;
    CSource *source;
    CXTranslationUnit unit;
} Inclusions;

/* The source itself is the first. */
static void note_include(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    (void)stack, (void)depth;
    const Inclusions *in = data;
    CXString name = clang_getFileName(file);
    const char *path = clang_getCString(name), *text;
    size_t n = 0;
    if (path) {
        in->decls->includes_clew |= is_file(path, "clew.h");
        in->decls->includes_klee |= is_file(path, "klee/klee.h");
        add_to_hash(in->source, path, strlen(path));
        text = strncmp(path, "/usr/", 5) == 0 ? NULL : clang_getFileContents(in->unit, file, &n);
        if (text) add_to_hash(in->source, text, n);
    }
    clang_disposeString(name);
}

static void hash_source(Decls *decls, CSource *source, CXTranslationUnit unit)
{
    Inclusions inclusions = {decls, source, unit};
    for (uint32_t i = 0; i < source->flag_count; i++) add_to_hash(source, source->flags[i], strlen(source->flags[i]));
    clang_getInclusions(unit, note_include, &inclusions);
}

static Status declare_source(Declarer *d, const Parser *parser, uint32_t number)
{
    CXTranslationUnit unit;
    d->source = number;
    d->place = &d->decls->sources[number];
    if (d->place->is_bitcode) {
        hash_bitcode(&d->decls->sources[number]);
        return OK;
    }
    if (declare__parse(&d->decls->arena, parser, &d->decls->sources[number], d->here, &unit, d->error) != OK) return FAILED;
    declare__find_keyword_macros(&d->decls->arena, &d->decls->sources[number]);
    hash_source(d->decls, &d->decls->sources[number], unit);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), note_top, d);
    analyse_bodies(d);
    forget_unit(d);
    clang_disposeTranslationUnit(unit);
    return OK;
}

/* ---- the whole ---- */

static void finish(Declarer *d)
{
    Decls *decls = d->decls;
    declare__spread(d);
    for (uint32_t i = 0; i < d->nulls.len; i++) { /* now, since a definition that comes later makes its parameters anew */
        CFunction *function = &d->functions.data[d->nulls.data[i].function];
        if (d->nulls.data[i].param < function->param_count) function->params[d->nulls.data[i].param].given_null = true;
    }
    decls->function_count = d->functions.len;
    decls->functions = arena_alloc(&decls->arena, d->functions.len * sizeof *decls->functions);
    if (d->functions.len) memcpy(decls->functions, d->functions.data, d->functions.len * sizeof *decls->functions);
    decls->builtin_count = d->builtins.len;
    decls->builtins = arena_alloc(&decls->arena, (d->builtins.len + 1) * sizeof *decls->builtins);
    if (d->builtins.len) memcpy(decls->builtins, d->builtins.data, d->builtins.len * sizeof *decls->builtins);
    decls->global_count = d->globals.len;
    decls->globals = arena_alloc(&decls->arena, d->globals.len * sizeof *decls->globals);
    if (d->globals.len) memcpy(decls->globals, d->globals.data, d->globals.len * sizeof *decls->globals);
}

static void release(Declarer *d)
{
    for (uint32_t i = 0; i < d->facts.len; i++) {
        vec_release(&d->facts.data[i].calls);
        vec_release(&d->facts.data[i].refers);
        vec_release(&d->facts.data[i].globals);
        vec_release(&d->facts.data[i].stored);
        vec_release(&d->facts.data[i].checked);
    }
    vec_release(&d->facts);
    vec_release(&d->functions);
    vec_release(&d->globals);
    vec_release(&d->bodies);
    declare__release_fields(d);
    names_release(&d->function_names);
    names_release(&d->global_names);
    names_release(&d->library);
    vec_release(&d->builtins);
    vec_release(&d->nulls);
    arena_release(&d->arena);
    free(d->here);
}

Status front_declare(const FrontOptions *options, Decls **decls, Error *error)
{
    Sources sources = {0};
    *decls = NULL;
    Status status = front__collect_sources(options, &sources, error);
    if (status != OK) {
        front__release_sources(&sources);
        return status;
    }
    Declarer d = {.decls = mem_alloc(sizeof *d.decls), .error = error, .here = getcwd(NULL, 0)};
    Parser parser = declare__start_parser();
    if (!d.here) d.here = mem_strdup("");
    declare__library_names(&d);
    d.decls->source_count = sources.list.len;
    d.decls->sources = arena_alloc(&d.decls->arena, sources.list.len * sizeof *d.decls->sources);
    for (uint32_t i = 0; i < sources.list.len; i++)
        declare__list_source(&d.decls->arena, options, &sources.list.data[i], &d.decls->sources[i]);
    if (options->models_dir) status = front__library_names(options->models_dir, &d.decls->library, error);
    for (uint32_t i = 0; i < sources.list.len && status == OK; i++) status = declare_source(&d, &parser, i);
    if (status == OK) finish(&d);
    if (status == OK) *decls = d.decls;
    else decls_free(d.decls);
    release(&d);
    declare__stop_parser(&parser);
    front__release_sources(&sources);
    return status;
}
