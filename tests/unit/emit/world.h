/* Hand-made programs and ledgers for the tests of emit/: a scratch directory with sources, their declarations, records, and a way to run commands. */
#ifndef CLEW_TEST_EMIT_WORLD_H
#define CLEW_TEST_EMIT_WORLD_H

#include "emit/emit_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Scene {
    char root[64]; /* scratch directory: sources there, output in out/ */
    char out[96];
    CSource sources[4];
    CFunction functions[8];
    Decls decls;
    Ledger *ledger;
    EmitOptions options;
    Error error;
} Scene;

static const CType type_void = {.kind = C_VOID, .spelling = "void", .plain = "void"};
static const CType type_int = {.kind = C_INT, .is_signed = true, .size = 4, .align = 4, .spelling = "int", .plain = "int"};
static const CType type_char = {.kind = C_CHAR, .is_signed = true, .size = 1, .align = 1, .spelling = "char", .plain = "char"};
static const CType type_text = {.kind = C_POINTER, .size = 8, .align = 8, .of = &type_char, .spelling = "char *", .plain = "char *"};
static const CType type_texts = {.kind = C_POINTER, .size = 8, .align = 8, .of = &type_text, .spelling = "char **", .plain = "char **"};
static CParam main_params[] = {{.name = "argc", .type = &type_int}, {.name = "argv", .type = &type_texts}};
static const CType main_type = {.kind = C_FUNCTION, .of = &type_int, .spelling = "int (int, char **)", .plain = "int (int, char **)"};

static inline void scene_open(Scene *scene)
{
    *scene = (Scene){0};
    strcpy(scene->root, "/tmp/clew-emit-XXXXXX");
    REQUIRE(mkdtemp(scene->root), "a scratch directory");
    snprintf(scene->out, sizeof scene->out, "%s/out dir", scene->root);
    REQUIRE(ledger_open(&scene->ledger, scene->out, "program.c", &(LedgerIdentity){.sources = 1}, false, &scene->error) == OK, "a ledger");
    scene->decls.sources = scene->sources;
    scene->decls.functions = scene->functions;
    scene->options = (EmitOptions){.formats = 1u << EMIT_C, .command = "clew test program.c"};
}

static inline void scene_write(Scene *scene, const char *name, const char *text)
{
    char *path = mem_format("%s/%s", scene->root, name);
    FILE *out = fopen(path, "w");
    REQUIRE(out, "a file in the scratch directory");
    fputs(text, out);
    fclose(out);
    free(path);
}

static inline uint32_t scene_source(Scene *scene, const char *name, const char *text)
{
    uint32_t i = scene->decls.source_count++;
    scene_write(scene, name, text);
    scene->sources[i] = (CSource){.path = mem_format("%s/%s", scene->root, name)};
    return i;
}

static inline CFunction *scene_function(Scene *scene, const char *name, uint32_t source, const CType *result)
{
    CFunction *function = &scene->functions[scene->decls.function_count++];
    *function = (CFunction){.name = name, .source = source, .type = &main_type, .result = result, .defined = source != UINT32_MAX};
    return function;
}

/* `parameters` 0 or 2 */
static inline void scene_main(Scene *scene, const char *text, uint32_t parameters)
{
    CFunction *function = scene_function(scene, "main", scene_source(scene, "program.c", text), &type_int);
    function->params = main_params;
    function->param_count = parameters;
}

static inline LedgerTest *scene_test(Scene *scene, const char *unit, RecordEnd end, int status, const char *output)
{
    Record record = {.unit = mem_strdup(unit), .end = end, .status = status};
    strbuf_add(&record.output, output);
    LedgerTest *test = ledger_add_test(scene->ledger, unit, &record);
    record_release(&record);
    test->kept = true;
    return test;
}

static inline void scene_input(LedgerTest *test, const char *name, char type, uint32_t width, U128 bits)
{
    vec_push(&test->record.inputs, ((RecordInput){.name = mem_strdup(name), .type = type, .width = width, .bits = bits}));
}

/* "NAME[0]", … */
static inline void scene_bytes(LedgerTest *test, const char *name, const void *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char *part = mem_format("%s[%u]", name, i);
        scene_input(test, part, 'c', 8, ((const uint8_t *)bytes)[i]);
        free(part);
    }
}

static inline void scene_bug(Scene *scene, LedgerTest *test, char *kind, char *message)
{
    ledger_add_bug(
        scene->ledger,
        &(LedgerBug){.kind = kind, .function = test->unit, .file = "program.c", .line = 3, .message = message, .test = test->id});
    test->bug = scene->ledger->bugs.len;
    test->record.bug = mem_strdup(kind);
}

static inline Status scene_emit(Scene *scene)
{
    return emit_suite(scene->ledger, &scene->decls, NULL, &scene->options, &scene->error);
}

/* The status of a shell command that runs in the output directory; what it prints is in DIR/log. */
static inline int scene_run(const Scene *scene, const char *command)
{
    char *line = mem_format("cd '%s' && { %s ; } > ../log 2>&1", scene->out, command);
    int status = system(line);
    free(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static inline char *scene_read(const Scene *scene, const char *name, size_t *n)
{
    char *path = mem_format("%s/%s", scene->root, name);
    StrBuf text = {0};
    Error error;
    bool found = emit__read(path, &text, &error) == OK;
    free(path);
    if (n) *n = text.len;
    return found ? text.text : NULL;
}

static inline bool scene_has(const Scene *scene, const char *name, const char *piece)
{
    char *text = scene_read(scene, name, NULL);
    bool found = text && strstr(text, piece);
    free(text);
    return found;
}

static inline void scene_close(Scene *scene)
{
    char *line = mem_format("rm -rf '%s'", scene->root);
    REQUIRE(system(line) == 0, "the scratch directory can be removed");
    free(line);
    for (uint32_t i = 0; i < scene->decls.source_count; i++) free((char *)(uintptr_t)scene->sources[i].path);
    ledger_free(scene->ledger);
}

#endif
