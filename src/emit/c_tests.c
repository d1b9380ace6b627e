/* emit: files of C, standalone or for CMocka: one for the tests of each unit, and one program for each bug.
 *
 *     #include "clew_test.h"
 *     #include "../../source.c"      so that static functions can be called; main: see program.c
 *     stubs and the like             from unit/
 *     static void test_NAME(void) …  bodies from unit/ or program.c
 *     a table, and the entry
 * clew_test.h stands first: it includes nothing, so it does not disturb what the source defines for the system's headers, and the source's macros
 * do not disturb it. */
#include "emit/emit_int.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BRANCHES = 12 };

typedef struct File {
    Suite *suite;
    const Style *style;
    const Batch *batch;
    const char *up;        /* from the file to the directory of clew_test.h: "" or "../" */
    char *directory;       /* absolute */
    const CFunction *main; /* of the included source; NULL: none */
    NameMap names;         /* of tests */
    StrBuf text, table;
} File;

/* ---- the parts of a file ---- */

static void add_source(File *file)
{
    char *path = emit__source_path(file->suite->decls, file->batch->source), *relative = emit__relative(file->directory, path);
    strbuf_addf(&file->text, "#include \"%sclew_test.h\"\n\n", file->up);
    if (file->main) emit__main_declaration(file->main, &file->text);
    strbuf_addf(&file->text, "#include \"%s\"\n\n", relative);
    decls_forget_macros(file->suite->decls, file->batch->source, &file->text);
    free(path);
    free(relative);
}

static void add_headers(File *file)
{
    static const char *const of_cmocka[] = {"setjmp.h", "stdarg.h", "stddef.h", "stdint.h", "cmocka.h"};
    for (size_t i = 0; file->style->cmocka && i < COUNT_OF(of_cmocka); i++) strbuf_addf(&file->text, "#include <%s>\n", of_cmocka[i]);
}

static void add_prelude(File *file, const char *bodies)
{
    add_source(file);
    add_headers(file);
    if (file->batch->plan) unit_test_prelude(file->batch->plan, bodies, &file->text);
    if (file->batch->plan || file->style->cmocka) strbuf_add(&file->text, "\n");
    if (!file->batch->plan) emit__program_prelude(file->suite, file->batch->source, &file->text);
}

static void open_entry(File *file, const char *parameters)
{
    if (file->main)
        strbuf_addf(
            &file->text,
            "/* The entry of this file; main is the program's. */\nint clew_test_main(%s) __asm__(\"main\");\nint clew_test_main(%s)\n{\n",
            parameters, parameters);
    else strbuf_addf(&file->text, "int main(%s)\n{\n", parameters);
}

static void open_file(File *file, Suite *suite, const Style *style, const Batch *batch, const char *folder)
{
    *file =
        (File){.suite = suite, .style = style, .batch = batch, .up = *folder ? "../" : "", .main = emit__main(suite->decls, batch->source)};
    file->directory = mem_format("%s/%s%s%s", suite->root, style->directory, *folder ? "/" : "", folder);
}

static Status close_file(File *file, const char *path)
{
    Status status = emit__write(file->suite, path, &file->text);
    free(file->directory);
    names_release(&file->names);
    strbuf_release(&file->text);
    strbuf_release(&file->table);
    return status;
}

/* ---- why a test is there ---- */

static void add_branch(File *file, uint32_t id, uint32_t *count)
{
    const Ledger *ledger = file->suite->ledger;
    if (id >= ledger->branches.len || ++*count > MOST_BRANCHES) return;
    const LedgerBranch *b = &ledger->branches.data[id];
    if (*count > 1) strbuf_add(&file->text, "\n * ");
    emit__comment_text(&file->text, b->file ? b->file : "?");
    strbuf_addf(&file->text, ":%u:%u ", b->line, b->column);
    emit__comment_text(&file->text, b->outcome ? b->outcome : "");
}

static void add_reason(File *file, const LedgerTest *test)
{
    const Suite *suite = file->suite;
    const uint64_t *first = map_find(&suite->first_branch, test->id);
    uint32_t count = 0;
    strbuf_add(&file->text, "/* ");
    for (uint32_t b = first ? (uint32_t)*first : UINT32_MAX; b != UINT32_MAX; b = suite->next_branch.data[b]) add_branch(file, b, &count);
    for (uint32_t i = 0; !first && i < test->record.branches.len; i++) add_branch(file, test->record.branches.data[i], &count);
    if (count > MOST_BRANCHES) strbuf_addf(&file->text, "\n * and %u more", count - MOST_BRANCHES);
    if (count == 0) emit__comment_text(&file->text, test->outcome ? test->outcome : "no branch of its own");
    if (test->record.end == END_INPUTS) strbuf_add(&file->text, "\n * The program goes on; the test ends where its inputs end.");
    if (test->record.end == END_IDLE) strbuf_add(&file->text, "\n * After that the program idles for ever.");
    strbuf_add(&file->text, " */\n");
}

/* ---- one test ---- */

static char *name_test(File *file, const Record *record, uint32_t number)
{
    StrBuf name = {0};
    strbuf_add(&name, "test_");
    if (file->batch->plan) unit_test_name(file->batch->plan, record, &name);
    else strbuf_addf(&name, "main_%u", number);
    char *unique = mem_strdup(name.text);
    for (uint32_t i = 2; names_find(&file->names, unique); i++) {
        free(unique);
        unique = mem_format("%s_%u", name.text, i);
    }
    strbuf_release(&name);
    names_put(&file->names, unique, number);
    return unique;
}

/* A function that does not return is called in a child process. */
static const char *expectation(const Record *record, char text[64])
{
    switch (record->end) {
    case END_RETURN: return NULL;
    case END_EXIT:
        if (record->status == RECORD_ANY_STATUS) return "clew_expect_any_exit()";
        snprintf(text, 64, "clew_expect_exit(%d)", record->status & 255);
        return text;
    case END_SIGNAL: snprintf(text, 64, "clew_expect_signal(%d)", record->status); return text;
    case END_INPUTS: return "clew_expect_more_inputs()";
    case END_IDLE: return "clew_expect_endless()";
    default: return "clew_expect_anything()";
    }
}

static void add_unit_body(File *file, const Record *record)
{
    char text[64];
    const char *expected = expectation(record, text);
    if (expected) strbuf_addf(&file->text, "    %s;\n    if (!clew_child()) return; /* the rest is done in a child process */\n", expected);
    if (emit__asks_for_inputs(file->suite->decls, NULL)) emit__unit_inputs(unit_function(file->batch->plan), record, &file->text);
    unit_test_body(file->batch->plan, record, expected ? "clew_check" : file->style->check, &file->text);
    if (expected) strbuf_add(&file->text, "    clew_child_returned();\n");
}

static void add_test(File *file, const LedgerTest *test, const char *name)
{
    add_reason(file, test);
    strbuf_addf(&file->text, "static void %s(%s)\n{\n", name, file->style->cmocka ? "void **state" : "void");
    if (file->style->cmocka) strbuf_add(&file->text, "    (void)state;\n");
    if (file->batch->plan) add_unit_body(file, &test->record);
    else emit__program_body(file->suite, &test->record, false, &file->text);
    strbuf_add(&file->text, "}\n\n");
    if (file->style->cmocka) strbuf_addf(&file->table, "    cmocka_unit_test(%s),\n", name);
    else strbuf_addf(&file->table, "    {\"%s\", %s},\n", name, name);
}

/* ---- the file of a unit ---- */

static void add_head(File *file, const char *name)
{
    const char *command = file->suite->options->command;
    strbuf_addf(&file->text, "/* Tests of %s, written by Clew", file->batch->plan ? file->batch->unit : "the program");
    if (command) strbuf_add(&file->text, ":\n *     ");
    if (command) emit__comment_text(&file->text, command);
    strbuf_addf(&file->text, "\n * To build and run them: make, or\n");
    StrBuf line = {0};
    if (emit__command(file->suite, file->batch, file->directory, name, file->style->cmocka ? "-lcmocka" : "", &line)) {
        strbuf_add(&file->text, " *     ");
        emit__comment_text(&file->text, line.text);
        strbuf_addf(&file->text, " && ./test_%s%s\n", file->batch->word, file->style->cmocka ? "" : " [TEST]...");
    } else {
        strbuf_addf(&file->text, " *     make build/test_%s && build/test_%s%s\n", file->batch->word, file->batch->word,
                    file->style->cmocka ? "" : " [TEST]...");
    }
    strbuf_release(&line);
    strbuf_add(&file->text, " * Above each test stand the branches it is there for. */\n");
}

static void add_entry(File *file)
{
    bool cmocka = file->style->cmocka;
    if (cmocka) {
        strbuf_addf(&file->text, "static void clew_fail_test(const char *text)\n{\n    fail_msg(\"%%s\", text);\n}\n\n");
        strbuf_addf(&file->text, "static const struct CMUnitTest clew_tests[] = {\n%s};\n\n", file->table.text);
    } else {
        strbuf_addf(&file->text, "static const ClewTest clew_tests[] = {\n%s};\n\n", file->table.text);
    }
    open_entry(file, cmocka ? "void" : "int argc, char **argv");
    strbuf_add(&file->text, cmocka
                                ? "    clew_on_failure = clew_fail_test;\n    return cmocka_run_group_tests(clew_tests, NULL, NULL);\n}\n"
                                : "    return clew_run_tests(clew_tests, sizeof clew_tests / sizeof *clew_tests, argc, argv);\n}\n");
}

/* What was written so far, so that what has to stand before it can be written next. */
static StrBuf take_text(File *file)
{
    StrBuf text = file->text;
    file->text = (StrBuf){0};
    return text;
}

static Status write_tests(Suite *suite, const Style *style, const Batch *batch)
{
    File file;
    char *name = mem_format("test_%s.c", batch->word), *path = mem_format("%s/%s", style->directory, name);
    open_file(&file, suite, style, batch, "");
    for (uint32_t i = 0; i < batch->tests.len; i++) {
        const LedgerTest *test = &suite->ledger->tests.data[batch->tests.data[i]];
        char *function = name_test(&file, &test->record, i + 1);
        add_test(&file, test, function);
        emit__set_written(suite, batch->tests.data[i], path, function);
        free(function);
    }
    StrBuf bodies = take_text(&file);
    add_head(&file, name);
    add_prelude(&file, bodies.text);
    strbuf_add(&file.text, bodies.text);
    strbuf_release(&bodies);
    add_entry(&file);
    Status status = close_file(&file, path);
    free(name);
    free(path);
    return status;
}

/* ---- bugs ---- */

char *emit__bug_word(const Suite *suite, const Batch *batch, uint32_t index)
{
    const LedgerTest *test = &suite->ledger->tests.data[index];
    const LedgerBug *bug = test->bug ? &suite->ledger->bugs.data[test->bug - 1] : NULL;
    const char *what = bug && bug->precondition ? "precondition" : "bug";
    return bug && bug->test == test->id ? mem_format("%s_%u_%s", what, test->bug, batch->word)
                                        : mem_format("%s_%u_%s_test_%u", what, test->bug, batch->word, test->id);
}

static void add_bug_head(File *file, const LedgerTest *test, const char *word)
{
    const Ledger *ledger = file->suite->ledger;
    const LedgerBug *bug = test->bug ? &ledger->bugs.data[test->bug - 1] : NULL;
    const char *kind = bug ? bug->kind : test->record.bug, *where = bug ? bug->file : test->record.file;
    const char *message = bug ? bug->message : test->record.message;
    char *name = mem_format("%s.c", word);
    StrBuf line = {0};
    bool broken = bug && bug->precondition;
    strbuf_add(&file->text, broken ? "/* A call that breaks a precondition of the function: " : "/* A bug that Clew has found: ");
    emit__comment_text(&file->text, broken ? bug->precondition : kind ? kind : "a fault");
    strbuf_add(&file->text, "\n *     ");
    emit__comment_text(&file->text, where ? where : "?");
    strbuf_addf(&file->text, ":%u: ", bug ? bug->line : test->record.line);
    emit__comment_text(&file->text, message ? message : "");
    strbuf_addf(&file->text, "\n * This program shows %s: `make bugs` in the directory above", broken ? "what happens then" : "it");
    bool memory = kind && strcmp(kind, "uninitialized") == 0; /* which only clang sees */
    if (emit__command(file->suite, file->batch, file->directory, name, memory ? "-g -fsanitize=memory" : "-g -fsanitize=address,undefined",
                      &line)) {
        strbuf_add(&file->text, memory ? ", or here, where cc is clang,\n *     " : ", or here\n *     ");
        emit__comment_text(&file->text, line.text);
        strbuf_addf(&file->text, " && ./%s", word);
    }
    strbuf_add(&file->text, " */\n");
    strbuf_release(&line);
    free(name);
}

static void add_bug_body(File *file, const LedgerTest *test)
{
    strbuf_add(&file->text, "    clew_expect_bug();\n");
    if (file->batch->plan && emit__asks_for_inputs(file->suite->decls, NULL))
        emit__unit_inputs(unit_function(file->batch->plan), &test->record, &file->text);
    if (file->batch->plan) unit_test_body(file->batch->plan, &test->record, "clew_ignore", &file->text);
    else emit__program_body(file->suite, &test->record, true, &file->text);
}

static void add_bug(File *file, const LedgerTest *test)
{
    add_reason(file, test);
    strbuf_add(&file->text, "static void show_bug(void)\n{\n");
    add_bug_body(file, test);
    strbuf_add(&file->text, "}\n\n");
    open_entry(file, "void");
    strbuf_add(&file->text, "    show_bug();\n    return 0;\n}\n");
}

static Status write_bug(Suite *suite, const Style *style, const Batch *batch, uint32_t index)
{
    const Style in_place = {style->directory, "clew_ignore", false};
    char *word = emit__bug_word(suite, batch, index), *path = mem_format("%s/bugs/%s.c", style->directory, word);
    File file;
    open_file(&file, suite, &in_place, batch, "bugs");
    add_bug(&file, &suite->ledger->tests.data[index]);
    StrBuf program = take_text(&file);
    add_bug_head(&file, &suite->ledger->tests.data[index], word);
    add_prelude(&file, program.text);
    strbuf_add(&file.text, program.text);
    strbuf_release(&program);
    emit__set_written(suite, index, path, word);
    Status status = close_file(&file, path);
    free(word);
    free(path);
    return status;
}

/* ---- tests of several units together ---- */

/* Lines that may stand in a file twice, and what may not: definitions of stubs. */
static void split_prelude(const Unit *plan, StrBuf *lines, StrBuf *definitions)
{
    static const char *const harmless[] = {"#include ", "extern __typeof__("};
    StrBuf all = {0};
    unit_test_prelude(plan, NULL, &all);
    for (const char *p = all.text ? all.text : ""; *p;) {
        size_t n = strcspn(p, "\n");
        bool may = n == 0;
        for (size_t i = 0; i < COUNT_OF(harmless); i++) may |= strncmp(p, harmless[i], strlen(harmless[i])) == 0;
        strbuf_add_bytes(may ? lines : definitions, p, n);
        strbuf_add(may ? lines : definitions, "\n");
        p += n + (p[n] == '\n');
    }
    strbuf_release(&all);
}

char *emit_together_key(const Decls *decls, const Units *units, const char *unit)
{
    const Unit *plan = emit__unit(units, unit);
    uint32_t source = emit__unit_source(decls, units, unit);
    if (source == UINT32_MAX) return NULL;
    StrBuf lines = {0}, key = {0};
    strbuf_addf(&key, "%u %s\n", source, plan ? "" : "program");
    if (plan) split_prelude(plan, &lines, &key);
    strbuf_release(&lines);
    return key.text;
}

static void add_joint_prelude(File *file, const uint32_t *tests, uint32_t count)
{
    const Suite *suite = file->suite;
    char *source = emit__source_path(suite->decls, file->batch->source);
    StrBuf definitions = {0};
    strbuf_addf(&file->text, "#include \"%s/tests/clew_test.h\"\n", suite->root);
    if (file->main) emit__main_declaration(file->main, &file->text);
    strbuf_addf(&file->text, "#include \"%s\"\n", source);
    decls_forget_macros(suite->decls, file->batch->source, &file->text);
    if (!file->batch->plan) emit__program_prelude(suite, file->batch->source, &file->text);
    const Unit *before = NULL;
    for (uint32_t i = 0; i < count && file->batch->plan; i++) {
        const Unit *plan = emit__unit(suite->units, suite->ledger->tests.data[tests[i]].unit);
        strbuf_clear(&definitions);
        if (plan != before) split_prelude(plan, &file->text, &definitions);
        if (!before && definitions.text) strbuf_add(&file->text, definitions.text); /* the same of all */
        before = plan;
    }
    strbuf_release(&definitions);
    free(source);
}

static void add_joint_test(File *file, const LedgerTest *test)
{
    Batch batch = {.unit = test->unit, .plan = emit__unit(file->suite->units, test->unit), .source = file->batch->source};
    const Batch *before = file->batch;
    file->batch = &batch;
    strbuf_addf(&file->text, "static void test_%u(void)\n{\n", test->id);
    if (test->bug || test->record.end == END_BUG) add_bug_body(file, test);
    else if (batch.plan) add_unit_body(file, &test->record);
    else emit__program_body(file->suite, &test->record, false, &file->text);
    strbuf_add(&file->text, "}\n\n");
    strbuf_addf(&file->table, "    {\"test_%u\", test_%u},\n", test->id, test->id);
    file->batch = before;
}

Status emit_together(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *options, const char *path,
                     const uint32_t *tests, uint32_t count, Error *error)
{
    static const Style plain = {"tests", "clew_check", false};
    REQUIRE(count, "there are tests");
    const char *unit = vec_at(&ledger->tests, tests[0]).unit;
    Suite suite = {.ledger = ledger, .decls = decls, .units = units, .options = options, .error = error};
    Batch batch = {.unit = unit, .plan = emit__unit(units, unit), .source = emit__unit_source(decls, units, unit)};
    File file = {.suite = &suite, .style = &plain, .batch = &batch, .main = emit__main(decls, batch.source)};
    suite.root = emit__absolute(NULL, options->support ? options->support : ledger->directory);
    add_joint_prelude(&file, tests, count);
    for (uint32_t i = 0; i < count; i++) add_joint_test(&file, &vec_at(&ledger->tests, tests[i]));
    add_entry(&file);
    FILE *out = fopen(path, "w");
    bool written = out && fwrite(file.text.text, 1, file.text.len, out) == file.text.len;
    if (out && fclose(out) != 0) written = false;
    free(suite.root);
    strbuf_release(&file.text);
    strbuf_release(&file.table);
    return written ? OK : fail(error, "cannot write %s", path);
}

/* ---- all of it ---- */

static Status copy_header(Suite *suite, const Style *style, const char *name)
{
    char *from = mem_format("%s/%s", suite->options->include_dir, name), *to = mem_format("%s/%s", style->directory, name);
    StrBuf text = {0};
    Status status = emit__read(from, &text, suite->error);
    if (status == OK) status = emit__write(suite, to, &text);
    strbuf_release(&text);
    free(from);
    free(to);
    return status;
}

static Status write_shared(Suite *suite, const Style *style)
{
    const char *const headers[] = {suite->decls->includes_clew ? "clew.h" : NULL, suite->decls->includes_klee ? "klee/klee.h" : NULL};
    char *header = mem_format("%s/clew_test.h", style->directory), *code = mem_format("%s/clew_test.c", style->directory);
    Status status = emit__write_text(suite, header, emit__test_header);
    StrBuf text = {0};
    strbuf_addf(&text, "%s%s", emit__test_code, emit__calls_code);
    if (status == OK) status = emit__write(suite, code, &text);
    strbuf_release(&text);
    free(header);
    free(code);
    if (status == OK && emit__asks_for_inputs(suite->decls, suite->units)) {
        char *inputs = mem_format("%s/clew_inputs.c", style->directory);
        status = emit__write_text(suite, inputs, emit__inputs_code);
        free(inputs);
    }
    if (status == OK && suite->options->fail_count) {
        char *fails = mem_format("%s/clew_fail.c", style->directory);
        emit__fails_code(suite->options, &text);
        status = emit__write(suite, fails, &text);
        strbuf_release(&text);
        free(fails);
    }
    if (status == OK && emit__looks_at_clock(suite->decls, suite->options)) {
        char *clock = mem_format("%s/clew_clock.c", style->directory);
        emit__clock_code(suite->decls, suite->options, &text);
        status = emit__write(suite, clock, &text);
        strbuf_release(&text);
        free(clock);
    }
    for (size_t i = 0; suite->options->include_dir && status == OK && i < COUNT_OF(headers); i++)
        if (headers[i]) status = copy_header(suite, style, headers[i]);
    return status;
}

Status emit_support(const Decls *decls, const Units *units, const EmitOptions *options, Error *error)
{
    static const Style plain = {"tests", "clew_check", false};
    Suite suite = {.decls = decls, .units = units, .options = options, .error = error};
    suite.root = emit__absolute(NULL, options->support);
    Status status = write_shared(&suite, &plain);
    free(suite.root);
    for (uint32_t i = 0; i < suite.files.len; i++) free(suite.files.data[i]);
    vec_release(&suite.files);
    names_release(&suite.known);
    names_release(&suite.written);
    return status;
}

Status emit__c_suite(Suite *suite, const Style *style, const Batch *batches, uint32_t count)
{
    if (count == 0) return OK;
    if (write_shared(suite, style) != OK) return FAILED;
    for (uint32_t i = 0; i < count; i++) {
        if (batches[i].source == UINT32_MAX) continue;
        if (batches[i].tests.len && write_tests(suite, style, &batches[i]) != OK) return FAILED;
        for (uint32_t b = 0; b < batches[i].bugs.len; b++)
            if (write_bug(suite, style, &batches[i], batches[i].bugs.data[b]) != OK) return FAILED;
    }
    return emit__makefile(suite, style, batches, count);
}
