/* front_declare: every source is parsed by libclang with the flags the compiler gets, and what stands at its top is noted: functions that
 * are defined in files of the user, with their bodies, and variables.  When a whole unit has been read its bodies are analysed
 * (declare_use.c), and after the last source uses flow from callees to callers (declare_flow.c). */
#include "front/declare_int.h"

#include <dlfcn.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- one translation unit ---- */

static enum CXChildVisitResult note_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Declarer *d = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_FunctionDecl) {
        if (!clang_isCursorDefinition(cursor) || clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
            return CXChildVisit_Continue;
        uint32_t index = declare__function(d, cursor);
        bool here = index != UINT32_MAX && d->functions.data[index].source == d->source && !d->facts.data[index].analysed;
        if (here) declare__build_body(d, index, cursor);
    } else if (kind == CXCursor_VarDecl) {
        if (!declare__defines(cursor) || clang_Location_isInSystemHeader(clang_getCursorLocation(cursor))) return CXChildVisit_Continue;
        uint32_t global = declare__global(d, cursor);
        CXCursor initializer = clang_Cursor_getVarDeclInitializer(cursor);
        if (!clang_Cursor_isNull(initializer)) declare__visit_initializer(d, global, initializer);
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

/* The first error, which is the one to repair. */
static Status find_errors(Declarer *d, CXTranslationUnit unit)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
        if (severity >= CXDiagnostic_Error) {
            CXFile file;
            unsigned line, column;
            clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column, NULL);
            const char *text = declare__keep(d, clang_getDiagnosticSpelling(diagnostic));
            clang_disposeDiagnostic(diagnostic);
            if (!file) return fail(d->error, "cannot read %s: %s", d->place->path, text);
            return fail(d->error, "%s:%u:%u: %s; cannot read %s (missing -I or -D flags can be given to clew as to a compiler)",
                        declare__file_name(d, file), line, column, text, d->place->path);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return OK;
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

/* ---- flags ---- */

static char *absolute_in(const char *directory, const char *path)
{
    char *joined = path[0] == '/' || !directory ? mem_strdup(path) : mem_format("%s/%s", directory, path);
    char *full = realpath(joined, NULL);
    if (full) free(joined);
    return full ? full : joined;
}

/* How much of the flag stands before its path; 0: it has none, SIZE_MAX: the path is the next word. */
static size_t path_in_flag(const char *flag)
{
    static const char *const names[] = {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(flag, names[i]) == 0) return SIZE_MAX;
        if (strncmp(flag, names[i], strlen(names[i])) == 0 && strcmp(names[i], "-include") != 0) return strlen(names[i]);
    }
    return 0;
}

typedef struct FlagList {
    Arena *arena;
    Words words;
    bool absolute;
} FlagList;

static void add_flag(FlagList *list, const char *directory, const char *before, const char *flag)
{
    size_t prefix = path_in_flag(flag);
    bool is_path = before && path_in_flag(before) == SIZE_MAX;
    if (!list->absolute || (!is_path && (prefix == 0 || prefix == SIZE_MAX))) {
        vec_push(&list->words, arena_strdup(list->arena, flag));
        return;
    }
    char *path = absolute_in(directory, is_path ? flag : flag + prefix);
    char *text = is_path ? mem_strdup(path) : mem_format("%.*s%s", (int)prefix, flag, path);
    /* What `-include` names need not be a file of that directory. */
    bool exists = access(path, F_OK) == 0;
    vec_push(&list->words, arena_strdup(list->arena, exists ? text : flag));
    free(text);
    free(path);
}

static void add_user_flags(FlagList *list, const FrontOptions *options)
{
    const char *before = NULL;
    for (uint32_t i = 0; i < options->flag_count;) {
        uint32_t dropped = front__dropped_words(options->flags[i]);
        if (!dropped) add_flag(list, NULL, before, options->flags[i]);
        before = dropped ? NULL : options->flags[i];
        i += dropped ? dropped : 1;
    }
}

static void list_source(Declarer *d, const FrontOptions *options, const Source *source, CSource *entry)
{
    FlagList list = {.arena = &d->decls->arena, .absolute = source->directory != NULL};
    entry->path = arena_strdup(list.arena, source->path);
    entry->directory = source->directory ? arena_strdup(list.arena, source->directory) : NULL;
    entry->is_bitcode = source->is_bitcode;
    for (uint32_t i = 0; i < source->flag_count; i++) add_flag(&list, source->directory, i ? source->flags[i - 1] : NULL, source->flags[i]);
    add_user_flags(&list, options);
    if (options->include_dir) {
        vec_push(&list.words, "-idirafter");
        add_flag(&list, NULL, "-idirafter", options->include_dir);
    }
    entry->flag_count = list.words.len;
    entry->flags = arena_alloc(list.arena, list.words.len * sizeof *entry->flags);
    if (list.words.len) memcpy((void *)entry->flags, list.words.data, list.words.len * sizeof *entry->flags);
    vec_release(&list.words);
}

/* ---- the parser ---- */

static bool has_headers(const char *resources)
{
    char *header = mem_format("%s/include/stddef.h", resources);
    bool found = access(header, R_OK) == 0;
    free(header);
    return found;
}

/* Where the compiler's own headers are: beside libclang, else where the compiler of the same version says.  NULL: unknown. */
static char *find_resources(void)
{
    Dl_info info;
    char *path = NULL;
    if (dladdr((void *)(uintptr_t)clang_createIndex, &info) && info.dli_fname) {
        char *library = realpath(info.dli_fname, NULL), *slash = library ? strrchr(library, '/') : NULL;
        if (slash) path = mem_format("%.*s/clang/%d", (int)(slash - library), library, LLVM_VERSION_MAJOR);
        free(library);
        if (path && has_headers(path)) return path;
        free(path);
        path = NULL;
    }
    char line[4096];
    FILE *compiler = popen(COMPILER " -print-resource-dir 2>/dev/null", "r");
    if (compiler && fgets(line, sizeof line, compiler)) {
        line[strcspn(line, "\n")] = 0;
        if (has_headers(line)) path = mem_strdup(line);
    }
    if (compiler) pclose(compiler);
    return path;
}

static const char *why(enum CXErrorCode code)
{
    switch (code) {
    case CXError_Crashed: return "the parser crashed";
    case CXError_InvalidArguments: return "the parser does not accept the flags";
    case CXError_ASTReadError: return "it cannot be read as a syntax tree";
    default: return "it is not readable, or a flag is wrong";
    }
}

typedef struct Parser {
    CXIndex index;
    char *resources;
} Parser;

static Status parse(Declarer *d, const Parser *parser, CXTranslationUnit *unit)
{
    const CSource *source = d->place;
    Words words = {0};
    char *directory = source->directory ? mem_format("-working-directory=%s", source->directory) : NULL;
    vec_push(&words, "-w");
    vec_push(&words, "-D__NO_CTYPE");
    for (uint32_t i = 0; i < source->flag_count; i++) vec_push(&words, source->flags[i]);
    if (parser->resources) {
        vec_push(&words, "-resource-dir");
        vec_push(&words, parser->resources);
    }
    if (directory) vec_push(&words, directory);
    if (front__is_header(source->path)) {
        vec_push(&words, "-x");
        vec_push(&words, "c");
    }
    enum CXErrorCode code =
        clang_parseTranslationUnit2(parser->index, source->path, words.data, (int)words.len, NULL, 0, CXTranslationUnit_None, unit);
    vec_release(&words);
    free(directory);
    return code == CXError_Success ? OK : fail(d->error, "cannot read %s: %s", source->path, why(code));
}

/* The one of front__old_style that makes this an error; NULL: none does. */
static const char *old_style_of(Declarer *d, CXDiagnostic diagnostic)
{
    if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error) return NULL;
    const char *option = declare__keep(d, clang_getDiagnosticOption(diagnostic, NULL)); /* "-Wimplicit-int" */
    for (const char *const *name = front__old_style; *name; name++)
        if (strncmp(option, "-W", 2) == 0 && strcmp(option + 2, *name) == 0) return *name;
    return NULL;
}

static bool add_flag_once(Declarer *d, CSource *source, const char *flag)
{
    for (uint32_t i = 0; i < source->flag_count; i++)
        if (strcmp(source->flags[i], flag) == 0) return false;
    const char **flags = arena_alloc(&d->decls->arena, (source->flag_count + 1) * sizeof *flags);
    if (source->flag_count) memcpy(flags, source->flags, source->flag_count * sizeof *flags);
    flags[source->flag_count++] = arena_strdup(&d->decls->arena, flag);
    source->flags = flags;
    return true;
}

/* Code in old style gets the flags ("-Wno-implicit-int") that it needs to be compiled today; the tests are compiled with them, too.  True:
 * there are new ones, and the source is to be parsed again. */
static bool allow_old_style(Declarer *d, CXTranslationUnit unit, CSource *source)
{
    bool added = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        const char *name = old_style_of(d, diagnostic);
        char *flag = name ? mem_format("-Wno-%s", name) : NULL;
        if (flag) added |= add_flag_once(d, source, flag);
        free(flag);
        clang_disposeDiagnostic(diagnostic);
    }
    return added;
}

static Status declare_source(Declarer *d, const Parser *parser, uint32_t number)
{
    CXTranslationUnit unit;
    d->source = number;
    d->place = &d->decls->sources[number];
    if (d->place->is_bitcode) return OK;
    if (parse(d, parser, &unit) != OK) return FAILED;
    while (allow_old_style(d, unit, &d->decls->sources[number])) {
        clang_disposeTranslationUnit(unit);
        if (parse(d, parser, &unit) != OK) return FAILED;
    }
    Status status = find_errors(d, unit);
    if (status == OK) {
        clang_visitChildren(clang_getTranslationUnitCursor(unit), note_top, d);
        analyse_bodies(d);
    }
    forget_unit(d);
    clang_disposeTranslationUnit(unit);
    return status;
}

/* ---- the whole ---- */

static void finish(Declarer *d)
{
    Decls *decls = d->decls;
    declare__spread(d);
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
    arena_release(&d->arena);
    free(d->here);
}

/* libclang's own handlers of signals are taken out again: the machine has its own. */
static Parser start_parser(void)
{
    Parser parser = {clang_createIndex(0, 0), find_resources()};
    clang_toggleCrashRecovery(0);
    return parser;
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
    Parser parser = start_parser();
    if (!d.here) d.here = mem_strdup("");
    declare__library_names(&d);
    d.decls->source_count = sources.list.len;
    d.decls->sources = arena_alloc(&d.decls->arena, sources.list.len * sizeof *d.decls->sources);
    for (uint32_t i = 0; i < sources.list.len; i++) list_source(&d, options, &sources.list.data[i], &d.decls->sources[i]);
    if (options->models_dir) status = front__library_names(options->models_dir, &d.decls->library, error);
    for (uint32_t i = 0; i < sources.list.len && status == OK; i++) status = declare_source(&d, &parser, i);
    if (status == OK) finish(&d);
    if (status == OK) *decls = d.decls;
    else decls_free(d.decls);
    release(&d);
    clang_disposeIndex(parser.index);
    free(parser.resources);
    front__release_sources(&sources);
    return status;
}
