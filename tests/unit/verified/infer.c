/* Conditions of the method Deposit as in figures 3 and 4 of the paper, random graphs against a search of all their states, and formulas. */
#include "verified/verified.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static const char *const NAMES[] = {"a", "b", "c"};

static void assert_text(Table t, const char *expected)
{
    StrBuf text = {0};
    table_print(t, NAMES, 3, &text);
    assert_string_equal(text.text, expected);
    strbuf_release(&text);
}

/* Points in the order of the figures: begin, review, update, suggest, last assertion, and with it perhaps a second one. */
typedef struct Deposit {
    Inference *inference;
    uint32_t begin, review, update, inner, suggest, assertion, second, end;
} Deposit;

static Deposit deposit(bool has_second)
{
    Inference *i = inference_new();
    Table none = table_constant(false);
    Deposit d = {.inference = i};
    d.begin = inference_add(i, POINT_BEGIN, 0, none);
    d.review = inference_add(i, POINT_PLAIN, 0, none);
    d.update = inference_add(i, POINT_UPDATE, 0, none);
    d.inner = inference_add(i, POINT_PLAIN, 0, none);
    d.suggest = inference_add(i, POINT_PLAIN, 0, none);
    d.assertion = inference_add(i, POINT_ASSERT, 0, table_name(0));
    d.second = inference_add(i, has_second ? POINT_ASSERT : POINT_PLAIN, 0, none);
    d.end = inference_add(i, POINT_PLAIN, 0, none);
    inference_start(i, d.begin);
    inference_edge(i, d.begin, d.review);
    inference_edge(i, d.begin, d.update);
    inference_edge(i, d.update, d.inner);
    inference_edge(i, d.inner, d.suggest);
    inference_edge(i, d.inner, d.assertion);
    inference_edge(i, d.suggest, d.assertion);
    inference_edge(i, d.review, d.assertion);
    inference_edge(i, d.assertion, d.second);
    inference_edge(i, d.second, d.end);
    inference_end(i, d.end);
    inference_solve(i);
    return d;
}

/* Where a cannot be false yet, `!a` is `false`. */
static void figure_3(void **state)
{
    (void)state;
    Deposit d = deposit(false);
    assert_text(inference_may(d.inference, d.begin), "true");
    assert_text(inference_may(d.inference, d.review), "false");
    assert_text(inference_may(d.inference, d.update), "true");
    assert_text(inference_may(d.inference, d.inner), "!a");
    assert_text(inference_may(d.inference, d.suggest), "!a");
    assert_text(inference_may(d.inference, d.assertion), "!a");
    assert_text(inference_may(d.inference, d.second), "false");
    assert_true(inference_may_changes(d.inference, d.review));
    assert_true(inference_may_changes(d.inference, d.inner));
    assert_false(inference_may_changes(d.inference, d.suggest));
    inference_free(d.inference);
}

static void figure_4(void **state)
{
    (void)state;
    Deposit d = deposit(true);
    assert_text(inference_may(d.inference, d.assertion), "true");
    assert_text(inference_must(d.inference, d.begin), "false");
    assert_text(inference_must(d.inference, d.review), "false");
    assert_text(inference_must(d.inference, d.update), "false");
    assert_text(inference_must(d.inference, d.inner), "!a");
    assert_text(inference_must(d.inference, d.assertion), "!a");
    assert_text(inference_must(d.inference, d.second), "true");
    assert_text(inference_must(d.inference, d.end), "false");
    inference_free(d.inference);
}

/* ---- random graphs ---- */

enum { POINTS = 7, STATES = POINTS * 8 };

typedef struct Graph {
    PointKind kinds[POINTS];
    uint32_t names[POINTS];
    Table suppositions[POINTS];
    bool edges[POINTS][POINTS], ends[POINTS];
    uint32_t passed; /* names, as bits, that no execution which goes on has made false */
} Graph;

static bool is_true(Table t, uint32_t names)
{
    return t.words[names / 64] >> names % 64 & 1;
}

/* Fills the states (point, names) that may follow, or only those of executions that go on (inference_passed). */
static uint32_t successors(const Graph *g, uint32_t state, bool goes_on, uint32_t *list)
{
    uint32_t point = state / 8, names = state % 8, bit = 1u << g->names[point], results[2] = {names, names}, count = 0;
    if (g->kinds[point] == POINT_BEGIN) results[0] = results[1] = names | bit;
    if (g->kinds[point] == POINT_UPDATE && !(goes_on && g->passed & bit)) results[1] = names & ~bit;
    for (uint32_t to = 0; to < POINTS; to++)
        for (uint32_t k = 0; k < 2 && g->edges[point][to]; k++) list[count++] = to * 8 + results[k];
    return count;
}

/* Does it count for the must-unverified condition? */
static bool counts(const Graph *g, uint32_t point)
{
    Table supposition = g->suppositions[point];
    for (uint32_t name = 0; name < 3; name++)
        if (g->passed >> name & 1) supposition = table_with(supposition, name, true);
    return g->kinds[point] == POINT_ASSERT && !table_is(supposition, true);
}

/* Is there an execution from the state that meets an assertion whose supposition is `held`?  For those that hold, only such that count. */
static bool meets(const Graph *g, uint32_t state, bool held, bool *visited)
{
    uint32_t list[2 * POINTS], count;
    if (visited[state]) return false;
    visited[state] = true;
    bool is_met = held ? counts(g, state / 8) : g->kinds[state / 8] == POINT_ASSERT || g->kinds[state / 8] == POINT_CHECK;
    if (is_met && is_true(g->suppositions[state / 8], state % 8) == held) return true;
    count = successors(g, state, held, list);
    for (uint32_t i = 0; i < count; i++)
        if (meets(g, list[i], held, visited)) return true;
    return false;
}

/* Is there an execution from the state that ends and meets no assertion that counts? */
static bool ends_without(const Graph *g, uint32_t state, bool *visited)
{
    uint32_t list[2 * POINTS], count;
    if (visited[state] || counts(g, state / 8)) return false;
    visited[state] = true;
    if (g->ends[state / 8]) return true;
    count = successors(g, state, true, list);
    for (uint32_t i = 0; i < count; i++)
        if (ends_without(g, list[i], visited)) return true;
    return false;
}

static Table random_supposition(Random *random)
{
    Table t = table_constant(random_below(random, 2)), name = table_name((uint32_t)random_below(random, 3));
    return random_below(random, 2) ? table_and(t, name) : table_or(t, name);
}

static Inference *random_graph(Random *random, Graph *g)
{
    Inference *inference = inference_new();
    memset(g, 0, sizeof *g);
    for (uint32_t name = 0; name < 3; name++)
        if (random_below(random, 4) == 0) {
            g->passed |= 1u << name;
            inference_passed(inference, name);
        }
    for (uint32_t i = 0; i < POINTS; i++) {
        g->kinds[i] = (PointKind)random_below(random, POINT_CHECK + 1);
        g->names[i] = (uint32_t)random_below(random, 3);
        g->suppositions[i] = random_supposition(random);
        inference_add(inference, g->kinds[i], g->names[i], g->suppositions[i]);
    }
    for (uint32_t i = 0; i < POINTS; i++) {
        for (uint32_t k = 0; k < 3; k++) inference_add(inference, POINT_UPDATE, k, table_constant(false));
        g->ends[i] = random_below(random, 4) == 0;
        if (g->ends[i]) inference_end(inference, i);
        for (uint32_t to = 0; to < POINTS; to++) {
            g->edges[i][to] = random_below(random, 4) == 0;
            if (g->edges[i][to]) inference_edge(inference, i, to);
        }
    }
    return inference;
}

/* Points that make every name possibly false lead to each point, so that constant propagation changes nothing. */
static void make_names_unknown(Inference *inference)
{
    for (uint32_t i = 0; i < POINTS; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t at = POINTS + 3 * i + k;
            if (k == 0) inference_start(inference, at);
            inference_edge(inference, at, k < 2 ? at + 1 : i);
        }
}

static void random_graphs_are_searched(void **state)
{
    Random random;
    uint32_t may_count = 0, must_count = 0;
    (void)state;
    random_seed(&random, 21);
    for (uint32_t trial = 0; trial < 2000; trial++) {
        Graph g;
        Inference *inference = random_graph(&random, &g);
        make_names_unknown(inference);
        inference_solve(inference);
        for (uint32_t s = 0; s < STATES; s++) {
            bool held[STATES] = {0}, failed[STATES] = {0}, without[STATES] = {0};
            bool may = meets(&g, s, false, failed);
            assert_int_equal(is_true(inference_may(inference, s / 8), s % 8), may);
            may_count += may;
            if (g.passed & ~(s % 8)) continue; /* The must-unverified condition says nothing of executions that have ended. */
            bool must = !meets(&g, s, true, held) && !ends_without(&g, s, without);
            assert_int_equal(is_true(inference_must(inference, s / 8), s % 8), must);
            must_count += must;
        }
        inference_free(inference);
    }
    assert_true(may_count > 1000 && must_count > 1000);
}

/* ---- formulas ---- */

static uint32_t name_of(void *data, const char *name)
{
    (void)data;
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(NAMES[i], name) == 0) return i;
    return UINT32_MAX;
}

static void formulas_are_read(void **state)
{
    static const char *const texts[][2] = {
        {"a", "a"},
        {" a && b || c ", "a && (b || c) || !a && c"},
        {"(a||b) && true", "a || b"},
        {"a && false", "false"},
        {"a || true", "true"},
    };
    static const char *const wrong[] = {"", "a &&", "(a", "a b", "!a", "a & b", "d", "3"};
    Table t;
    Error error;
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(texts); i++) {
        assert_int_equal(formula_parse(texts[i][0], name_of, NULL, &t, &error), OK);
        assert_text(t, texts[i][1]);
    }
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        error.text[0] = 0;
        assert_int_equal(formula_parse(wrong[i], name_of, NULL, &t, &error), FAILED);
        assert_non_null(strstr(error.text, "of the formula"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3),
        cmocka_unit_test(figure_4),
        cmocka_unit_test(random_graphs_are_searched),
        cmocka_unit_test(formulas_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
