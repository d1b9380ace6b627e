/* emit: the Makefile beside the tests, and single commands for the heads of files.
 *
 * Everything is built below build/ (coverage/ for gcov).  Each source of the program that a test does not include is compiled once, with its own flags.
 * Paths are relative to the Makefile where that makes sense, so that the folder can be moved with the project. */
#include "emit/emit_int.h"

#include <stdlib.h>

static const char *const FIRST_LINES = "CC ?= cc\n"
                                       "CLANG ?= clang\n"
                                       "CFLAGS ?= -g\n"
                                       "SANITIZE = -g -fsanitize=address,undefined\n"
                                       "MEMORY = -g -fsanitize=memory\n"
                                       "B = build\n\n";

/* ---- words ---- */

/* A path as a prerequisite; false: make cannot say it. */
static bool add_prerequisite(StrBuf *out, const char *path)
{
    if (strpbrk(path, ":%=;|*?[]~\\'\"\t\n")) return false;
    for (; *path; path++) {
        if (*path == ' ') strbuf_add(out, "\\ ");
        else if (*path == '$') strbuf_add(out, "$$");
        else if (*path == '#') strbuf_add(out, "\\#");
        else strbuf_add_bytes(out, path, 1);
    }
    return true;
}

static void add_words(StrBuf *out, char *const *words, uint32_t count, const char *directory, void (*add)(StrBuf *out, const char *word))
{
    for (uint32_t i = 0; i < count; i++) {
        char *word = emit__relative_flag(words[i], directory);
        strbuf_add(out, " ");
        add(out, word);
        free(word);
    }
}

static char *source_from(const Suite *suite, uint32_t source, const char *directory)
{
    char *path = emit__source_path(suite->decls, source), *relative = emit__relative(directory, path);
    free(path);
    return relative;
}

/* ---- one command ---- */

/* Can all be compiled with the flags of the test file?  Only if their own flags are the same and none has another main. */
static bool is_one_command(const Suite *suite, const EmitBuild *build)
{
    for (uint32_t i = 0; i < build->other_sources.len; i++) {
        EmitBuild own;
        uint32_t source = build->other_sources.data[i];
        emit_build_source(suite->ledger, suite->decls, suite->options, source, &own);
        bool same = own.flags.len == build->flags.len && !suite->decls->sources[source].is_bitcode;
        for (uint32_t k = 0; same && k < own.flags.len; k++) same = strcmp(own.flags.data[k], build->flags.data[k]) == 0;
        emit_build_release(&own);
        if (!same) return false;
    }
    return true;
}

bool emit__command(const Suite *suite, const Batch *batch, const char *directory, const char *file, const char *extra, StrBuf *out)
{
    EmitBuild build;
    emit_build(suite->ledger, suite->decls, suite->units, suite->options, batch->unit, &build);
    bool one = is_one_command(suite, &build);
    if (one) {
        bool library = strncmp(extra, "-l", 2) == 0;
        strbuf_addf(out, "cc%s%s", *extra && !library ? " " : "", library ? "" : extra);
        add_words(out, build.flags.data, build.flags.len, directory, emit__shell_word);
        strbuf_addf(out, " %s", file);
        for (uint32_t i = 0; i < build.other_sources.len; i++) {
            char *path = source_from(suite, build.other_sources.data[i], directory);
            strbuf_add(out, " ");
            emit__shell_word(out, path);
            free(path);
        }
        add_words(out, build.libraries.data, build.libraries.len, directory, emit__shell_word);
        strbuf_addf(out, "%s%s -o %.*s", library ? " " : "", library ? extra : "", (int)(strlen(file) - 2), file);
    }
    emit_build_release(&build);
    return one;
}

/* ---- the Makefile ---- */

/* Tests, and programs that show bugs: reads of uninitialised memory are seen by clang alone, and with all of the program compiled so. */
typedef enum Folder { FOLDER_TESTS, FOLDER_BUGS, FOLDER_MEMORY, FOLDERS } Folder;
static const struct {
    const char *path, *compiler, *flags;
} FOLDER[FOLDERS] = {
    [FOLDER_TESTS] = {"$(B)", "$(CC)", "$(CFLAGS)"},
    [FOLDER_BUGS] = {"$(B)/bugs", "$(CC)", "$(SANITIZE)"},
    [FOLDER_MEMORY] = {"$(B)/memory", "$(CLANG)", "$(MEMORY)"},
};

static Folder bug_folder(const Suite *suite, const LedgerTest *test)
{
    const char *kind = test->bug ? suite->ledger->bugs.data[test->bug - 1].kind : test->record.bug;
    return kind && strcmp(kind, "uninitialized") == 0 ? FOLDER_MEMORY : FOLDER_BUGS;
}

typedef struct Makefile {
    Suite *suite;
    const Style *style;
    char *directory;           /* absolute */
    bool inputs, fails, clock; /* clew_inputs.c, clew_fail.c, clew_clock.c are part of it */
    uint32_t programs;         /* of tests */
    uint32_t source;           /* the one that all of them include; UINT32_MAX: they differ */
    bool is_there[FOLDERS];    /* some program is built in that folder */
    StrBuf text, tests, bugs;
} Makefile;

static void add_flag_variables(Makefile *m)
{
    const Decls *decls = m->suite->decls;
    for (uint32_t i = 0; i < decls->source_count; i++) {
        if (decls->sources[i].is_bitcode) continue;
        EmitBuild build;
        emit_build_source(m->suite->ledger, decls, m->suite->options, i, &build);
        uint32_t count = build.flags.len - emit__defines_main(decls, i); /* its main is renamed where it is linked */
        strbuf_addf(&m->text, "FLAGS_%u =", i);
        add_words(&m->text, build.flags.data, count, m->directory, emit__make_word);
        strbuf_add(&m->text, "\n");
        emit_build_release(&build);
    }
    EmitLibraries libraries = {0};
    emit__libraries(decls, m->suite->options, &libraries);
    strbuf_add(&m->text, "LIBRARIES =");
    for (uint32_t i = 0; i < libraries.len; i++) {
        char *absolute = NULL, *word = libraries.data[i];
        if (strncmp(word, "-L", 2) == 0 && word[2]) {
            char *path = emit__absolute(NULL, word + 2);
            absolute = mem_format("-L%s", path);
            free(path);
        }
        add_words(&m->text, (char *[]){absolute ? absolute : word}, 1, m->directory, emit__make_word);
        free(absolute);
        free(word);
    }
    vec_release(&libraries);
    strbuf_add(&m->text, m->style->cmocka ? " -lcmocka\n\n" : "\n\n");
}

/* Object files of the program under `folder`, but not those of the source that the test includes. */
static void add_objects(Makefile *m, StrBuf *out, const Batch *batch, const char *folder)
{
    const Decls *decls = m->suite->decls;
    strbuf_addf(out, " %s/clew_test.o", folder);
    if (m->inputs) strbuf_addf(out, " %s/clew_inputs.o", folder);
    if (m->fails) strbuf_addf(out, " %s/clew_fail.o", folder);
    if (m->clock) strbuf_addf(out, " %s/clew_clock.o", folder);
    for (uint32_t i = 0; i < decls->source_count; i++)
        if (i != batch->source && emit__is_linked(decls, i)) strbuf_addf(out, " %s/source_%u.o", folder, i);
}

static void add_program_rule(Makefile *m, const Batch *batch, const char *file, const char *word, Folder where)
{
    char *source = source_from(m->suite, batch->source, m->directory);
    const char *folder = FOLDER[where].path, *flags = FOLDER[where].flags, *compiler = FOLDER[where].compiler;
    bool is_bug = where != FOLDER_TESTS;
    StrBuf objects = {0};
    add_objects(m, &objects, batch, folder);
    strbuf_addf(&m->text, "%s/%s.o: %s clew_test.h ", folder, word, file);
    add_prerequisite(&m->text, source);
    strbuf_addf(&m->text, "\n\t@mkdir -p %s\n\t%s %s $(FLAGS_%u) -c %s -o $@\n", folder, compiler, flags, batch->source, file);
    strbuf_addf(&m->text, "%s/%s: %s/%s.o%s\n\t%s %s $^ $(LDFLAGS) $(LIBRARIES) -o $@\n", folder, word, folder, word, objects.text,
                compiler, flags);
    m->is_there[where] = true;
    strbuf_addf(is_bug ? &m->bugs : &m->tests, " %s/%s", folder, word);
    m->programs += !is_bug;
    strbuf_release(&objects);
    free(source);
}

static void add_own_rule(Makefile *m, const char *name, Folder where)
{
    const char *folder = FOLDER[where].path;
    strbuf_addf(&m->text, "%s/%s.o: %s.c clew_test.h\n\t@mkdir -p %s\n\t%s $(filter-out --coverage,%s) -c %s.c -o $@\n", folder, name, name,
                folder, FOLDER[where].compiler, FOLDER[where].flags, name);
}

static void add_source_rule(Makefile *m, uint32_t i, Folder where)
{
    const char *folder = FOLDER[where].path;
    const CSource *source = &m->suite->decls->sources[i];
    char *path = source_from(m->suite, i, m->directory);
    strbuf_addf(&m->text, "%s/source_%u.o: ", folder, i);
    add_prerequisite(&m->text, path);
    strbuf_addf(&m->text, "\n\t@mkdir -p %s\n\t", folder);
    if (source->is_bitcode) strbuf_add(&m->text, "$(CLANG) -c ");
    else strbuf_addf(&m->text, "%s %s $(FLAGS_%u) ", FOLDER[where].compiler, FOLDER[where].flags, i);
    if (emit__defines_main(m->suite->decls, i)) strbuf_addf(&m->text, "-Dmain=clew_program_main_%u ", i);
    if (!source->is_bitcode) strbuf_add(&m->text, "-c ");
    emit__make_word(&m->text, path);
    strbuf_add(&m->text, " -o $@\n");
    free(path);
}

static void add_shared_rules(Makefile *m, Folder where)
{
    add_own_rule(m, "clew_test", where);
    if (m->inputs) add_own_rule(m, "clew_inputs", where);
    if (m->fails) add_own_rule(m, "clew_fail", where);
    if (m->clock) add_own_rule(m, "clew_clock", where);
    for (uint32_t i = 0; i < m->suite->decls->source_count; i++)
        if (emit__is_linked(m->suite->decls, i) && i != m->source) add_source_rule(m, i, where);
}

/* Where several programs include a source, gcov cannot tell its branches. */
static void add_targets(Makefile *m)
{
    strbuf_addf(&m->text, "TESTS =%s\nBUGS =%s\n\n", m->tests.text ? m->tests.text : "", m->bugs.text ? m->bugs.text : "");
    strbuf_add(&m->text, "all: $(TESTS)\n\n"
                         "# Runs all tests, also after one that fails.\n"
                         "check: all\n"
                         "\t@failed=0; for test in $(TESTS); do echo \"# $$test\"; $$test || failed=1; done; exit $$failed\n\n"
                         "# What gcov sees of the sources.\n"
                         "coverage:\n"
                         "\trm -rf coverage\n"
                         "\t-$(MAKE) B=coverage CFLAGS='-g -O0 --coverage' check\n");
    strbuf_addf(&m->text, "\tgcov %scoverage/*.gcda\n", m->programs == 1 ? "-b -c " : "");
    strbuf_add(&m->text,
               "\tmv *.gcov coverage/\n\n"
               "# Shows every bug that was found: one message of a sanitizer, or one signal, each; 124 after 5 seconds without an end.\n"
               "bugs: $(BUGS)\n"
               "\t@export ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=0; for bug in $(BUGS); do \\\n"
               "\t    echo \"# $$bug\"; timeout -k 1 5 $$bug < /dev/null; echo \"# exit status $$?\"; done\n\n"
               "clean:\n"
               "\trm -rf build coverage\n\n"
               ".PHONY: all check coverage bugs clean\n");
}

static void add_programs(Makefile *m, const Batch *batch)
{
    char *word = mem_format("test_%s", batch->word), *file = mem_format("%s.c", word);
    if (batch->tests.len) add_program_rule(m, batch, file, word, FOLDER_TESTS);
    free(word);
    free(file);
    for (uint32_t b = 0; b < batch->bugs.len; b++) {
        word = emit__bug_word(m->suite, batch, batch->bugs.data[b]);
        file = mem_format("bugs/%s.c", word);
        add_program_rule(m, batch, file, word, bug_folder(m->suite, &m->suite->ledger->tests.data[batch->bugs.data[b]]));
        free(word);
        free(file);
    }
}

/* The source that all programs include. */
static uint32_t common_source(const Batch *batches, uint32_t count)
{
    uint32_t source = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (batches[i].source == UINT32_MAX) continue;
        if (source != UINT32_MAX && source != batches[i].source) return UINT32_MAX;
        source = batches[i].source;
    }
    return source;
}

Status emit__makefile(Suite *suite, const Style *style, const Batch *batches, uint32_t count)
{
    Makefile m = {.suite = suite,
                  .style = style,
                  .inputs = emit__asks_for_inputs(suite->decls, suite->units),
                  .fails = suite->options->fail_count > 0,
                  .clock = emit__looks_at_clock(suite->decls, suite->options)};
    m.directory = mem_format("%s/%s", suite->root, style->directory);
    strbuf_add(&m.text,
               "# Written by Clew: `make` builds and runs the tests; also: make coverage, make bugs, make clean.\n.DEFAULT_GOAL = check\n");
    strbuf_add(&m.text, FIRST_LINES);
    add_flag_variables(&m);
    m.source = common_source(batches, count);
    for (uint32_t i = 0; i < count; i++)
        if (batches[i].source != UINT32_MAX) add_programs(&m, &batches[i]);
    m.is_there[FOLDER_TESTS] = true;
    for (Folder where = FOLDER_TESTS; where < FOLDERS; where++)
        if (m.is_there[where]) add_shared_rules(&m, where);
    strbuf_add(&m.text, "\n");
    add_targets(&m);
    char *path = mem_format("%s/Makefile", style->directory);
    Status status = emit__write(suite, path, &m.text);
    free(path);
    free(m.directory);
    strbuf_release(&m.text);
    strbuf_release(&m.tests);
    strbuf_release(&m.bugs);
    return status;
}
