/* search: on random programs every strategy finds exactly the paths and branches that enumeration of all inputs finds.
 *
 * A program is a function of two inputs of four bits.  It writes down its own decisions in what it returns, so paths are told apart by their
 * result.  What it returns is computed here as well, from the structure it was written from, for each of the 256 inputs. */
#include "../front/load.h"
#include "search/search.h"

#include <stdlib.h>

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
    for (unsigned i = 0; i < SEARCH_STRATEGIES; i++) /* these alone try no points */
        if (i != SEARCH_SEQUENCES && i != SEARCH_LOOPS) check_strategy(program, (SearchStrategy)i, &truth, sample.text.text);
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

/* ---- all techniques together against each alone ---- */

typedef struct Discovery {
    const Program *program;
    Vec(uint64_t) work; /* per branch: what was done when it was reached; 0: it was not */
    Vec(unsigned long) results;
    uint64_t before, dearest; /* the work before the run at hand; the most that one try took */
} Discovery;

static void note_discovery(void *data, Search *search, Vm *vm, const VmStop *stop)
{
    Discovery *d = data;
    Expr expression;
    uint64_t work = search_work(search);
    (void)stop;
    for (uint32_t i = 0; i < d->program->branch_count; i++)
        if (vm_branches_seen(vm)[i] && !d->work.data[i]) d->work.data[i] = work;
    if (work - d->before > d->dearest) d->dearest = work - d->before;
    d->before = work;
    vec_push(&d->results, (unsigned long)vm_result(vm, &expression));
}

enum { ALONE = 20000000, SLICE = 1000000 }; /* units of work that a technique alone gets; of a slice */

/* Each order has points to try all the time, so it gets one part in 2k of all work, but for what one try or slice of the others takes. */
static void check_shares(const Search *search, const Discovery *d, uint64_t k, uint64_t slice)
{
    for (SearchStrategy one = SEARCH_RAREST; one <= SEARCH_CFG; one++) {
        uint64_t work = search_technique(search, one).work, least = search_work(search) / (2 * k);
        if (work + d->dearest + slice < least)
            fail_msg("%s got %llu of %llu", search_strategy_name(one), (unsigned long long)work, (unsigned long long)search_work(search));
    }
}

static Discovery discover(const Program *program, SearchStrategy strategy, uint64_t seed, uint64_t work)
{
    Discovery d = {.program = program};
    SearchOptions options = {.strategy = strategy, .seed = seed, .work = work, .on_run = note_discovery, .on_run_data = &d};
    Search *search;
    Error error;
    for (uint32_t i = 0; i < program->branch_count; i++) vec_push(&d.work, 0);
    assert_int_equal(search_new(&search, program, function_of(program, "test"), &options, &error), OK);
    search_run(search);
    if (strategy == SEARCH_AUTO && search_stats(search)->end == SEARCH_END_WORK) check_shares(search, &d, SEARCH_STRATEGIES - 1, SLICE);
    search_free(search);
    return d;
}

static void release_discovery(Discovery *d)
{
    vec_release(&d->work);
    vec_release(&d->results);
}

/* Counts, by technique and branch, the seeds with which the technique reaches the branch alone, and those of them with which all together take at most 2k
 * times the work.  Besides, each of the others may be in the middle of a slice, or of a try. */
static void compare_discoveries(const Program *program, uint64_t seed, uint32_t *alone_count, uint32_t *kept_count)
{
    uint64_t k = SEARCH_STRATEGIES - 1;
    Discovery all = discover(program, SEARCH_AUTO, seed, 2 * k * (ALONE + SLICE));
    for (unsigned one = 1; one < SEARCH_STRATEGIES; one++) {
        Discovery alone = discover(program, (SearchStrategy)one, seed, ALONE);
        for (uint32_t b = 0; b < program->branch_count; b++) {
            if (!alone.work.data[b]) continue;
            uint64_t most = 2 * k * (alone.work.data[b] + SLICE + all.dearest);
            alone_count[one * program->branch_count + b]++;
            kept_count[one * program->branch_count + b] += all.work.data[b] && all.work.data[b] <= most;
        }
        release_discovery(&alone);
    }
    release_discovery(&all);
}

/* With k techniques, all together find what one finds alone within 2k times its work.  Which inputs a run has is luck, and what others did changes the luck;
 * so a technique that finds something early by one seed may not do so beside others.  Over several seeds the promise holds with most of them. */
static void all_together_find_what_each_finds(void **unused)
{
    enum { SEEDS = 7 };
    static const char *const texts[] = {
        /* deep below a counter */
        "unsigned test(unsigned long x)\n{\n"
        "    unsigned level = 0;\n"
        "    for (int i = 0; i < 16; i++) {\n"
        "        if ((x >> 4 * i & 15) > 9) level++; else level = 0;\n"
        "        if (level == 7) return 1;\n"
        "    }\n"
        "    return 0;\n}\n",
        /* a word in a haystack of other paths */
        "unsigned test(unsigned long x, unsigned y)\n{\n"
        "    unsigned n = 0;\n"
        "    for (int i = 0; i < 12; i++) if (y >> i & 1) n += i;\n"
        "    for (int i = 0; i < 8; i++) if ((x >> 8 * i & 255) != (unsigned)\"labyrinth\"[i]) return n;\n"
        "    return 1000;\n}\n",
        /* many states */
        "unsigned test(unsigned long x)\n{\n"
        "    unsigned state = 0;\n"
        "    for (int i = 0; i < 10; i++)\n"
        "        switch (x >> 3 * i & 7) {\n"
        "        case 0: if (state == 0) state = 1; else state = 2; break;\n"
        "        case 1: if (state == 2) state = 3; break;\n"
        "        case 2: if (state == 3) state = 4; else state = 0; break;\n"
        "        case 3: if (state == 4) state = 5; break;\n"
        "        case 4: if (state == 5) return 1; break;\n"
        "        default: if (state < 3) state = 0;\n"
        "        }\n"
        "    return 0;\n}\n",
    };
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        Program *program = load(texts[i]);
        uint32_t count = SEARCH_STRATEGIES * program->branch_count, compared = 0;
        uint32_t *alone = mem_alloc(count * sizeof *alone), *kept = mem_alloc(count * sizeof *kept);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) compare_discoveries(program, seed, alone, kept);
        for (uint32_t n = 0; n < count; n++) {
            compared += alone[n] > 0;
            if (2 * kept[n] < alone[n])
                fail_msg("%s reaches branch %u alone with %u seeds, all together in time with %u of them",
                         search_strategy_name((SearchStrategy)(n / program->branch_count)), n % program->branch_count, alone[n], kept[n]);
        }
        assert_true(compared > 4 * (SEARCH_STRATEGIES - 1));
        free(alone);
        free(kept);
        program_free(program);
    }
}

/* ---- loops ---- */

static int compare_numbers(const void *a, const void *b)
{
    unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
    return (x > y) - (x < y);
}

/* Loops are not followed before the rest is done, but they are. */
static void long_paths_come_later(void **unused)
{
    enum { LONGEST = 400 };
    (void)unused;
    Program *program = load("unsigned test(unsigned x)\n{\n"
                            "    unsigned n = 0;\n"
                            "    while (n < 400 && x != n) n++;\n"
                            "    return n;\n}\n");
    Discovery d = discover(program, SEARCH_AUTO, 7, 0);
    assert_int_equal(d.results.len, LONGEST + 1);
    qsort(d.results.data, d.results.len, sizeof *d.results.data, compare_numbers);
    for (uint32_t i = 0; i < d.results.len; i++) assert_int_equal(d.results.data[i], i);
    release_discovery(&d);
    program_free(program);
}

int main(void)
{
    const struct CMUnitTest unit_tests[] = {
        cmocka_unit_test(strategies_agree_with_enumeration),
        cmocka_unit_test(all_together_find_what_each_finds),
        cmocka_unit_test(long_paths_come_later),
    };
    return cmocka_run_group_tests(unit_tests, NULL, NULL);
}
