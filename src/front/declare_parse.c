/* Sources as libclang reads them: the flags of each, the parser, and the parser's complaints.  Both the survey of a project (project.c) and
 * front_declare parse with exactly the flags that the compiler gets. */
#include "front/declare_int.h"

#include <dlfcn.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

void declare__list_source(Arena *arena, const FrontOptions *options, const Source *source, CSource *entry)
{
    FlagList list = {.arena = arena, .absolute = source->directory != NULL};
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

static enum CXErrorCode parse_as(const Parser *parser, const CSource *source, struct CXUnsavedFile *behind, CXTranslationUnit *unit)
{
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
    if (behind) {
        vec_push(&words, "-include");
        vec_push(&words, source->path);
    }
    if (front__is_header(source->path)) {
        vec_push(&words, "-x");
        vec_push(&words, "c");
    }
    enum CXErrorCode code = clang_parseTranslationUnit2(parser->index, behind ? behind->Filename : source->path, words.data, (int)words.len,
                                                        behind, behind != NULL, CXTranslationUnit_None, unit);
    vec_release(&words);
    free(directory);
    return code;
}

static Status parse(const Parser *parser, const CSource *source, CXTranslationUnit *unit, Error *error)
{
    enum CXErrorCode code = parse_as(parser, source, NULL, unit);
    return code == CXError_Success ? OK : fail(error, "cannot read %s: %s", source->path, why(code));
}

bool declare__parse_behind(const Parser *parser, const CSource *source, struct CXUnsavedFile *file, CXTranslationUnit *unit)
{
    return parse_as(parser, source, file, unit) == CXError_Success;
}

/* The one of front__old_style that makes this an error; NULL: none does. */
static const char *old_style_of(CXDiagnostic diagnostic)
{
    if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error) return NULL;
    CXString text = clang_getDiagnosticOption(diagnostic, NULL); /* "-Wimplicit-int" */
    const char *option = clang_getCString(text), *found = NULL;
    for (const char *const *name = front__old_style; option && *name && !found; name++)
        if (strncmp(option, "-W", 2) == 0 && strcmp(option + 2, *name) == 0) found = *name;
    clang_disposeString(text);
    return found;
}

bool declare__add_flag(Arena *arena, CSource *source, const char *flag)
{
    for (uint32_t i = 0; i < source->flag_count; i++)
        if (strcmp(source->flags[i], flag) == 0) return false;
    const char **flags = arena_alloc(arena, (source->flag_count + 1) * sizeof *flags);
    if (source->flag_count) memcpy(flags, source->flags, source->flag_count * sizeof *flags);
    flags[source->flag_count++] = arena_strdup(arena, flag);
    source->flags = flags;
    return true;
}

/* Code in old style gets the flags ("-Wno-implicit-int") that it needs to be compiled today; the tests are compiled with them, too.  True:
 * there are new ones, and the source is to be parsed again. */
static bool allow_old_style(Arena *arena, CXTranslationUnit unit, CSource *source)
{
    bool added = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        const char *name = old_style_of(diagnostic);
        char *flag = name ? mem_format("-Wno-%s", name) : NULL;
        if (flag) added |= declare__add_flag(arena, source, flag);
        free(flag);
        clang_disposeDiagnostic(diagnostic);
    }
    return added;
}

/* The first error, which is the one to repair. */
static Status find_errors(Arena *arena, const CSource *source, const char *here, CXTranslationUnit unit, Error *error)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
        if (severity >= CXDiagnostic_Error) {
            CXFile file;
            unsigned line, column;
            clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column, NULL);
            const char *text = declare__keep(arena, clang_getDiagnosticSpelling(diagnostic));
            clang_disposeDiagnostic(diagnostic);
            if (!file) return fail(error, "cannot read %s: %s", source->path, text);
            return fail(error, "%s:%u:%u: %s; cannot read %s (missing -I or -D flags can be given to clew as to a compiler)",
                        declare__file_name(arena, source, here, file), line, column, text, source->path);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return OK;
}

/* libclang's own handlers of signals are taken out again: the machine has its own. */
Parser declare__start_parser(void)
{
    Parser parser = {clang_createIndex(0, 0), find_resources()};
    clang_toggleCrashRecovery(0);
    return parser;
}

void declare__stop_parser(Parser *parser)
{
    clang_disposeIndex(parser->index);
    free(parser->resources);
}

/* Code in old style is parsed again with the flags it needs. */
Status declare__parse(Arena *arena, const Parser *parser, CSource *source, const char *here, CXTranslationUnit *unit, Error *error)
{
    if (parse(parser, source, unit, error) != OK) return FAILED;
    while (allow_old_style(arena, *unit, source)) {
        clang_disposeTranslationUnit(*unit);
        if (parse(parser, source, unit, error) != OK) return FAILED;
    }
    if (find_errors(arena, source, here, *unit, error) == OK) return OK;
    clang_disposeTranslationUnit(*unit);
    return FAILED;
}

/* ---- keywords as macros ---- */

/* The word after `#define` in a line; NULL: the line is no such directive. */
static char *defined_word(char *line)
{
    char *at = line + strspn(line, " \t");
    if (*at++ != '#') return NULL;
    at += strspn(at, " \t");
    if (strncmp(at, "define", 6) != 0 || (at[6] != ' ' && at[6] != '\t')) return NULL;
    at += 6 + strspn(at + 6, " \t");
    at[strcspn(at, " \t\r\n(")] = 0;
    return at;
}

/* Only the file itself is looked at: a header that did so would break those of the system. */
void declare__find_keyword_macros(Arena *arena, CSource *source)
{
    static const char *const keywords[] = {"auto",   "break",  "case",     "char",   "const",    "continue", "default",  "do",
                                           "double", "else",   "enum",     "extern", "float",    "for",      "goto",     "if",
                                           "int",    "long",   "register", "return", "short",    "signed",   "sizeof",   "static",
                                           "struct", "switch", "typedef",  "union",  "unsigned", "void",     "volatile", "while"};
    char *path = absolute_in(source->directory, source->path), *line = NULL;
    FILE *file = fopen(path, "r");
    size_t capacity = 0;
    const char **found = arena_alloc(arena, COUNT_OF(keywords) * sizeof *found);
    source->keyword_macros = found;
    while (file && getline(&line, &capacity, file) >= 0) {
        const char *word = defined_word(line);
        for (size_t i = 0; word && i < COUNT_OF(keywords); i++) {
            bool known = strcmp(word, keywords[i]) != 0;
            for (uint32_t k = 0; k < source->keyword_macro_count; k++) known |= found[k] == keywords[i];
            if (!known) found[source->keyword_macro_count++] = keywords[i];
        }
    }
    if (file) fclose(file);
    free(line);
    free(path);
}
