/* `clew explain`: of the branches at a place in the source, which test covers them, why they are open, or why they cannot be taken. */
#include "cli/cli.h"
#include "cli/common.h"
#include "ledger/ledger.h"
#include "prove/prove.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    SHOWN_CHECKS = 3 /* of the operations that a proof relies on; --json lists all */,
    NEAREST = 4 /* lines that are named where there is no branch */
};

typedef struct ExplainArguments {
    const char *directory, *place;
    bool json;
} ExplainArguments;

typedef struct Explained { /* one branch */
    const LedgerBranch *branch;
    const LedgerTest *test; /* NULL: none */
    ProveWhy why;
} Explained;

typedef struct Explanation {
    const Ledger *ledger;
    const char *directory;
    char *file;
    uint32_t line, column; /* column 0: any */
    Vec(Explained) list;
} Explanation;

/* ---- arguments ---- */

static int parse_one(void *data, int argc, char **argv, int *i)
{
    ExplainArguments *arguments = data;
    const char *word = argv[*i];
    (void)argc;
    if (strcmp(word, "--json") == 0) arguments->json = true;
    else if (word[0] == '-') return cli_complain("unknown option '%s'", word);
    else if (!arguments->directory) arguments->directory = word;
    else if (!arguments->place) arguments->place = word;
    else return cli_complain("one place is explained at a time, not also '%s'", word);
    return 0;
}

/* Takes ":N" off the end. */
static bool take_number(char *text, uint32_t *number)
{
    char *colon = strrchr(text, ':');
    double value;
    if (!colon || colon == text || strspn(colon + 1, "0123456789") != strlen(colon + 1) || !cli_positive_number(colon + 1, &value) ||
        value >= UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    *colon = 0;
    return true;
}

static bool parse_place(Explanation *e, const char *place)
{
    e->file = mem_strdup(place);
    if (!take_number(e->file, &e->line)) return false;
    uint32_t last = e->line;
    if (take_number(e->file, &e->line)) e->column = last;
    return true;
}

/* ---- the branches of a place ---- */

static bool is_file(const char *path, const char *wanted)
{
    size_t n = strlen(path), k = strlen(wanted);
    return n >= k && strcmp(path + n - k, wanted) == 0 && (n == k || path[n - k - 1] == '/');
}

static bool is_in_file(const Explanation *e, const LedgerBranch *b)
{
    return b->counted && b->file && is_file(b->file, e->file);
}

static const LedgerTest *test_of(const Ledger *ledger, const LedgerBranch *b)
{
    return b->test >= 1 && b->test <= ledger->tests.len ? &ledger->tests.data[b->test - 1] : NULL;
}

static int by_column(const void *a, const void *b)
{
    const LedgerBranch *x = ((const Explained *)a)->branch, *y = ((const Explained *)b)->branch;
    int files = strcmp(x->file, y->file);
    if (files) return files;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void find_branches(Explanation *e)
{
    for (uint32_t i = 0; i < e->ledger->branches.len; i++) {
        const LedgerBranch *b = &e->ledger->branches.data[i];
        if (!is_in_file(e, b) || b->line != e->line || (e->column && b->column != e->column)) continue;
        vec_push(&e->list, ((Explained){.branch = b, .test = test_of(e->ledger, b)}));
    }
    if (e->list.len) qsort(e->list.data, e->list.len, sizeof *e->list.data, by_column);
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The lines (or, if the line has branches, its columns) that are nearest to what was asked for, in ascending order. */
static uint32_t nearest(const Explanation *e, bool columns, uint32_t found[NEAREST])
{
    uint32_t wanted = columns ? e->column : e->line, count = 0;
    while (count < NEAREST) {
        uint32_t best = 0;
        for (uint32_t i = 0; i < e->ledger->branches.len; i++) {
            const LedgerBranch *b = &e->ledger->branches.data[i];
            uint32_t number = columns ? b->column : b->line;
            bool known = !is_in_file(e, b) || !number || (columns && b->line != e->line);
            for (uint32_t k = 0; k < count; k++) known |= found[k] == number;
            if (!known && (!best || distance(number, wanted) < distance(best, wanted))) best = number;
        }
        if (!best) break;
        found[count++] = best;
    }
    qsort(found, count, sizeof *found, by_number);
    return count;
}

static void print_numbers(const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) fprintf(stderr, "%s%u", i == 0 ? " " : i + 1 < count ? ", " : " and ", numbers[i]);
}

static void print_files(const Ledger *ledger)
{
    NameMap seen = {0};
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        const LedgerBranch *b = &ledger->branches.data[i];
        if (!b->counted || !b->file || names_find(&seen, b->file)) continue;
        fprintf(stderr, "%s%s", seen.len ? ", " : "", b->file);
        names_put(&seen, b->file, 1);
    }
    if (!seen.len) fprintf(stderr, "none");
    names_release(&seen);
}

static int complain_nothing(const Explanation *e)
{
    uint32_t numbers[NEAREST], count = e->column ? nearest(e, true, numbers) : 0;
    if (count) {
        fprintf(stderr, "clew: no branch starts at %s:%u:%u; on this line branches start at column%s", e->file, e->line, e->column,
                count == 1 ? "" : "s");
        print_numbers(numbers, count);
    } else if ((count = nearest(e, false, numbers)) > 0) {
        fprintf(stderr, "clew: there is no branch at %s:%u; the nearest lines with branches are", e->file, e->line);
        print_numbers(numbers, count);
    } else {
        fprintf(stderr, "clew: the campaign in %s has no branches in a file %s; it has branches in: ", e->directory, e->file);
        print_files(e->ledger);
    }
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

/* ---- what can be done about an open branch ---- */

typedef struct Advice {
    const char *reason; /* part of the ledger's reason */
    const char *whole, *unit;
} Advice;

/* The first that fits is given.  NAME stands for the branch's function, DIR for the directory. */
static const Advice ADVICE[] = {
    {"never called", "No function that was tested calls this one.  `--function NAME` tests it by itself.",
     "No function that was tested calls this one.  `--function NAME` tests it by itself."},
    {"were executed",
     "More inputs may lead there: `--stdin N`, `--argv K,N`, `--file NAME:N` and `--env NAME:N` say what the program can read.  If the "
     "branch cannot be "
     "taken at all, a longer `--time` may find a proof.",
     "Other inputs may lead there: `--array P:N`, `--string P:N`, `--nonnull P` and `--assume 'EXPR'` change what is assumed of the "
     "parameters.  If the branch "
     "cannot be taken at all, a longer `--time` may find a proof."},
    {"did not depend on an input",
     "More inputs may lead there: `--stdin N`, `--argv K,N`, `--file NAME:N` and `--env NAME:N` say what the program can read.",
     "Larger inputs may lead there: `--array P:N` and `--string P:N` say how much a pointer points to; a longer `--time` tries more "
     "paths."},
    {"not replayed natively", "The tests were not run natively: leave out `--no-replay`, or run `clew replay DIR`.",
     "The tests were not run natively: leave out `--no-replay`, or run `clew replay DIR`."},
    {"no native run was made",
     "There was no time to run the test natively: a longer `--time` gives it, and `clew replay DIR` runs the tests again.",
     "There was no time to run the test natively: a longer `--time` gives it, and `clew replay DIR` runs the tests again."},
    {"reached in the machine", "`clew replay DIR` runs the tests again and says what differs.",
     "`clew replay DIR` runs the tests again and says what differs."},
    {"gcov", "`clew replay DIR` runs the tests again and says what differs.",
     "`clew replay DIR` runs the tests again and says what differs."},
    {"solver", "A larger `--solver-effort N` or a longer `--time` lets the solver work longer on such conditions.",
     "A larger `--solver-effort N` or a longer `--time` lets the solver work longer on such conditions."},
    {"", "A longer `--time` (or a larger `--work`) tries more paths; with `--resume` the search goes on where it ended.",
     "A longer `--time` (or a larger `--work`) tries more paths; with `--resume` the search goes on where it ended.  `--array`, `--string` "
     "and `--assume` "
     "change what is assumed of the parameters."},
};

static const char *reason_of(const LedgerBranch *b)
{
    return b->reason && *b->reason ? b->reason : "no run has taken it";
}

static void print_replaced(const char *text, const char *word, const char *by)
{
    for (const char *at; (at = strstr(text, word)) != NULL; text = at + strlen(word)) printf("%.*s%s", (int)(at - text), text, by);
    fputs(text, stdout);
}

static void print_advice(const Explanation *e, const LedgerBranch *b)
{
    bool whole = ledger_unit(e->ledger, "main") != NULL;
    const Advice *advice = ADVICE;
    while (!strstr(reason_of(b), advice->reason)) advice++;
    const char *text = whole ? advice->whole : advice->unit;
    bool names = strstr(text, "--function NAME");
    printf("  ");
    print_replaced(text, names ? "NAME" : "DIR", names ? b->function : e->directory);
    printf("\n");
}

static void print_assumptions(const Explanation *e)
{
    for (uint32_t i = 0; i < e->ledger->units.len; i++) {
        const LedgerUnit *unit = &e->ledger->units.data[i];
        for (uint32_t k = 0; k < unit->assumptions.len; k++) printf("    assumed of %s: %s\n", unit->name, unit->assumptions.data[k]);
    }
}

/* ---- sentences ---- */

static void print_source_line(const LedgerBranch *b)
{
    FILE *in = fopen(b->file, "r");
    char *line = NULL;
    size_t capacity = 0;
    uint32_t number = 0;
    while (in && number < b->line && getline(&line, &capacity, in) > 0) number++;
    if (in && number == b->line && line) {
        line[strcspn(line, "\r\n")] = 0;
        printf("    %s\n", line + strspn(line, " \t"));
    }
    if (in) fclose(in);
    free(line);
}

/* A file of the program, shorter where it is the branch's own. */
static const char *near_file(const LedgerBranch *b, const char *file)
{
    const char *slash = strrchr(b->file, '/');
    if (!is_file(file, b->file)) return file;
    return slash ? slash + 1 : b->file;
}

/* A file of the program as the ledger names it. */
static const char *shown_file(const LedgerBranch *b, const char *file)
{
    char here[4096];
    size_t n = getcwd(here, sizeof here - 1) ? strlen(here) : 0;
    if (is_file(file, b->file)) return b->file;
    return n > 1 && strncmp(file, here, n) == 0 && file[n] == '/' ? file + n + 1 : file;
}

static void print_covered(const Explanation *e, const Explained *x)
{
    if (!x->test || !x->test->path) {
        printf("  A native run of a test has taken this branch, but the test was not written.\n");
        return;
    }
    printf("  The test %s in %s/%s takes this branch.\n", x->test->name ? x->test->name : "there", e->directory, x->test->path);
    if (x->test->record.turns) printf("  Its inputs were solved for: %s.\n", x->test->record.turns);
    const char *below = strncmp(x->test->path, "tests/", 6) == 0 ? x->test->path + 6 : NULL;
    size_t n = below ? strlen(below) : 0;
    if (below && strncmp(below, "bugs/", 5) == 0) {
        printf("  This test shows a bug; `make -C %s/tests bugs` builds and runs such tests.\n", e->directory);
        return;
    }
    printf("  `make -C %s/tests` builds and runs all tests", e->directory);
    if (x->test->name && n > 2 && strcmp(below + n - 2, ".c") == 0)
        printf("; then `%s/tests/build/%.*s %s` runs this one", e->directory, (int)(n - 2), below, x->test->name);
    printf(".\n");
}

static void print_open(const Explanation *e, const Explained *x)
{
    printf("  No test takes this branch, and nothing proves that it cannot be taken: %s.\n", reason_of(x->branch));
    print_advice(e, x->branch);
    if (strstr(reason_of(x->branch), "assumed")) print_assumptions(e);
}

static void print_relies(const Explained *x)
{
    uint32_t count = x->why.relies.len;
    if (!count) return;
    printf("  The proof relies on %u operation%s without undefined behaviour:\n", count, count == 1 ? "" : "s");
    for (uint32_t i = 0; i < count && i < SHOWN_CHECKS; i++) {
        const ProveFact *fact = &x->why.relies.data[i];
        printf("    %s:%u: %s\n", near_file(x->branch, shown_file(x->branch, fact->file)), fact->line, fact->text);
    }
    if (count > SHOWN_CHECKS) printf("    and %u more (--json lists all)\n", count - SHOWN_CHECKS);
}

static void print_infeasible(const Explanation *e, const Explained *x)
{
    printf("  No execution without undefined behaviour takes this branch%s\n", x->why.because.len ? ", because:" : ".");
    for (uint32_t i = 0; i < x->why.because.len; i++) {
        const ProveFact *fact = &x->why.because.data[i];
        printf("    %s:%u: %s\n", near_file(x->branch, shown_file(x->branch, fact->file)), fact->line, fact->text);
    }
    printf("  The proof is %s/%s; `clew check %s` checks it again.\n", e->directory, x->branch->proof, e->directory);
    print_relies(x);
}

static const char *status_name(const LedgerBranch *b)
{
    return b->status == LEDGER_COVERED ? "covered" : b->status == LEDGER_INFEASIBLE ? "infeasible" : "open";
}

static void print_text(const Explanation *e)
{
    for (uint32_t i = 0; i < e->list.len; i++) {
        const Explained *x = &e->list.data[i];
        const LedgerBranch *b = x->branch;
        printf("%s%s:%u:%u %s, in %s: %s\n", i ? "\n" : "", b->file, b->line, b->column, b->outcome, b->function, status_name(b));
        if (!i || strcmp(b->file, e->list.data[i - 1].branch->file) != 0) print_source_line(b);
        if (b->status == LEDGER_COVERED) print_covered(e, x);
        else if (b->status == LEDGER_INFEASIBLE) print_infeasible(e, x);
        else print_open(e, x);
    }
}

/* ---- JSON ---- */

/* Names and messages may be any bytes; what is no UTF-8 is left out. */
static json_t *text_value(const char *text)
{
    json_t *value = text ? json_string(text) : json_null();
    return value ? value : json_string("");
}

static json_t *fact_list(const LedgerBranch *b, const ProveFact *facts, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *fact = json_object();
        json_object_set_new(fact, "file", text_value(shown_file(b, facts[i].file)));
        json_object_set_new(fact, "line", json_integer(facts[i].line));
        json_object_set_new(fact, "text", text_value(facts[i].text));
        json_array_append_new(list, fact);
    }
    return list;
}

static json_t *entry_of(const Explained *x)
{
    const LedgerBranch *b = x->branch;
    json_t *entry = json_object();
    json_object_set_new(entry, "id", json_integer(b->id));
    json_object_set_new(entry, "function", text_value(b->function));
    json_object_set_new(entry, "file", text_value(b->file));
    json_object_set_new(entry, "line", json_integer(b->line));
    json_object_set_new(entry, "column", json_integer(b->column));
    json_object_set_new(entry, "outcome", text_value(b->outcome));
    json_object_set_new(entry, "status", text_value(status_name(b)));
    json_object_set_new(entry, "test", b->status == LEDGER_COVERED && x->test ? text_value(x->test->path) : json_null());
    json_object_set_new(entry, "turns", b->status == LEDGER_COVERED && x->test ? text_value(x->test->record.turns) : json_null());
    json_object_set_new(entry, "reason", text_value(b->status == LEDGER_COVERED ? NULL : reason_of(b)));
    json_object_set_new(entry, "proof", text_value(b->proof));
    json_object_set_new(entry, "because", fact_list(b, x->why.because.data, x->why.because.len));
    json_object_set_new(entry, "relies", fact_list(b, x->why.relies.data, x->why.relies.len));
    return entry;
}

static void print_json(const Explanation *e)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < e->list.len; i++) json_array_append_new(list, entry_of(&e->list.data[i]));
    json_t *all = json_pack("{s:o}", "branches", list);
    char *text = json_dumps(all, JSON_INDENT(1));
    puts(text);
    free(text);
    json_decref(all);
}

/* ---- the command ---- */

static Status find_reasons(Explanation *e, Error *error)
{
    Explainer *explainer = NULL;
    Status status = OK;
    for (uint32_t i = 0; i < e->list.len && status == OK; i++) {
        Explained *x = &e->list.data[i];
        if (x->branch->status != LEDGER_INFEASIBLE || !x->branch->proof) continue;
        if (!explainer) status = explainer_new(&explainer, e->directory, error);
        if (status == OK) status = explainer_why(explainer, x->branch->proof, x->branch->id, &x->why, error);
    }
    explainer_free(explainer);
    return status;
}

static int explain(Explanation *e, bool json)
{
    Error error;
    find_branches(e);
    if (!e->list.len) return complain_nothing(e);
    if (find_reasons(e, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    if (json) print_json(e);
    else print_text(e);
    return EXIT_DONE;
}

int cli_explain(int argc, char **argv)
{
    ExplainArguments arguments = {0};
    Explanation e = {0};
    Words none = {0};
    Ledger *ledger;
    Error error;
    int status = cli_parse(argc, argv, parse_one, &arguments, &none);
    vec_release(&none);
    if (status) return status;
    if (!arguments.directory) return cli_complain("%s", "no directory (the one that `clew test` wrote) and no place to explain");
    if (!arguments.place) return cli_complain("no place to explain of '%s': FILE:LINE or FILE:LINE:COLUMN", arguments.directory);
    if (!parse_place(&e, arguments.place)) {
        free(e.file);
        return cli_complain("a place is FILE:LINE or FILE:LINE:COLUMN, not '%s'", arguments.place);
    }
    if (ledger_read(&ledger, arguments.directory, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        free(e.file);
        return EXIT_USAGE;
    }
    e.ledger = ledger;
    e.directory = arguments.directory;
    status = explain(&e, arguments.json);
    for (uint32_t i = 0; i < e.list.len; i++) prove_why_release(&e.list.data[i].why);
    vec_release(&e.list);
    free(e.file);
    ledger_free(ledger);
    return status;
}
