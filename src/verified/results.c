/* Results of a verifier from a file: what it has assumed, and its verdicts, by file, line and column (docs/verified.md).
 *
 * A file that cannot be read as a whole is refused as a whole.  What single annotations lack only shows beside the code (front/results.c, front/guide.c):
 * such an annotation is refused with a message, and a refused assumption takes its name with it, so that nothing is left out because of it. */
#include "verified/verified_int.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const check_names[] = {
    NULL,
#define CHECK(identifier, name) name,
#include "verified/checks.def"
#undef CHECK
};

const char *check_name(ImplicitCheck check)
{
    return check_names[check];
}

bool check_allocates(const char *function)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "aligned_alloc", "strdup", "strndup"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(function, names[i]) == 0) return true;
    return false;
}

static bool check_may_only_be_assumed(ImplicitCheck check)
{
    return check == IMPLICIT_ALLOCATION || check == IMPLICIT_UNCHANGED;
}

static ImplicitCheck check_of(const char *name)
{
    for (ImplicitCheck check = IMPLICIT_NONE + 1; check < IMPLICIT_CHECKS; check++)
        if (strcmp(check_names[check], name) == 0) return check;
    return IMPLICIT_NONE;
}

uint64_t results_hash(const char *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++) hash = (hash ^ (uint8_t)bytes[i]) * 0x100000001b3;
    return hash;
}

/* ---- reading ---- */

Status verified__read_text(const char *path, const char *what, StrBuf *text, Error *error)
{
    char bytes[4096];
    FILE *in = fopen(path, "r");
    if (!in) return fail(error, "cannot read the %s in %s: %s", what, path, strerror(errno));
    strbuf_add(text, "");
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;) strbuf_add_bytes(text, bytes, n);
    fclose(in);
    return OK;
}

static bool is_name(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_') return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_') return false;
    return true;
}

/* What is no single expression in C would end the function that it is put into.  The compiler judges the rest. */
static bool is_closed(const char *condition)
{
    int depth = 0;
    for (; *condition && depth >= 0; condition++) {
        if (strchr(";{}#\n\\", *condition)) return false;
        depth += *condition == '(';
        depth -= *condition == ')';
    }
    return depth == 0;
}

typedef struct Entry {
    const char *kind, *file, *name, *supposition, *condition, *check;
    int line, column;
} Entry;

static Status fault_of(const Entry *e, const char *path, size_t number, Error *error)
{
    bool is_assumption = strcmp(e->kind, "assumed") == 0;
    const char *fault = NULL;
    if (e->line < 1 || e->column < 0) fault = "lines count from 1";
    else if (e->check && !check_of(e->check)) fault = "there is no check of that name";
    else if (e->check && e->condition) fault = "it has both a check and a condition";
    else if (e->condition && !is_closed(e->condition)) fault = "its condition is no single expression";
    else if (is_assumption && (!e->name || !is_name(e->name))) fault = "an assumption needs a name of letters, digits and _";
    else if (is_assumption && !e->condition && !e->check) fault = "an assumption needs a condition or a check";
    else if (!is_assumption && e->check && check_may_only_be_assumed(check_of(e->check)))
        fault = "a check of that name can only be assumed to be passed";
    else if (!is_assumption && !e->supposition) fault = "a verdict needs a supposition";
    return fault ? fail(error, "%s: note %zu: %s", path, number, fault) : OK;
}

static char *copy(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

void results_add(Results *results, Annotation annotation)
{
    annotation.condition = copy(annotation.condition);
    annotation.text = copy(annotation.text);
    annotation.file = copy(annotation.file);
    annotation.property = copy(annotation.property);
    vec_push(&results->annotations, annotation);
}

static Status read_note(const char *path, const char *origin, json_t *note, size_t number, Results *results, Error *error)
{
    Entry e = {0};
    json_error_t fault;
    if (json_unpack_ex(note, &fault, 0, "{s:s, s:s, s:i, s?i, s?s, s?s, s?s, s?s}", "kind", &e.kind, "file", &e.file, "line", &e.line,
                       "column", &e.column, "name", &e.name, "supposition", &e.supposition, "condition", &e.condition, "check",
                       &e.check) != 0)
        return fail(error, "%s: note %zu: %s", path, number, fault.text);
    if (strcmp(e.kind, "conditions") == 0) return OK; /* what Clew itself has inferred */
    bool is_assumption = strcmp(e.kind, "assumed") == 0;
    if (!is_assumption && strcmp(e.kind, "verified") != 0) return fail(error, "%s: note %zu: there is no kind '%s'", path, number, e.kind);
    if (fault_of(&e, path, number, error) != OK) return FAILED;
    Annotation annotation = {.is_assumption = is_assumption,
                             .check = e.check ? check_of(e.check) : IMPLICIT_NONE,
                             .condition = (char *)e.condition,
                             .text = (char *)(is_assumption ? e.name : e.supposition),
                             .file = (char *)e.file,
                             .line = (uint32_t)e.line,
                             .column = (uint32_t)e.column,
                             .origin = origin};
    results_add(results, annotation);
    return OK;
}

static Status read_file(const char *path, const char *origin, json_t *entry, size_t number, Results *results, Error *error)
{
    const char *file, *hash;
    static const char prefix[] = "fnv1a:";
    json_error_t fault;
    if (json_unpack_ex(entry, &fault, 0, "{s:s, s:s}", "file", &file, "hash", &hash) != 0)
        return fail(error, "%s: file %zu: %s", path, number, fault.text);
    if (strncmp(hash, prefix, strlen(prefix)) != 0)
        return fail(error, "%s: file %zu: the hash '%s' is of another kind than fnv1a:", path, number, hash);
    vec_push(&results->files, ((ResultFile){copy(file), strtoull(hash + strlen(prefix), NULL, 16), origin}));
    return OK;
}

static const char *add_origin(Results *results, const char *path)
{
    vec_push(&results->origins, copy(path));
    return vec_top(&results->origins);
}

static Status read_all(const char *path, const json_t *root, Results *results, Error *error)
{
    const json_t *notes = json_object_get(root, "notes"), *files = json_object_get(root, "files");
    json_t *entry;
    size_t i;
    if (json_integer_value(json_object_get(root, "version")) != 1 || !json_is_array(notes))
        return fail(error, "%s holds no results: \"version\": 1 and a list of \"notes\" are expected", path);
    const char *origin = add_origin(results, path);
    json_array_foreach(files, i, entry)
    {
        if (read_file(path, origin, entry, i + 1, results, error) != OK) return FAILED;
    }
    json_array_foreach(notes, i, entry)
    {
        if (read_note(path, origin, entry, i + 1, results, error) != OK) return FAILED;
    }
    return OK;
}

static void release_from(Results *results, uint32_t annotation, uint32_t file)
{
    for (uint32_t i = annotation; i < results->annotations.len; i++) {
        Annotation *a = &results->annotations.data[i];
        for (uint32_t k = 0; k < a->variables.len; k++) {
            free(a->variables.data[k].name);
            free(a->variables.data[k].type);
        }
        for (uint32_t k = 0; k < a->olds.len; k++) free(a->olds.data[k]);
        vec_release(&a->variables);
        vec_release(&a->olds);
        free(a->condition);
        free(a->text);
        free(a->file);
        free(a->property);
    }
    for (uint32_t i = file; i < results->files.len; i++) free(results->files.data[i].file);
    results->annotations.len = annotation;
    results->files.len = file;
}

static Status read_json(const char *path, const char *text, Results *results, Error *error)
{
    json_error_t fault;
    uint32_t annotations = results->annotations.len, files = results->files.len;
    json_t *root = json_loads(text, 0, &fault);
    if (!root) return fail(error, "cannot read the results in %s: %s (line %d)", path, fault.text, fault.line);
    Status status = read_all(path, root, results, error);
    if (status != OK) release_from(results, annotations, files);
    json_decref(root);
    return status;
}

Status results_read(const char *path, Results *results, Error *error)
{
    StrBuf text = {0};
    Status status = verified__read_text(path, "results", &text, error);
    if (status != OK) return status;
    if (frama_c_wrote(text.text)) frama_c_results(text.text, add_origin(results, path), results);
    else if (frama_c_wrote_goals(text.text)) status = frama_c_goals(path, error);
    else status = read_json(path, text.text, results, error);
    strbuf_release(&text);
    return status;
}

void results_release(Results *results)
{
    release_from(results, 0, 0);
    for (uint32_t i = 0; i < results->origins.len; i++) free(results->origins.data[i]);
    vec_release(&results->origins);
    vec_release(&results->annotations);
    vec_release(&results->files);
}

/* ---- what cannot be used ---- */

void results_refuse(Annotation *annotation, const char *message)
{
    annotation->refused = true;
    if (message && !annotation->is_own)
        fprintf(stderr, "clew: %s: %s:%u: %s; %s\n", annotation->origin, annotation->file, annotation->line, message,
                annotation->is_assumption ? "what rests on the assumption counts as not verified" : "the verdict is not used");
}

bool results_doubt(const Results *results, const char *name)
{
    for (uint32_t i = 0; results && i < results->annotations.len; i++) {
        const Annotation *a = &results->annotations.data[i];
        bool is_elsewhere = a->is_own && a->source == UINT32_MAX; /* in a header, where no verdict is either */
        if (a->is_assumption && a->refused && !is_elsewhere && strcmp(a->text, name) == 0) return true;
    }
    return false;
}

void results_lack_context(Results *results)
{
    for (uint32_t i = 0; results && !results->told_context && i < results->annotations.len; i++) {
        const Annotation *a = &results->annotations.data[i];
        if (!a->is_converted || a->is_assumption || a->refused) continue;
        fprintf(
            stderr,
            "clew: %s: Frama-C's verdicts hold for the state and the calls that it was started with, which its table does not say; nothing "
            "counts as verified unless these are assumed under the name " FRAMA_C_CONTEXT "\n",
            a->origin);
        results->told_context = true;
    }
}
