/* search: on random programs every strategy finds exactly the paths and branches that enumeration of all inputs finds.
 *
 * A program is a function of two inputs of four bits.  It writes down its own decisions in what it returns, so paths are told apart by their
 * result.  What it returns is computed here as well, from the structure it was written from, for each of the 256 inputs. */
#include "../front/load.h"
#include "search/search.h"

#include <unistd.h>

enum { PROGRAMS = 14, STATEMENTS = 40, SIDE = 16, INPUTS = SIDE * SIDE, MOST_DECISIONS = 40 };

typedef enum Kind { IF, IF_ELSE, LOOP, SWITCH, KINDS } Kind;

typedef struct Statement {
    Kind kind;
    unsigned test, a, b;       /* which condition, and its constants */
    unsigned first[4], end[4]; /* what it contains, in up to four parts */
} Statement;

typedef struct Sample {
    Random random;
    Statement statements[STATEMENTS];
    unsigned count, top;
    StrBuf text;
} Sample;

typedef struct State {
    unsigned x, y;
    uint64_t trace;
    unsigned decisions;
} State;

/* ---- conditions: as text, and as they are ---- */

static const char *const tests[] = {"x > %uu + 0 * %uu", "(x ^ y) %% %uu == %uu", "x * y > %uu * %uu", "(x & %uu) == (y & %uu)",
                                    "x + %uu < y + %uu"};

static bool holds(const Statement *s, const State *state)
{
    unsigned x = state->x, y = state->y;
    switch (s->test) {
    case 0: return x > s->a;
    case 1: return (x ^ y) % s->a == s->b;
    case 2: return x * y > s->a * s->b;
    case 3: return (x & s->a) == (y & s->b);
    default: return x + s->a < y + s->b;
    }
}

/* ---- making ---- */

static unsigned below(Sample *sample, unsigned n)
{
    return (unsigned)random_below(&sample->random, n);
}

static void make(Sample *sample, unsigned depth, unsigned *first, unsigned *end);

/* The parts of a statement lie behind all statements of its own list, so lists are contiguous. */
static void make_parts(Sample *sample, unsigned at, unsigned depth)
{
    static const unsigned parts[KINDS] = {1, 2, 1, 4};
    for (unsigned i = 0; i < parts[sample->statements[at].kind]; i++)
        make(sample, depth + 1, &sample->statements[at].first[i], &sample->statements[at].end[i]);
}

static void make(Sample *sample, unsigned depth, unsigned *first, unsigned *end)
{
    unsigned wanted = depth == 0 ? 3 : depth < 3 ? below(sample, 3) : 0;
    *first = sample->count;
    for (unsigned i = 0; i < wanted && sample->count < STATEMENTS; i++)
        sample->statements[sample->count++] =
            (Statement){(Kind)below(sample, KINDS), below(sample, COUNT_OF(tests)), 1 + below(sample, 9), below(sample, 9), {0}, {0}};
    *end = sample->count;
    for (unsigned i = *first; i < *end; i++) make_parts(sample, i, depth);
}

/* ---- writing ---- */

static void write_list(Sample *sample, unsigned first, unsigned end);

static void write_part(Sample *sample, const Statement *s, unsigned part, const char *before)
{
    strbuf_addf(&sample->text, "%s\n", before);
    write_list(sample, s->first[part], s->end[part]);
}

static void write_switch(Sample *sample, const Statement *s)
{
    strbuf_addf(&sample->text, "switch ((x + %uu) & 7) {\n", s->a);
    write_part(sample, s, 0, "case 0: NOTE(4, 0)");
    write_part(sample, s, 1, "break; case 1: NOTE(4, 1)");
    write_part(sample, s, 2, "break; case 5: NOTE(4, 2)");
    write_part(sample, s, 3, "break; default: NOTE(4, 3)");
    strbuf_add(&sample->text, "}\n");
}

static void write_condition(Sample *sample, const Statement *s)
{
    char condition[128];
    snprintf(condition, sizeof condition, tests[s->test], s->a, s->b);
    strbuf_addf(&sample->text, "if (%s) {\n", condition);
    write_part(sample, s, 0, "NOTE(2, 1)");
    strbuf_add(&sample->text, "} else { NOTE(2, 0)\n");
    if (s->kind == IF_ELSE) write_list(sample, s->first[1], s->end[1]);
    strbuf_add(&sample->text, "}\n");
}

static void write_list(Sample *sample, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        const Statement *s = &sample->statements[i];
        if (s->kind == SWITCH) {
            write_switch(sample, s);
        } else if (s->kind == LOOP) {
            strbuf_addf(&sample->text, "for (unsigned i%u = 0; i%u < (y & 3); i%u++) {\n", i, i, i);
            write_part(sample, s, 0, "NOTE(2, 1)");
            strbuf_add(&sample->text, "} NOTE(2, 0)\n");
        } else {
            write_condition(sample, s);
        }
    }
}

static void write_sample(Sample *sample, unsigned end)
{
    strbuf_addf(&sample->text,
                "#define NOTE(n, k) if (decisions++ < %d) trace = trace * 1000003 + n * 4 + k;\n"
                "unsigned long test(unsigned x, unsigned y)\n{\nunsigned long trace = 1; unsigned decisions = 0;\nx &= %d; y &= %d;\n",
                MOST_DECISIONS, SIDE - 1, SIDE - 1);
    write_list(sample, 0, end);
    strbuf_add(&sample->text, "return trace;\n}\n");
}

/* ---- executing ---- */

static void note(State *state, unsigned n, unsigned k)
{
    if (state->decisions++ < MOST_DECISIONS) state->trace = state->trace * 1000003 + n * 4 + k;
}

static void execute(const Sample *sample, unsigned first, unsigned end, State *state);

static void execute_part(const Sample *sample, const Statement *s, unsigned part, State *state)
{
    execute(sample, s->first[part], s->end[part], state);
}

static void execute_one(const Sample *sample, const Statement *s, State *state)
{
    if (s->kind == LOOP) {
        for (unsigned i = 0; i < (state->y & 3); i++) {
            note(state, 2, 1);
            execute_part(sample, s, 0, state);
        }
        note(state, 2, 0);
    } else if (s->kind == SWITCH) {
        unsigned value = (state->x + s->a) & 7, part = value == 0 ? 0 : value == 1 ? 1 : value == 5 ? 2 : 3;
        note(state, 4, part);
        execute_part(sample, s, part, state);
    } else {
        bool yes = holds(s, state);
        note(state, 2, yes);
        if (yes) execute_part(sample, s, 0, state);
        else if (s->kind == IF_ELSE) execute_part(sample, s, 1, state);
    }
}

static void execute(const Sample *sample, unsigned first, unsigned end, State *state)
{
    for (unsigned i = first; i < end; i++) execute_one(sample, &sample->statements[i], state);
}

/* ---- both ---- */

typedef struct Truth {
    Map results;      /* result -> 1 */
    uint8_t *reached; /* branches */
} Truth;

/* Does no input make it take too many decisions, as nested loops may? */
static bool is_short(const Sample *sample)
{
    for (unsigned i = 0; i < INPUTS; i++) {
        State state = {i % SIDE, i / SIDE, 1, 0};
        execute(sample, 0, sample->top, &state);
        if (state.decisions > MOST_DECISIONS) return false;
    }
    return true;
}

/* The results from the structure, the branches from the machine on constants. */
static Truth enumerate(const Sample *sample, const Program *program)
{
    Truth truth = {.reached = mem_alloc(program->branch_count + 1)};
    ExprPool *pool = expr_pool_new();
    Vm *vm;
    Error error;
    assert_int_equal(vm_new(&vm, program, pool, &(VmOptions){.exploring = true}, &error), OK);
    for (unsigned i = 0; i < INPUTS; i++) {
        State state = {i % SIDE, i / SIDE, 1, 0};
        execute(sample, 0, sample->top, &state);
        map_put(&truth.results, state.trace, 1);
        assert_int_equal(vm_start_function(vm, function_of(program, "test"), (uint64_t[]){i % SIDE, i / SIDE}, 2, &error), OK);
        assert_int_equal(vm_run(vm).kind, VM_EXIT);
        assert_true(vm_result(vm, NULL) == state.trace);
    }
    memcpy(truth.reached, vm_branches_seen(vm), program->branch_count);
    vm_free(vm);
    expr_pool_free(pool);
    return truth;
}

static void note_result(void *data, Search *search, Vm *vm, const VmStop *stop)
{
    Expr expression;
    (void)search;
    assert_int_equal(stop->kind, VM_EXIT);
    map_put(data, vm_result(vm, &expression), 1);
    assert_int_equal(expression, 0);
}

static void check_strategy(const Program *program, SearchStrategy strategy, const Truth *truth, const char *text)
{
    Map found = {0};
    SearchOptions options = {.strategy = strategy, .seed = 7, .on_run = note_result, .on_run_data = &found};
    Search *search;
    Error error;
    assert_int_equal(search_new(&search, program, function_of(program, "test"), &options, &error), OK);
    search_run(search);
    const SearchStats *stats = search_stats(search);
    bool same = search_complete(search) && found.len == truth->results.len && stats->paths == found.len && stats->divergences == 0;
    same = same && memcmp(search_reached(search), truth->reached, program->branch_count) == 0;
    if (!same)
        fail_msg("%s: %llu paths, %u results, %u by enumeration, %s:\n%s", search_strategy_name(strategy), (unsigned long long)stats->paths,
                 found.len, truth->results.len, search_end_text(stats->end), text);
    search_free(search);
    map_release(&found);
}

/* How many paths it has; 0: it was not fit. */
static uint32_t check_sample(uint64_t seed)
{
    Sample sample = {0};
    unsigned first;
    random_seed(&sample.random, seed);
    make(&sample, 0, &first, &sample.top);
    if (!is_short(&sample)) return 0;
    write_sample(&sample, sample.top);
    Program *program = load(sample.text.text);
    Truth truth = enumerate(&sample, program);
    uint32_t paths = truth.results.len;
    for (unsigned i = 0; i < SEARCH_STRATEGIES; i++) check_strategy(program, (SearchStrategy)i, &truth, sample.text.text);
    map_release(&truth.results);
    free(truth.reached);
    program_free(program);
    strbuf_release(&sample.text);
    return paths;
}

static void strategies_agree_with_enumeration(void **unused)
{
    (void)unused;
    uint32_t most = 0, programs = 0;
    for (uint64_t seed = 1; programs < PROGRAMS; seed++) {
        uint32_t paths = check_sample(seed);
        programs += paths > 0;
        if (paths > most) most = paths;
    }
    assert_true(most > 20); /* else the samples would be too simple to tell anything */
}

/* ---- path by path in a race ---- */

typedef struct Results {
    const Program *program;
    FILE *out; /* what each run returns */
} Results;

static void write_result(void *data, Search *search, Vm *vm, const VmStop *stop)
{
    const Results *results = data;
    Expr expression;
    (void)search;
    (void)stop;
    fprintf(results->out, "%llu ", (unsigned long long)vm_result(vm, &expression));
}

static void search_all(Results *results, SearchStrategy strategy, Race *race)
{
    SearchOptions options = {
        .strategy = strategy, .seed = 7, .race = race, .summaries = race, .in_place = race, .on_run = write_result, .on_run_data = results};
    Search *search;
    Error error;
    assert_int_equal(search_new(&search, results->program, function_of(results->program, "test"), &options, &error), OK);
    search_run(search);
    fprintf(results->out, "%s\n", search_complete(search) ? "complete" : "incomplete");
    fflush(results->out);
    search_free(search);
}

static void search_by_paths(void *results, Race *race)
{
    if (race_by_summaries(race)) _exit(1);
    search_all(results, SEARCH_AUTO, race);
    _exit(0);
}

/* What the runs returned, in their order. */
static char *results_of(const Program *program, SearchStrategy strategy, bool in_race)
{
    Results results = {program, tmpfile()};
    long length;
    assert_non_null(results.out);
    if (in_race) assert_int_equal(race_run(&(RaceOptions){.held = fileno(results.out)}, search_by_paths, &results), 0);
    else search_all(&results, strategy, NULL);
    fseek(results.out, 0, SEEK_END);
    length = ftell(results.out);
    char *text = mem_alloc((size_t)length + 1);
    rewind(results.out);
    assert_int_equal(fread(text, 1, (size_t)length, results.out), length);
    text[length] = 0;
    fclose(results.out);
    return text;
}

/* How many of the numbers from the given one on differ from the one before in the lowest bit alone. */
static unsigned neighbours(const char *text, unsigned from, unsigned *count)
{
    unsigned near = 0;
    unsigned long before = 0, number;
    *count = 0;
    for (char *end; number = strtoul(text, &end, 10), end != text; text = end, before = number)
        if ((*count)++ >= from) near += (before ^ number) == 1;
    return near;
}

/* After the first runs, which are as ever, each path is next to the one before. */
static void it_goes_depth_first(void **unused)
{
    enum { FIRST = 16, ALL = 512, MANY = (ALL - FIRST) * 7 / 16 };
    unsigned count;
    (void)unused;
    Program *program = load("unsigned test(unsigned x)\n{\n"
                            "    unsigned n = 0;\n"
                            "    for (int i = 0; i < 9; i++)\n"
                            "        if (x >> i & 1) n = n * 2 + 1; else n = n * 2;\n"
                            "    return n;\n}\n");
    char *ever = results_of(program, SEARCH_AUTO, false), *raced = results_of(program, SEARCH_AUTO, true);
    assert_non_null(strstr(raced, "complete"));
    assert_memory_equal(raced, ever, 2 * FIRST);
    assert_true(neighbours(ever, FIRST, &count) < MANY);
    assert_true(neighbours(raced, FIRST, &count) >= MANY);
    assert_int_equal(count, ALL);
    free(ever);
    free(raced);
    program_free(program);
}

static int compare_numbers(const void *a, const void *b)
{
    unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
    return (x > y) - (x < y);
}

/* Loops are not followed before the rest is done, but they are. */
static void long_paths_come_later(void **unused)
{
    enum { LONGEST = 400 };
    unsigned long found[LONGEST + 2] = {0};
    uint32_t count = 0;
    (void)unused;
    Program *program = load("unsigned test(unsigned x)\n{\n"
                            "    unsigned n = 0;\n"
                            "    while (n < 400 && x != n) n++;\n"
                            "    return n;\n}\n");
    char *text = results_of(program, SEARCH_AUTO, true), *end = text;
    for (char *at = text; count < COUNT_OF(found); at = end, count++) {
        found[count] = strtoul(at, &end, 10);
        if (end == at) break;
    }
    assert_string_equal(end, " complete\n");
    assert_int_equal(count, LONGEST + 1);
    qsort(found, count, sizeof *found, compare_numbers);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(found[i], i);
    free(text);
    program_free(program);
}

int main(void)
{
    const struct CMUnitTest unit_tests[] = {
        cmocka_unit_test(strategies_agree_with_enumeration),
        cmocka_unit_test(it_goes_depth_first),
        cmocka_unit_test(long_paths_come_later),
    };
    return cmocka_run_group_tests(unit_tests, NULL, NULL);
}
