/* summary: what is saved is the same when it is loaded, in an edited program too, and bytes that are none do no harm. */
#include "explore.h"

enum { RUNS = 400, MOST_LOADED = 40 };

typedef struct Sample {
    const char *function, *text;
    bool saved; /* else it depends on what another run would not have */
} Sample;

static const Sample samples[] = {
    {"f",
     "int f(int x) { if (x > 0) return 1; if (x == -5) return 10 / (x + 5); return 0; }\n"
     "int top(int y, int z) { int a = f(y), b = f(z); if (a && b) return 3; return 0; }\n",
     true},
    {"f",
     "int f(const char *s, int c) { int i = 0; while (s[i] != c) { if (s[i] == 0) return -1; i++; } return i; }\n"
     "int top(char a, char b, char c) { char s[4] = {a, b, c, 0}; int z = f(s, 'a'); if (z == -1) return -1;\n"
     "    if (s[z + 1] != ':') return 1; return 0; }\n",
     true},
    {"f",
     "int mode, table[4];\n"
     "int f(int x) { if (x > mode) { table[2] = x; mode = x; return 1; } return table[1]; }\n"
     "int top(int a, int b) { mode = b; table[1] = a; int r = f(a); mode = 4; int s = f(b); if (r + s == 2) return 1; return 0; }\n",
     true},
    {"f",
     "struct list { struct list *next; int value; };\n"
     "int f(struct list *l) { int n = 0; while (l) { if (l->value > 3) { l->value = 0; n++; } l = l->next; } return n; }\n"
     "int top(int a, int b) { struct list y = {0, a}, x = {&y, b}; if (f(&x) == 1) return 1; return x.value == 5; }\n",
     true},
    {"f",
     "int f(int *p, int *q, int x) { *p = 1; *q = 2; return x > 0 ? *p : 0; }\n"
     "int top(int a, int b) { int x = 0, y, i = f(&x, &x, a), k = f(&x, &y, b); if (i == 2 && k == 1) return 1; return 0; }\n",
     true},
    {"f",
     "static int g(int x) { if (x > 7) return x - 7; return 0; }\n"
     "int f(int x) { if (g(x) > 3) return g(x + 1); return -1; }\n"
     "int top(int a) { if (a > 1000) return 5; if (f(a) == 9) return 1; return 0; }\n",
     true},
    {"f",
     "_Noreturn void clew__exit(int);\n"
     "int f(int x, int y) { if (x == 1) clew__exit(3); if (x == 2) return 10 / y; return 0; }\n"
     "int top(int a, int b) { if (f(a, b) == 5) return 1; return 0; }\n",
     true},
    {"f",
     "int f(int *p, int i) { if (i > 3) return p[4]; if (i > 2) return p[1] > 0; return 4; }\n"
     "int top(int a) { int x[2]; x[0] = 1; if (f(x, a) == 1) return 1; return 0; }\n",
     true},
    {"f",
     "int f(const int *p, unsigned i) { if (i < 8) return p[i & 3] > 5; return p[i & 1]; }\n"
     "int top(int a, int b, unsigned i) { int x[4] = {1, a, b, 4}; if (f(x, i) == 1) return 1; return 0; }\n",
     true},
    {"f",
     "int x, y;\nint *f(int a) { if (a > 3) return &x; return &y; }\n"
     "int top(int a) { *f(a) = a; if (x == 9) return 1; return 0; }\n",
     false},
    {"f",
     "__attribute__((annotate(\"clew.concrete\"), noinline)) static int hash(int x) { return x & 127; }\n"
     "int f(int x) { if (x < 0) return 0; if (hash(x) == 100) return 10; return 2; }\n"
     "int top(int z) { if (f(z) == 10) return 1; return 0; }\n",
     false},
};

/* Summaries of all functions that have any. */
typedef struct Saved {
    SearchKept kept[8];
    StrBuf bytes[8];
    char *names[8];
    uint32_t count;
} Saved;

static void save(const Program *program, const Search *search, Saved *saved)
{
    const Summaries *summaries = search_summaries(search);
    *saved = (Saved){0};
    for (uint32_t i = 0; i < summaries_count(summaries) && saved->count < 8; i++) {
        StrBuf *bytes = &saved->bytes[saved->count];
        uint32_t function = summaries_facts(summaries, i).function;
        if (!summaries_save(summaries, i, bytes)) continue;
        saved->names[saved->count] = mem_strdup(program->functions[function].name);
        saved->kept[saved->count++] = (SearchKept){function, bytes->text, bytes->len};
    }
}

static const StrBuf *bytes_of(const Saved *saved, const char *function)
{
    for (uint32_t i = 0; i < saved->count; i++)
        if (strcmp(saved->names[i], function) == 0) return &saved->bytes[i];
    return NULL;
}

static void release_saved(Saved *saved)
{
    for (uint32_t i = 0; i < COUNT_OF(saved->bytes); i++) {
        strbuf_release(&saved->bytes[i]);
        free(saved->names[i]);
    }
}

typedef struct Outcome {
    Vec(uint8_t) reached;
    uint32_t bugs;
    char *text;
} Outcome;

static Outcome outcome_of(const Program *program, const Search *search, const char *function)
{
    Outcome outcome = {0};
    for (uint32_t i = 0; i < program->branch_count; i++)
        if (!program->branches[i].uncounted) vec_push(&outcome.reached, search_reached(search)[i]);
    search_bugs(search, &outcome.bugs);
    outcome.text = text_of(program, search, function);
    return outcome;
}

static void release_outcome(Outcome *outcome)
{
    vec_release(&outcome->reached);
    free(outcome->text);
}

static void first_campaign(const Sample *sample, Saved *saved, Outcome *outcome)
{
    Program *program = load(sample->text);
    Search *search = explore(program, "top", NULL, 0, RUNS);
    search_run(search);
    save(program, search, saved);
    *outcome = outcome_of(program, search, sample->function);
    search_free(search);
    program_free(program);
}

static void what_is_loaded_is_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        Saved saved, again;
        Outcome outcome;
        first_campaign(&samples[i], &saved, &outcome);
        const StrBuf *bytes = bytes_of(&saved, samples[i].function), *copy;
        if ((bytes != NULL) != samples[i].saved) fail_msg("%s:\n%s%s", bytes ? "saved" : "not saved", samples[i].text, outcome.text);
        Program *program = load(samples[i].text);
        Search *search = explore(program, "top", saved.kept, saved.count, RUNS);
        assert_int_equal(summaries_count(search_summaries(search)), saved.count);
        save(program, search, &again);
        copy = bytes_of(&again, samples[i].function);
        if (bytes && (!copy || copy->len != bytes->len || memcmp(copy->text, bytes->text, copy->len) != 0))
            fail_msg("other bytes:\n%s", samples[i].text);
        search_free(search);
        program_free(program);
        release_saved(&saved);
        release_saved(&again);
        release_outcome(&outcome);
    }
}

/* Numbers of functions, addresses of globals and lines are others. */
static char *edited(const char *text)
{
    return mem_format("int before[100];\nint also;\nint more(int x)\n{\n    before[also] = x;\n    return x > 77 ? also : 4;\n}\n\n%s"
                      "int after(int x) { return x == 5; }\n",
                      text);
}

/* Without the file's name. */
static void strip_names(char *text)
{
    for (char *at; (at = strstr(text, " at /")) != NULL;) {
        char *end = strchr(at, ')');
        memmove(at, end, strlen(end) + 1);
    }
}

static void an_edit_elsewhere_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        Saved saved;
        Outcome before, without, with;
        first_campaign(&samples[i], &saved, &before);
        char *text = edited(samples[i].text);
        Program *program = load(text);
        Search *search = explore(program, "top", NULL, 0, RUNS);
        search_run(search);
        without = outcome_of(program, search, samples[i].function);
        search_free(search);
        for (uint32_t k = 0; k < saved.count; k++)
            saved.kept[k].function = (uint32_t)(function_of(program, saved.names[k]) - program->functions);
        search = explore(program, "top", saved.kept, saved.count, RUNS);
        assert_int_equal(summaries_count(search_summaries(search)), saved.count);
        search_run(search);
        with = outcome_of(program, search, samples[i].function);
        if (with.reached.len != without.reached.len || memcmp(with.reached.data, without.reached.data, with.reached.len) != 0)
            fail_msg("other branches:\n%s", text);
        if (with.bugs != without.bugs) fail_msg("%u bugs and not %u:\n%s", with.bugs, without.bugs, text);
        strip_names(before.text);
        strip_names(with.text);
        if (strcmp(before.text, with.text) != 0) fail_msg("of\n%sthis has become of\n%sthis:\n%s", text, before.text, with.text);
        uint32_t number = summary_of(program, search_summaries(search), samples[i].function);
        SummaryFacts facts = summaries_facts(search_summaries(search), number);
        if (samples[i].saved && (facts.kept != facts.paths || facts.inlined)) fail_msg("not used: %s\n%s", facts.why, text);
        search_free(search);
        program_free(program);
        free(text);
        release_saved(&saved);
        release_outcome(&before);
        release_outcome(&without);
        release_outcome(&with);
    }
}

/* ---- bytes that are none ---- */

typedef struct Bench {
    Program *program;
    Vm *vm;
    ExprPool *pool;
    uint32_t function;
} Bench;

static bool loads(const Bench *bench, const void *bytes, size_t n)
{
    SummaryOptions options = {0};
    Error error;
    Summaries *summaries = summaries_new(bench->program, bench->vm, NULL, &options);
    bool fine = summaries_load(summaries, bench->function, bytes, n, &error) == OK;
    assert_int_equal(summaries_count(summaries), fine);
    if (fine) {
        StrBuf out = {0};
        summaries_print(summaries, 0, &out);
        strbuf_clear(&out);
        (void)summaries_save(summaries, 0, &out);
        strbuf_release(&out);
    }
    summaries_free(summaries);
    return fine;
}

static void seal(StrBuf *bytes)
{
    uint64_t hash = hash_bytes(bytes->text + 8, bytes->len - 8);
    memcpy(bytes->text, &hash, 8);
}

/* Changed ones that can be read are kept in `loaded`: something that a function could do, but does not. */
static uint32_t spoil(const Bench *bench, const StrBuf *bytes, StrBuf *loaded)
{
    StrBuf copy = {0};
    Random random;
    uint32_t count = 0;
    random_seed(&random, bytes->len);
    for (size_t n = 0; n < bytes->len; n++) assert_false(loads(bench, bytes->text, n));
    for (size_t i = 0; i < bytes->len; i++) {
        strbuf_clear(&copy);
        strbuf_add_bytes(&copy, bytes->text, bytes->len);
        copy.text[i] = (char)(copy.text[i] ^ (1 << random_below(&random, 8)));
        assert_false(loads(bench, copy.text, copy.len));
    }
    for (size_t i = 8; i < 6 * bytes->len; i++) {
        size_t at = 8 + i % (bytes->len - 8);
        strbuf_clear(&copy);
        strbuf_add_bytes(&copy, bytes->text, bytes->len);
        int step = random_below(&random, 2) ? 1 : -1;
        copy.text[at] = (char)(random_below(&random, 3) ? copy.text[at] + step : (int)random_below(&random, 256));
        if (random_below(&random, 9) == 0) copy.len -= random_below(&random, copy.len - 8);
        seal(&copy);
        if (!loads(bench, copy.text, copy.len) || count == MOST_LOADED || random_below(&random, 4)) continue;
        strbuf_add_bytes(&loaded[count++], copy.text, copy.len);
    }
    strbuf_release(&copy);
    return count;
}

static void other_bytes_do_no_harm(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        Saved saved;
        Outcome outcome;
        Error error = {0};
        StrBuf loaded[MOST_LOADED] = {0};
        if (!samples[i].saved) continue;
        first_campaign(&samples[i], &saved, &outcome);
        Bench bench = {.program = load(samples[i].text), .pool = expr_pool_new()};
        bench.function = (uint32_t)(function_of(bench.program, samples[i].function) - bench.program->functions);
        VmOptions options = {.exploring = true};
        assert_int_equal(vm_new(&bench.vm, bench.program, bench.pool, &options, &error), OK);
        uint32_t count = spoil(&bench, bytes_of(&saved, samples[i].function), loaded);
        vm_free(bench.vm);
        expr_pool_free(bench.pool);
        for (uint32_t k = 0; k < count; k++) {
            SearchKept kept = {bench.function, loaded[k].text, loaded[k].len};
            Search *search = explore(bench.program, "top", &kept, 1, 60);
            search_run(search);
            search_free(search);
            strbuf_release(&loaded[k]);
        }
        program_free(bench.program);
        release_saved(&saved);
        release_outcome(&outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_loaded_is_the_same),
        cmocka_unit_test(an_edit_elsewhere_changes_nothing),
        cmocka_unit_test(other_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
