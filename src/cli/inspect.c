/* `clew inspect`: the source with what a verifier has assumed and verified, and the conditions under which what follows may be, or must be, unverified
 * (docs/verified.md). */
#include "cli/cli.h"
#include "cli/common.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct Note {
    FrontNoteKind kind;
    char *function, *file, *text, *must;
    uint32_t line, column;
    bool after;
} Note;

typedef struct Inspection {
    Sources sources;
    bool json;
    Vec(Note) notes;
} Inspection;

static int parse_one(void *data, int argc, char **argv, int *i)
{
    Inspection *inspection = data;
    if (strcmp(argv[*i], "--json") != 0) return sources_parse(&inspection->sources, argc, argv, i);
    inspection->json = true;
    return 0;
}

static bool is_same(const Note *a, const FrontNote *b)
{
    return a->kind == b->kind && a->line == b->line && a->after == b->after && strcmp(a->file, b->file) == 0 &&
           strcmp(a->text, b->text) == 0 && strcmp(a->must ? a->must : "", b->must ? b->must : "") == 0;
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
                                         .must = note->must ? mem_strdup(note->must) : NULL,
                                         .line = note->line,
                                         .column = note->column,
                                         .after = note->after}));
}

/* ---- for people ---- */

static void print_note(const Note *note)
{
    static const char *const forms[] = {[FRONT_NOTE_ASSUMED] = "assumed under the name %s",
                                        [FRONT_NOTE_ASSERTED] = "verified if %s",
                                        [FRONT_NOTE_CONDITIONS] = "may be unverified: %s"};
    printf("       | ");
    printf(forms[note->kind], note->text);
    if (note->must) printf("; must be: %s", note->must);
    printf("\n");
}

static void print_notes(const Inspection *inspection, const char *file, uint32_t line, bool after)
{
    for (uint32_t i = 0; i < inspection->notes.len; i++) {
        const Note *note = &inspection->notes.data[i];
        bool is_behind = note->kind != FRONT_NOTE_CONDITIONS || note->after;
        if (note->line == line && is_behind == after && strcmp(note->file, file) == 0) print_note(note);
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

/* ---- for other tools ---- */

static void print_json(const Inspection *inspection)
{
    static const char *const kinds[] = {
        [FRONT_NOTE_ASSUMED] = "assumed", [FRONT_NOTE_ASSERTED] = "asserted", [FRONT_NOTE_CONDITIONS] = "conditions"};
    json_t *list = json_array();
    for (uint32_t i = 0; i < inspection->notes.len; i++) {
        const Note *note = &inspection->notes.data[i];
        json_t *entry = json_pack("{s:s, s:s, s:s, s:i, s:i}", "kind", kinds[note->kind], "function", note->function, "file", note->file,
                                  "line", (int)note->line, "column", (int)note->column);
        static const char *const names[] = {
            [FRONT_NOTE_ASSUMED] = "name", [FRONT_NOTE_ASSERTED] = "supposition", [FRONT_NOTE_CONDITIONS] = "may_unverified"};
        json_object_set_new(entry, names[note->kind], json_string(note->text));
        if (note->must) json_object_set_new(entry, "must_unverified", json_string(note->must));
        if (note->must) json_object_set_new(entry, "after", json_boolean(note->after));
        json_array_append_new(list, entry);
    }
    json_t *root = json_pack("{s:i, s:o}", "version", 1, "notes", list);
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
    }
    vec_release(&inspection->notes);
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
    if (front_load(&front, &program, NULL, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    program_free(program);
    if (inspection.json) print_json(&inspection);
    else print_files(&inspection);
    release(&inspection);
    return EXIT_DONE;
}
