/* The counters' account compared with gcov's.
 *
 * gcov lists, for a line, how often each outcome of each of its conditions was taken, but neither columns nor which is true and which false; gcc
 * folds some conditions (`c == 1 || c == 2`, the smaller of two), keeps others that clang folds, makes one outcome of all the case labels before a
 * statement, and puts the parts of a condition over several lines on other lines than clang does: of
 *     if (a &&
 *         b &&
 *         c)
 * gcc has a and b on the first line and c on the second, clang a and c on the first and b on the second.  So:
 *
 *   - A line agrees if both have the same number of outcomes there and saw the same number of them, over the same tests.
 *   - Else its neighbourhood decides: the lines with branches, each at most four below the one before.  If both have the same number of
 *     outcomes in all of it, they must have seen the same number.  (Not if some condition there is computed from another choice: of
 *     `(p ? p->n : 0) > 0` gcc makes `p && p->n > 0`, as many conditions but not the same.)
 *   - Else the line cannot be compared, unless one saw outcomes on a line where both have some and the other saw nothing at all in the
 *     neighbourhood.
 *
 * Code that is compiled into several programs (each test file includes its source; static functions of headers) is summed for each function.
 * Only tests that pass in both builds and end by returning or exiting are used: gcov derives some counts from the flow through the
 * function, which a run that is cut off in the middle of a block contradicts. */
#include "replay/replay_int.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEIGHBOUR_LINES = 4 };

typedef struct Part { /* what gcov says of one function's code on a line */
    char *function;
    Vec(json_int_t) taken; /* by outcome */
} Part;

typedef struct Line {
    uint32_t file, line;
    bool known, executed; /* to gcov */
    bool muddled;         /* two programs have different code for it */
    bool nested;          /* a condition there is computed from another choice */
    Vec(Part) parts;
    uint32_t outcomes, seen;         /* of gcov */
    uint32_t own_outcomes, own_seen; /* of the counters */
} Line;

typedef struct Comparison {
    Session *session;
    Vec(Line) lines;
    Map index; /* file << 32 | line, to lines */
} Comparison;

static Line *line_at(Comparison *c, uint32_t file, uint32_t line)
{
    uint64_t key = (uint64_t)file << 32 | line;
    const uint64_t *known = map_find(&c->index, key);
    if (known) return &vec_at(&c->lines, *known);
    map_put(&c->index, key, c->lines.len);
    vec_push(&c->lines, ((Line){.file = file, .line = line}));
    return &vec_top(&c->lines);
}

/* ---- reading gcov's JSON ---- */

static Part *part_of(Line *line, const char *function, bool *is_new)
{
    for (uint32_t i = 0; i < line->parts.len; i++)
        if (strcmp(line->parts.data[i].function, function) == 0) return &line->parts.data[i];
    *is_new = true;
    vec_push(&line->parts, ((Part){.function = mem_strdup(function)}));
    return &vec_top(&line->parts);
}

static void add_line(Comparison *c, uint32_t file, const json_t *from)
{
    json_int_t number = json_integer_value(json_object_get(from, "line_number"));
    const char *function = json_string_value(json_object_get(from, "function_name"));
    const json_t *branches = json_object_get(from, "branches");
    if (number <= 0 || number > UINT32_MAX) return;
    Line *line = line_at(c, file, (uint32_t)number);
    bool is_new = false;
    line->known = true;
    line->executed |= json_integer_value(json_object_get(from, "count")) > 0;
    Part *part = part_of(line, function ? function : "", &is_new);
    size_t n = json_array_size(branches);
    if (!is_new && n != part->taken.len) {
        line->muddled = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        json_int_t count = json_integer_value(json_object_get(json_array_get(branches, i), "count"));
        if (is_new) vec_push(&part->taken, count);
        else part->taken.data[i] += count;
    }
}

/* gcov tidies paths, and makes of one that climbs to the root (/a/../b/f.c) one without a slash before it (b/f.c). */
static uint32_t find_file(Comparison *c, const char *directory, const char *name)
{
    const char *before[] = {directory ? directory : "", ""};
    uint32_t number = UINT32_MAX;
    for (size_t i = 0; i < COUNT_OF(before) && number == UINT32_MAX; i++) {
        char *path = name[0] == '/' ? mem_strdup(name) : mem_format("%s/%s", before[i], name);
        number = replay__file(&c->session->numbers, path);
        free(path);
    }
    return number;
}

static void add_document(Comparison *c, const json_t *document)
{
    const char *directory = json_string_value(json_object_get(document, "current_working_directory"));
    size_t i, k;
    json_t *file, *line;
    json_array_foreach(json_object_get(document, "files"), i, file)
    {
        const char *name = json_string_value(json_object_get(file, "file"));
        if (!name) continue;
        uint32_t number = find_file(c, directory, name);
        if (number == UINT32_MAX) continue;
        json_array_foreach(json_object_get(file, "lines"), k, line) add_line(c, number, line);
    }
}

/* One document for each data file, one after the other.  False if something else stands there. */
static bool read_documents(Comparison *c, const char *path)
{
    FILE *file = fopen(path, "r");
    bool good = file;
    for (int byte; good && (byte = fgetc(file)) != EOF;) {
        if (byte == '\n' || byte == ' ') continue;
        ungetc(byte, file);
        json_t *document = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
        good = document;
        if (document) add_document(c, document);
        json_decref(document);
    }
    if (file) fclose(file);
    return good;
}

/* ---- data files ----
 * Each process that runs tests has a directory for its data files, which no other writes; beside them gcov expects the notes that gcc made of the
 * program.  A program that empties its environment writes beside its objects. */

/* The file of an object in a directory; the caller's to free. */
static char *beside(const char *directory, const Object *object, const char *ending)
{
    const char *last = strrchr(object->path, '/'), *name = last ? last + 1 : object->path;
    return mem_format("%s/%.*s.%s", directory, (int)(strlen(name) - strlen(".o")), name, ending);
}

char *replay__new_data_directory(const Session *s, uint32_t chunk)
{
    char *directory = replay__chunk_path(s, chunk, "gcov");
    mkdir(directory, 0700);
    const TestFile *file = &vec_at(&s->files, vec_at(&s->chunks, chunk).file);
    const Binary *binary = &vec_at(&s->binaries, file->binaries[BUILD_COVERAGE]);
    for (uint32_t i = 0; i < binary->objects.len; i++) {
        const Object *object = &vec_at(&s->objects, binary->objects.data[i]);
        char *notes = beside(s->scratch, object, "gcno"), *here = beside(directory, object, "gcno");
        if (access(notes, R_OK) == 0 && symlink(notes, here) != 0) unlink(notes); /* gcov fails rather than leave something out */
        free(notes);
        free(here);
    }
    return directory;
}

static void each_data_file_in(const Session *s, const char *directory, void (*use)(const char *path, Run *run), Run *run)
{
    for (uint32_t i = 0; i < s->objects.len; i++) {
        if (s->objects.data[i].kind != BUILD_COVERAGE) continue;
        char *path = beside(directory, &s->objects.data[i], "gcda");
        if (access(path, R_OK) == 0) use(path, run);
        free(path);
    }
}

static void each_data_file(const Session *s, void (*use)(const char *path, Run *run), Run *run)
{
    each_data_file_in(s, s->scratch, use, run);
    for (uint32_t i = 0; i < s->chunks.len; i++) {
        if (s->chunks.data[i].kind != BUILD_COVERAGE) continue;
        char *directory = replay__chunk_path(s, i, "gcov");
        each_data_file_in(s, directory, use, run);
        free(directory);
    }
}

static void forget(const char *path, Run *run)
{
    (void)run;
    unlink(path);
}

void replay__forget_coverage(const Session *s)
{
    each_data_file(s, forget, NULL);
}

/* ---- running gcov ---- */

static void note_end(void *data, uint32_t index, const Run *run)
{
    (void)index;
    *(bool *)data = run->result.end == RUN_EXITED && run->result.status == 0;
}

static void add_path(const char *path, Run *run)
{
    replay__add_word(run, "%s", path);
}

/* gcov is as particular as gcc about the version of its files: gcc-13 needs gcov-13. */
static void add_gcov(const Session *s, Run *run)
{
    const char *cc = s->options->cc ? s->options->cc : "gcc", *last = strrchr(cc, '/'), *gcc = strstr(last ? last : cc, "gcc");
    if (gcc) replay__add_word(run, "%.*sgcov%s", (int)(gcc - cc), cc, gcc + strlen("gcc"));
    else replay__add_word(run, "gcov");
}

static bool run_gcov(Session *s, const char *output)
{
    Run *run = replay__new_run();
    bool good = false;
    static const char *const words[] = {"--branch-probabilities", "--json-format", "--stdout"};
    add_gcov(s, run);
    for (size_t i = 0; i < COUNT_OF(words); i++) replay__add_word(run, "%s", words[i]);
    size_t options = run->words.len;
    each_data_file(s, add_path, run);
    run->output = mem_strdup(output);
    run->directory = mem_strdup(s->scratch);
    run->data = &good;
    run->done = note_end;
    if (run->words.len == options) replay__add_word(run, "--version"); /* nothing was executed at all */
    replay__start(&s->pool, run);
    replay__finish(&s->pool);
    return good;
}

/* ---- the counters' side ---- */

static void add_own(Comparison *c)
{
    Session *s = c->session;
    OutcomeSet seen = {0};
    for (uint32_t i = 0; i < s->tests.len; i++)
        if (s->tests.data[i].covering) replay__see_all(&s->numbers, &seen, &s->tests.data[i].seen);
    OutcomeSet listed = {0};
    for (uint32_t i = 0; i < s->ledger->branches.len; i++) {
        const LedgerBranch *branch = &s->ledger->branches.data[i];
        uint32_t number = s->numbers.of_branch.data[i];
        if (!branch->counted || !branch->line || outcome_seen(&listed, number)) continue;
        replay__see(&s->numbers, &listed, number);
        Line *line = line_at(c, s->numbers.file_of.data[number], branch->line);
        line->own_outcomes++;
        line->nested |= s->numbers.nested.data[number];
        line->own_seen += outcome_seen(&seen, number);
    }
    free(listed.bits);
    free(seen.bits);
}

static void sum_parts(Comparison *c)
{
    for (uint32_t i = 0; i < c->lines.len; i++) {
        Line *line = &c->lines.data[i];
        for (uint32_t k = 0; k < line->parts.len; k++) {
            const Part *part = &line->parts.data[k];
            line->outcomes += part->taken.len;
            for (uint32_t j = 0; j < part->taken.len; j++) line->seen += part->taken.data[j] > 0;
        }
    }
}

/* ---- the comparison ---- */

static int by_place(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void sort_lines(Comparison *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->lines.len; i++) {
        Line *line = &c->lines.data[i];
        if (line->outcomes || line->own_outcomes) {
            Line other = c->lines.data[n];
            c->lines.data[n++] = *line;
            *line = other;
        }
    }
    if (n) qsort(c->lines.data, n, sizeof *c->lines.data, by_place);
    map_release(&c->index);
    /* what is behind has no branches and is kept only to be released */
    for (uint32_t i = n; i < c->lines.len; i++) c->lines.data[i].file = UINT32_MAX;
}

static bool agrees(const Line *line)
{
    return line->known && !line->muddled && line->outcomes == line->own_outcomes && line->seen == line->own_seen;
}

typedef enum Verdict { AGREES, DIFFERS, INCOMPARABLE } Verdict;

static Verdict judge_neighbourhood(const Line *lines, uint32_t n, StrBuf *why)
{
    Line all = {0};
    bool seen_by_one = false, seen_by_other = false; /* on a line where both have outcomes */
    for (uint32_t i = 0; i < n; i++) {
        all.known |= lines[i].known;
        all.executed |= lines[i].executed;
        all.muddled |= lines[i].muddled;
        all.nested |= lines[i].nested;
        all.outcomes += lines[i].outcomes;
        all.seen += lines[i].seen;
        all.own_outcomes += lines[i].own_outcomes;
        all.own_seen += lines[i].own_seen;
        seen_by_one |= lines[i].own_seen && lines[i].outcomes;
        seen_by_other |= lines[i].seen && lines[i].own_outcomes;
    }
    if (!all.known || all.muddled) return INCOMPARABLE;
    bool same = all.outcomes == all.own_outcomes && !all.nested;
    if (same && all.seen == all.own_seen) return AGREES;
    bool contradiction = (seen_by_one && !all.executed) || (seen_by_other && !all.own_seen);
    if (!same && !contradiction) return INCOMPARABLE;
    strbuf_addf(why, "the tests took %u of %u outcomes by exact counters, %u of %u by gcov", all.own_seen, all.own_outcomes, all.seen,
                all.outcomes);
    if (n > 1) strbuf_addf(why, " (lines %u to %u)", lines[0].line, lines[n - 1].line);
    return DIFFERS;
}

static void report_difference(const Comparison *c, const Line *line, const char *text, OutcomeSet *doubted)
{
    Session *s = c->session;
    const char *file = NULL;
    for (uint32_t i = 0; i < s->numbers.count; i++) {
        const LedgerBranch *branch = &s->ledger->branches.data[s->numbers.branch_of.data[i]];
        if (s->numbers.file_of.data[i] != line->file || branch->line != line->line) continue;
        file = branch->file;
        replay__see(&s->numbers, doubted, i);
    }
    if (!file) return;
    vec_push(&s->replay->differences, ((ReplayDifference){mem_strdup(file), line->line, mem_strdup(text)}));
}

static void compare_neighbourhood(Comparison *c, const Line *lines, uint32_t n, OutcomeSet *doubted)
{
    Replay *r = c->session->replay;
    StrBuf why = {0};
    Verdict verdict = judge_neighbourhood(lines, n, &why);
    for (uint32_t i = 0; i < n; i++) {
        const Line *line = &lines[i];
        if (!line->own_outcomes) continue;
        bool fine = agrees(line) || verdict == AGREES;
        r->lines_compared += fine || verdict == DIFFERS;
        r->lines_agreeing += fine;
        r->lines_incomparable += !fine && verdict == INCOMPARABLE;
        if (!fine && verdict == DIFFERS) report_difference(c, line, why.text, doubted);
    }
    strbuf_release(&why);
}

static void compare_lines(Comparison *c, OutcomeSet *doubted)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < c->lines.len && c->lines.data[i].file != UINT32_MAX; i++) {
        const Line *line = &c->lines.data[i], *next = i + 1 < c->lines.len ? line + 1 : NULL;
        if (next && next->file == line->file && next->line - line->line <= NEIGHBOUR_LINES) continue;
        compare_neighbourhood(c, &c->lines.data[start], i + 1 - start, doubted);
        start = i + 1;
    }
}

static void release(Comparison *c)
{
    for (uint32_t i = 0; i < c->lines.len; i++) {
        Line *line = &c->lines.data[i];
        for (uint32_t k = 0; k < line->parts.len; k++) {
            free(line->parts.data[k].function);
            vec_release(&line->parts.data[k].taken);
        }
        vec_release(&line->parts);
    }
    vec_release(&c->lines);
    map_release(&c->index);
}

void replay__compare(Session *s, OutcomeSet *doubted)
{
    Comparison comparison = {.session = s};
    char *output = mem_format("%s/gcov.json", s->scratch);
    if (run_gcov(s, output) && read_documents(&comparison, output)) {
        add_own(&comparison);
        sum_parts(&comparison);
        sort_lines(&comparison);
        compare_lines(&comparison, doubted);
    }
    release(&comparison);
    free(output);
}
