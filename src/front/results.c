/* Results of a verifier that come from a file: where in the sources they belong, and their conditions as code.
 *
 * A condition is an expression in C over what is in scope at its place.  For each one a function is written behind its source, in the same translation unit:
 *
 *     int clew__condition_3(__typeof__(int) i, __typeof__(struct item [4]) *clew__table)
 *
 * whose parameters are the local variables that the condition names.  For old(e) in it there is one more function, which stores the value of e where the function
 * under test starts, and the condition reads it there.  libclang tells which variables are in scope and of which types they are, and whether the
 * whole is C.  guide.c then adds calls of these functions where the results belong, so the code under test keeps its branches, lines and columns. */
#include "front/declare_int.h"
#include "verified/verified.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Text { /* of a source */
    char *bytes;
    size_t length;
    Vec(size_t) lines; /* where each begins */
} Text;

typedef struct Placer {
    Results *results;
    Arena arena;
    Parser parser;
    char here[4096];
    Sources sources;
    CSource *entries; /* of the sources, as libclang reads them */
    char **paths;     /* absolute */
    Text *texts;
    NameMap told;
} Placer;

/* ---- files and lines ---- */

static void read_text(const char *path, Text *text)
{
    char bytes[4096];
    StrBuf buffer = {0};
    FILE *in = fopen(path, "r");
    strbuf_add(&buffer, "");
    for (size_t n; in && (n = fread(bytes, 1, sizeof bytes, in)) > 0;) strbuf_add_bytes(&buffer, bytes, n);
    if (in) fclose(in);
    *text = (Text){.bytes = buffer.text, .length = buffer.len};
    for (size_t at = 0; at < text->length; at += strcspn(text->bytes + at, "\n") + 1) vec_push(&text->lines, at);
}

static bool ends_with_path(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n >= k && strcmp(path + n - k, end) == 0 && (n == k || path[n - k - 1] == '/');
}

/* The file as it is named from here, else the only source whose path ends in that name.  `count`: how many it may be. */
static uint32_t find_source(const Placer *p, const char *name, uint32_t *count)
{
    uint32_t found = 0;
    char *path = realpath(name, NULL);
    while (strncmp(name, "./", 2) == 0) name += 2;
    *count = 0;
    for (uint32_t i = 0; i < p->sources.list.len; i++) {
        if (path && strcmp(path, p->paths[i]) == 0) {
            *count = 1;
            found = i;
            break;
        }
        if (!ends_with_path(p->paths[i], name)) continue;
        found = i;
        ++*count;
    }
    free(path);
    return found;
}

/* One message for all results about another version of a file. */
static bool is_other_version(Placer *p, const ResultFile *file)
{
    uint32_t count, source = find_source(p, file->file, &count);
    if (count != 1) return false; /* its annotations say so */
    uint64_t hash = results_hash(p->texts[source].bytes, p->texts[source].length);
    if (hash == file->hash) return false;
    fprintf(
        stderr,
        "clew: %s: the results are about another version of %s (its hash is fnv1a:%016llx now); none of them is used, and what rests on "
        "them counts as not verified\n",
        file->origin, file->file, (unsigned long long)hash);
    return true;
}

static void refuse_other_versions(Placer *p)
{
    for (uint32_t i = 0; i < p->results->files.len; i++) {
        const ResultFile *file = &p->results->files.data[i];
        if (!is_other_version(p, file)) continue;
        for (uint32_t k = 0; k < p->results->annotations.len; k++) {
            Annotation *a = &p->results->annotations.data[k];
            if (a->origin == file->origin && strcmp(a->file, file->file) == 0) results_refuse(a, NULL);
        }
    }
}

static char *line_of(const Text *text, uint32_t line)
{
    if (!line || line > text->lines.len) return mem_strdup("");
    const char *start = text->bytes + text->lines.data[line - 1];
    return mem_format("%.*s", (int)strcspn(start, "\n"), start);
}

/* Does a property of another tool's table stand on a line that it cannot be about?  Then one message tells it for the whole table. */
static bool is_misplaced(Placer *p, const Annotation *a)
{
    uint32_t count, source = a->property && !a->refused ? find_source(p, a->file, &count) : 0;
    if (!a->property || a->refused || count != 1 || p->sources.list.data[source].is_bitcode) return false;
    char *line = line_of(&p->texts[source], a->line);
    bool is_misplaced = !frama_c_speaks_of(a->property, line);
    if (is_misplaced)
        fprintf(stderr,
                "clew: %s: %s:%u: this line cannot be the one of the property `%s`, so the table is about another version of the file; "
                "none of its results "
                "about the file is used, and what rests on them counts as not verified\n",
                a->origin, a->file, a->line, a->property);
    free(line);
    return is_misplaced;
}

static void refuse_misplaced(Placer *p)
{
    for (uint32_t i = 0; i < p->results->annotations.len; i++) {
        const Annotation *first = &p->results->annotations.data[i];
        if (!is_misplaced(p, first)) continue;
        for (uint32_t k = 0; k < p->results->annotations.len; k++) {
            Annotation *a = &p->results->annotations.data[k];
            if (a->origin == first->origin && strcmp(a->file, first->file) == 0) results_refuse(a, NULL);
        }
    }
}

/* One message for all results about the same file. */
static const char *once(Placer *p, const Annotation *a, const char *message)
{
    char *key = mem_format("%s:%s", a->origin, a->file);
    bool is_told = names_find(&p->told, key) != NULL;
    names_put(&p->told, key, 1);
    free(key);
    return is_told ? NULL : message;
}

static void place(Placer *p, Annotation *a)
{
    uint32_t count, source = find_source(p, a->file, &count);
    a->source = count == 1 ? source : UINT32_MAX;
    if (a->refused) return;
    if (count == 0) results_refuse(a, once(p, a, "the program has no source of that name"));
    else if (count > 1) results_refuse(a, once(p, a, "the program has several sources of that name"));
    else if (a->line > p->texts[source].lines.len) results_refuse(a, "the file has no such line");
    else if (a->condition && p->sources.list.data[source].is_bitcode) results_refuse(a, "a condition needs a source in C");
}

/* ---- what is in scope ---- */

typedef struct Scope {
    Annotation *annotation;
    CXFile file;
    unsigned line, column;
} Scope;

static bool begins_before(const Scope *s, CXSourceLocation location)
{
    unsigned line, column;
    CXFile file;
    clang_getExpansionLocation(location, &file, &line, &column, NULL);
    return clang_File_isEqual(file, s->file) && (line < s->line || (line == s->line && column <= s->column));
}

static bool ends_behind(const Scope *s, CXSourceLocation location)
{
    unsigned line, column;
    CXFile file;
    clang_getExpansionLocation(location, &file, &line, &column, NULL);
    return line > s->line || (line == s->line && column >= s->column);
}

bool front__names_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_') return true;
    }
    return false;
}

static bool is_by_address(CXType type)
{
    switch (clang_getCanonicalType(type).kind) {
    case CXType_Record:
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
    case CXType_Complex:
    case CXType_Vector:
    case CXType_ExtVector:
    case CXType_Int128:
    case CXType_UInt128:
    case CXType_LongDouble:
    case CXType_Float128: return true;
    default: return false;
    }
}

/* A variable in an inner scope comes later than the one that it hides. */
static void add_variable(Scope *s, CXCursor cursor)
{
    CXString name = clang_getCursorSpelling(cursor), type = clang_getTypeSpelling(clang_getCursorType(cursor));
    const char *word = clang_getCString(name);
    Annotation *a = s->annotation;
    if (word && *word && front__names_word(a->condition, word)) {
        ResultVariable variable = {.name = mem_strdup(word),
                                   .type = mem_strdup(clang_getCString(type)),
                                   .is_parameter = clang_getCursorKind(cursor) == CXCursor_ParmDecl,
                                   .is_static = clang_Cursor_getStorageClass(cursor) == CX_SC_Static,
                                   .by_address = is_by_address(clang_getCursorType(cursor))};
        clang_getExpansionLocation(clang_getCursorLocation(cursor), NULL, &variable.line, NULL, NULL);
        variable.by_address |= variable.is_static;
        uint32_t at = 0;
        while (at < a->variables.len && strcmp(a->variables.data[at].name, word) != 0) at++;
        if (at == a->variables.len) {
            vec_push(&a->variables, variable);
        } else {
            free(a->variables.data[at].name);
            free(a->variables.data[at].type);
            a->variables.data[at] = variable;
        }
    }
    clang_disposeString(name);
    clang_disposeString(type);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Scope *s = data;
    CXSourceRange extent = clang_getCursorExtent(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (!begins_before(s, clang_getRangeStart(extent))) return CXChildVisit_Continue;
    bool is_inside = ends_behind(s, clang_getRangeEnd(extent));
    if (kind == CXCursor_ParmDecl || (kind == CXCursor_VarDecl && !is_inside)) add_variable(s, cursor);
    return is_inside || kind == CXCursor_DeclStmt ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    Scope *s = data;
    CXSourceRange extent = clang_getCursorExtent(cursor);
    bool is_inside = begins_before(s, clang_getRangeStart(extent)) && ends_behind(s, clang_getRangeEnd(extent));
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !is_inside) return CXChildVisit_Continue;
    (void)parent;
    clang_visitChildren(cursor, visit, s);
    return CXChildVisit_Break;
}

/* ---- conditions as code ---- */

/* Where the next old(…) or CLEW_OLD(…) begins, with the place and the length of what is in its parentheses; NULL: there is none. */
static const char *find_old(const char *text, const char **inside, size_t *length)
{
    static const char *const words[] = {"CLEW_OLD", "old"};
    for (const char *at = text; *at; at++) {
        if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '.' || at[-1] == '>')) continue;
        for (size_t i = 0; i < COUNT_OF(words); i++) {
            const char *open = at + strlen(words[i]);
            if (strncmp(at, words[i], strlen(words[i])) != 0 || *(open += strspn(open, " ")) != '(') continue;
            const char *end = open + 1;
            for (int depth = 1; *end && (depth += *end == '(' ? 1 : *end == ')' ? -1 : 0); end++)
                ;
            *inside = open + 1;
            *length = (size_t)(end - *inside);
            return at;
        }
    }
    return NULL;
}

static void find_olds(Annotation *a)
{
    const char *inside;
    size_t length;
    for (const char *at = a->condition; at && (at = find_old(at, &inside, &length)); at = inside + length)
        vec_push(&a->olds, mem_format("%.*s", (int)length, inside));
}

/* What is in scope where the function starts are its parameters. */
static void refuse_late_olds(Annotation *a)
{
    for (uint32_t i = 0; i < a->variables.len; i++)
        for (uint32_t k = 0; k < a->olds.len && !a->refused; k++) {
            const ResultVariable *v = &a->variables.data[i];
            if (v->is_parameter || v->is_static || !front__names_word(a->olds.data[k], v->name)) continue;
            char *message =
                mem_format("old(%s) names the local variable '%s', which there is not where the function starts", a->olds.data[k], v->name);
            results_refuse(a, message);
            free(message);
        }
}

static bool is_in(const ResultVariable *v, const char *expression)
{
    return !expression || front__names_word(expression, v->name);
}

/* `expression`: only the variables that it names; NULL: all. */
static uint32_t write_parameters(const Annotation *a, const char *expression, StrBuf *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->variables.len; i++) {
        const ResultVariable *v = &a->variables.data[i];
        if (!is_in(v, expression)) continue;
        strbuf_addf(out, "%s__typeof__(%s) %s%s", count++ ? ", " : "", v->type, v->by_address ? "*clew__" : "", v->name);
    }
    return count;
}

/* Inside the function a variable that is given by its address goes by its name as a macro. */
static void write_macros(const Annotation *a, const char *expression, bool define, StrBuf *out)
{
    for (uint32_t i = 0; i < a->variables.len; i++) {
        const ResultVariable *v = &a->variables.data[i];
        if (!v->by_address || !is_in(v, expression)) continue;
        if (define) strbuf_addf(out, "#define %s (*clew__%s)\n", v->name, v->name);
        else strbuf_addf(out, "#undef %s\n", v->name);
    }
}

/* A value that is kept has the type that it has in arithmetic, so arrays are pointers, and structs are refused. */
static void write_old(const Annotation *a, uint32_t number, uint32_t old, StrBuf *out)
{
    const char *expression = a->olds.data[old];
    strbuf_addf(out, "void " RESULT_OLD "(", number, old);
    strbuf_add(out, write_parameters(a, expression, out) ? ", void *clew__at)\n" : "void *clew__at)\n");
    write_macros(a, expression, true, out);
    strbuf_addf(out, "{ *(__typeof__((%s) + 0) *)clew__at = (%s); }\n", expression, expression);
    write_macros(a, expression, false, out);
}

/* The condition, in which old(e) reads what was kept. */
static void write_expression(const Annotation *a, StrBuf *out)
{
    const char *inside, *from = a->condition, *at;
    size_t length;
    for (uint32_t old = 0; (at = find_old(from, &inside, &length)); old++, from = inside + length + 1)
        strbuf_addf(out, "%.*s(*(__typeof__((%.*s) + 0) *)clew__old_%u)", (int)(at - from), from, (int)length, inside, old);
    strbuf_add(out, from);
}

static void write_condition(const Annotation *a, uint32_t number, StrBuf *out)
{
    for (uint32_t old = 0; old < a->olds.len; old++) write_old(a, number, old, out);
    strbuf_addf(out, "int " RESULT_CONDITION "(", number);
    uint32_t count = write_parameters(a, NULL, out);
    for (uint32_t old = 0; old < a->olds.len; old++) strbuf_addf(out, "%svoid *clew__old_%u", count++ ? ", " : "", old);
    strbuf_add(out, count ? ")\n" : "void)\n");
    write_macros(a, NULL, true, out);
    strbuf_add(out, "{ return !!(");
    write_expression(a, out);
    strbuf_add(out, "); }\n");
    write_macros(a, NULL, false, out);
}

static void find_scopes(Placer *p, uint32_t source, CXTranslationUnit unit)
{
    const Text *text = &p->texts[source];
    CXString name = clang_getTranslationUnitSpelling(unit);
    CXFile file = clang_getFile(unit, clang_getCString(name));
    clang_disposeString(name);
    for (uint32_t i = 0; i < p->results->annotations.len; i++) {
        Annotation *a = &p->results->annotations.data[i];
        if (a->refused || !a->condition || a->source != source) continue;
        const char *line = text->bytes + text->lines.data[a->line - 1];
        Scope scope = {a, file, a->line, a->column ? a->column : (unsigned)strspn(line, " \t") + 1};
        clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_top, &scope);
        find_olds(a);
        refuse_late_olds(a);
    }
}

bool front__write_conditions(const Results *results, uint32_t source, StrBuf *out)
{
    bool found = false;
    strbuf_add(out, "");
    for (uint32_t i = 0; results && i < results->annotations.len; i++) {
        const Annotation *a = &results->annotations.data[i];
        if (a->refused || !a->condition || a->source != source) continue;
        write_condition(a, i, out);
        found = true;
    }
    return found;
}

static void refuse_faulty(Annotation *a, CXTranslationUnit unit)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit) && !a->refused; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            CXString text = clang_getDiagnosticSpelling(diagnostic);
            char *message = mem_format("the condition `%s` is not understood there: %s", a->condition, clang_getCString(text));
            results_refuse(a, message);
            free(message);
            clang_disposeString(text);
        }
        clang_disposeDiagnostic(diagnostic);
    }
}

/* Each condition is tried by itself behind its source, so that a faulty one does not spoil others. */
static void try_condition(Placer *p, Annotation *a, uint32_t number)
{
    static const char name[] = "clew-condition.c";
    StrBuf code = {0};
    CXTranslationUnit unit;
    write_condition(a, number, &code);
    struct CXUnsavedFile file = {name, code.text, code.len};
    if (declare__parse_behind(&p->parser, &p->entries[a->source], &file, &unit)) {
        refuse_faulty(a, unit);
        clang_disposeTranslationUnit(unit);
    } else {
        results_refuse(a, "the condition cannot be compiled behind its source");
    }
    strbuf_release(&code);
}

static Status place_in_source(Placer *p, uint32_t source, Error *error)
{
    CXTranslationUnit unit;
    bool any = false;
    for (uint32_t i = 0; i < p->results->annotations.len; i++) {
        const Annotation *a = &p->results->annotations.data[i];
        any |= !a->refused && a->condition && a->source == source;
    }
    if (!any) return OK;
    if (declare__parse(&p->arena, &p->parser, &p->entries[source], p->here, &unit, error) != OK) return FAILED;
    find_scopes(p, source, unit);
    clang_disposeTranslationUnit(unit);
    for (uint32_t i = 0; i < p->results->annotations.len; i++) {
        Annotation *a = &p->results->annotations.data[i];
        if (!a->refused && a->condition && a->source == source) try_condition(p, a, i);
    }
    return OK;
}

/* ---- ---- */

static void read_sources(Placer *p, const FrontOptions *options)
{
    uint32_t count = p->sources.list.len;
    p->entries = mem_alloc((count + 1) * sizeof *p->entries);
    p->paths = mem_alloc((count + 1) * sizeof *p->paths);
    p->texts = mem_alloc((count + 1) * sizeof *p->texts);
    for (uint32_t i = 0; i < count; i++) {
        const Source *source = &p->sources.list.data[i];
        p->entries[i] = (CSource){0};
        declare__list_source(&p->arena, options, source, &p->entries[i]);
        char *joined = source->directory && source->path[0] != '/' ? mem_format("%s/%s", source->directory, source->path)
                                                                   : mem_strdup(source->path);
        p->paths[i] = realpath(joined, NULL);
        if (!p->paths[i]) p->paths[i] = mem_strdup(joined);
        read_text(p->paths[i], &p->texts[i]);
        free(joined);
    }
}

static void release(Placer *p)
{
    for (uint32_t i = 0; i < p->sources.list.len && p->texts; i++) {
        free(p->paths[i]);
        free(p->texts[i].bytes);
        vec_release(&p->texts[i].lines);
    }
    free(p->entries);
    free(p->paths);
    free(p->texts);
    names_release(&p->told);
    declare__stop_parser(&p->parser);
    front__release_sources(&p->sources);
    arena_release(&p->arena);
}

Status front_place_results(const FrontOptions *options, Results *results, Error *error)
{
    Placer p = {.results = results, .parser = declare__start_parser()};
    Status status = front__collect_sources(options, &p.sources, error);
    if (!getcwd(p.here, sizeof p.here)) status = fail(error, "cannot find the current directory: %s", strerror(errno));
    if (status == OK) {
        read_sources(&p, options);
        refuse_other_versions(&p);
        refuse_misplaced(&p);
        for (uint32_t i = 0; i < results->annotations.len; i++) place(&p, &results->annotations.data[i]);
    }
    for (uint32_t i = 0; status == OK && i < p.sources.list.len; i++) status = place_in_source(&p, i, error);
    release(&p);
    return status;
}
