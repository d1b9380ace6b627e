/* `clew inspect`: the source with what a verifier has assumed and verified, and the conditions under which what follows may be, or must be, unverified
 * (docs/verified.md). */
#include "cli/cli.h"
#include "cli/common.h"
#include "prove/prove.h"
#include "verified/verified.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct Note {
    FrontNoteKind kind;
    char *function, *file, *text, *must, *condition, *check;
    uint32_t line, column;
    bool after;
} Note;

typedef struct Inspection {
    Sources sources;
    Results results;
    Words files; /* of results */
    bool json, from_analysis;
    Vec(Note) notes;
} Inspection;

static int parse_one(void *data, int argc, char **argv, int *i)
{
    Inspection *inspection = data;
    if (strcmp(argv[*i], "--json") == 0) {
        inspection->json = true;
    } else if (strcmp(argv[*i], "--from-analysis") == 0) {
        inspection->from_analysis = true;
    } else if (strcmp(argv[*i], "--verified") == 0) {
        if (*i + 1 == argc) return cli_complain("%s needs a value", argv[*i]);
        vec_push(&inspection->files, argv[++*i]);
    } else {
        return sources_parse(&inspection->sources, argc, argv, i);
    }
    return 0;
}

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static char *copy(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

static bool is_same(const Note *a, const FrontNote *b)
{
    return a->kind == b->kind && a->line == b->line && a->after == b->after && strcmp(a->file, b->file) == 0 &&
           is_same_text(a->text, b->text) && is_same_text(a->must, b->must) && is_same_text(a->condition, b->condition) &&
           is_same_text(a->check, b->check) && (a->kind == FRONT_NOTE_CONDITIONS || a->column == b->column);
}

/* Several blocks may begin in one line: what was said there is not said again. */
static void keep(void *data, const FrontNote *note)
{
    Inspection *inspection = data;
    for (uint32_t i = 0; i < inspection->notes.len; i++)
        if (is_same(&inspection->notes.data[i], note)) return;
    vec_push(&inspection->notes, ((Note){.kind = note->kind,
                                         .function = mem_strdup(note->function),
                                         .file = mem_strdup(note->file),
                                         .text = mem_strdup(note->text),
                                         .must = copy(note->must),
                                         .condition = copy(note->condition),
                                         .check = copy(note->check),
                                         .line = note->line,
                                         .column = note->column,
                                         .after = note->after}));
}

/* ---- for people ---- */

/* The columns are not shown, so what differs only in them is said once. */
static bool says_the_same(const Note *a, const Note *b)
{
    return a->kind == b->kind && a->line == b->line && a->after == b->after && strcmp(a->file, b->file) == 0 &&
           is_same_text(a->text, b->text) && is_same_text(a->must, b->must) && is_same_text(a->condition, b->condition) &&
           is_same_text(a->check, b->check);
}

static bool is_said_before(const Inspection *inspection, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++)
        if (says_the_same(&inspection->notes.data[i], &inspection->notes.data[number])) return true;
    return false;
}

/* Is there a note of the kind about the same check on the same line, with the same name? */
static bool has_partner(const Inspection *inspection, const Note *note, FrontNoteKind kind)
{
    Note partner = *note;
    partner.kind = kind;
    for (uint32_t i = 0; i < inspection->notes.len && note->check; i++)
        if (says_the_same(&inspection->notes.data[i], &partner)) return true;
    return false;
}

static void print_note(const Inspection *inspection, const Note *note)
{
    bool is_verdict = note->kind == FRONT_NOTE_ASSERTED;
    if (is_verdict && has_partner(inspection, note, FRONT_NOTE_ASSUMED)) return; /* said with the assumption */
    printf("       | ");
    if (note->check) printf("%s check: ", note->check);
    else if (note->condition) printf("%s: ", note->condition);
    if (note->kind == FRONT_NOTE_CONDITIONS) printf("may be unverified: %s; must be: %s\n", note->text, note->must);
    else if (!is_verdict && has_partner(inspection, note, FRONT_NOTE_ASSERTED))
        printf("not verified; assumed to be passed, under the name %s\n", note->text);
    else if (!is_verdict) printf("assumed under the name %s\n", note->text);
    else if (strcmp(note->text, "true") == 0) printf("verified\n");
    else if (strcmp(note->text, "false") == 0) printf("not verified\n");
    else printf("verified if %s\n", note->text);
}

static void print_notes(const Inspection *inspection, const char *file, uint32_t line, bool after)
{
    for (uint32_t i = 0; i < inspection->notes.len; i++) {
        const Note *note = &inspection->notes.data[i];
        bool is_behind = note->kind != FRONT_NOTE_CONDITIONS || note->after;
        bool is_here = note->line == line && is_behind == after && strcmp(note->file, file) == 0;
        if (is_here && !is_said_before(inspection, i)) print_note(inspection, note);
    }
}

static void print_file(const Inspection *inspection, const char *file)
{
    FILE *in = fopen(file, "r");
    char *text = NULL;
    size_t capacity = 0;
    printf("%s:\n", file);
    for (uint32_t line = 1; in && getline(&text, &capacity, in) >= 0; line++) {
        text[strcspn(text, "\n")] = 0;
        print_notes(inspection, file, line, false);
        printf("%6u | %s\n", line, text);
        print_notes(inspection, file, line, true);
    }
    if (!in) fprintf(stderr, "clew: cannot read %s\n", file);
    else fclose(in);
    free(text);
}

static void print_files(const Inspection *inspection)
{
    NameMap printed = {0};
    for (uint32_t i = 0; i < inspection->notes.len; i++) {
        const char *file = inspection->notes.data[i].file;
        if (names_find(&printed, file)) continue;
        names_put(&printed, file, 1);
        print_file(inspection, file);
    }
    names_release(&printed);
    if (!inspection->notes.len)
        printf("There are no verification results in the sources (CLEW_ASSUMED, CLEW_ASSERT_VERIFIED of clew.h).\n");
}

/* ---- for other tools: the form that --verified reads ---- */

static void set_text(json_t *entry, const char *key, const char *text)
{
    if (text) json_object_set_new(entry, key, json_string(text));
}

static json_t *note_entry(const Note *note)
{
    static const char *const kinds[] = {
        [FRONT_NOTE_ASSUMED] = "assumed", [FRONT_NOTE_ASSERTED] = "verified", [FRONT_NOTE_CONDITIONS] = "conditions"};
    static const char *const names[] = {
        [FRONT_NOTE_ASSUMED] = "name", [FRONT_NOTE_ASSERTED] = "supposition", [FRONT_NOTE_CONDITIONS] = "may_unverified"};
    json_t *entry = json_pack("{s:s, s:s, s:s, s:i, s:i}", "kind", kinds[note->kind], "function", note->function, "file", note->file,
                              "line", (int)note->line, "column", (int)note->column);
    set_text(entry, names[note->kind], note->text);
    set_text(entry, "must_unverified", note->must);
    set_text(entry, "condition", note->condition);
    set_text(entry, "check", note->check);
    if (note->must) json_object_set_new(entry, "after", json_boolean(note->after));
    return entry;
}

static void add_file(const char *path, json_t *files)
{
    StrBuf text = {0};
    char bytes[4096];
    FILE *in = fopen(path, "r");
    if (!in) return;
    strbuf_add(&text, "");
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;) strbuf_add_bytes(&text, bytes, n);
    fclose(in);
    char *hash = mem_format("fnv1a:%016llx", (unsigned long long)results_hash(text.text, text.len));
    json_array_append_new(files, json_pack("{s:s, s:s}", "file", path, "hash", hash));
    free(hash);
    strbuf_release(&text);
}

static void print_json(const Inspection *inspection)
{
    json_t *list = json_array(), *files = json_array();
    NameMap seen = {0};
    for (uint32_t i = 0; i < inspection->notes.len; i++) {
        const Note *note = &inspection->notes.data[i];
        if (!names_find(&seen, note->file)) add_file(note->file, files);
        names_put(&seen, note->file, 1);
        json_array_append_new(list, note_entry(note));
    }
    names_release(&seen);
    json_t *root = json_pack("{s:i, s:o, s:o}", "version", 1, "files", files, "notes", list);
    json_dumpf(root, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(root);
}

static void release(Inspection *inspection)
{
    for (uint32_t i = 0; i < inspection->notes.len; i++) {
        Note *note = &inspection->notes.data[i];
        free(note->function);
        free(note->file);
        free(note->text);
        free(note->must);
        free(note->condition);
        free(note->check);
    }
    vec_release(&inspection->notes);
    vec_release(&inspection->files);
    results_release(&inspection->results);
}

static Status read_results(Inspection *inspection, FrontOptions *front, Error *error)
{
    for (uint32_t i = 0; i < inspection->files.len; i++)
        if (results_read(inspection->files.data[i], &inspection->results, error) != OK) return FAILED;
    if (inspection->from_analysis && prove_verdicts(front, false, &inspection->results, error) != OK) return FAILED;
    if (!inspection->results.annotations.len) return OK;
    front->results = &inspection->results;
    return front_place_results(front, &inspection->results, error);
}

int cli_inspect(int argc, char **argv)
{
    Inspection inspection = {0};
    Words none = {0};
    Program *program;
    Error error;
    int status = cli_parse(argc, argv, parse_one, &inspection, &none);
    if (status) return status;
    if (inspection.sources.files.len == 0) return cli_complain("%s", "no file to inspect");
    FrontOptions front = sources_front(&inspection.sources, NULL);
    front.guide = FRONT_GUIDE_PARTIAL | FRONT_GUIDE_MAY | FRONT_GUIDE_MUST;
    front.on_note = keep;
    front.on_note_data = &inspection;
    if (read_results(&inspection, &front, &error) != OK || front_load(&front, &program, NULL, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    program_free(program);
    if (inspection.json) print_json(&inspection);
    else print_files(&inspection);
    release(&inspection);
    return EXIT_DONE;
}
