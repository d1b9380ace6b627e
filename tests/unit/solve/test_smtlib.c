/* The log of queries: what is written is read back as the same expressions on the same levels; faults of a log are named by their line. */
#include "../../fuzz/formulas.h"
#include "solve/smtlib.h"
#include "solve/solve_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { EVENTS = 64 };

typedef enum EventKind { ADD, REMOVE, CHECK } EventKind;

typedef struct Event {
    EventKind kind;
    uint32_t count; /* of levels or assumptions */
    Expr conditions[4];
    SolveAnswer answer;
} Event;

typedef struct Events {
    ExprPool *pool;
    Event list[EVENTS];
    unsigned count;
    bool no_functions;
} Events;

static void record(Events *events, Event event)
{
    assert_true(events->count < EVENTS);
    events->list[events->count++] = event;
}

static Expr find_variable(void *data, const char *name, unsigned width)
{
    Events *events = data;
    for (uint32_t i = 0; i < expr_var_count(events->pool); i++) {
        Expr var = expr_var_at(events->pool, i);
        if (!strcmp(expr_var_name(events->pool, var), name) && expr_width(events->pool, var) == width) return var;
    }
    return expr_var(events->pool, width, name);
}

static const ExprFunction *find_function(void *data, const char *name, uint32_t arguments, unsigned width)
{
    Events *events = data;
    assert_string_equal(name, "mix");
    assert_int_equal(arguments, 2);
    assert_true(width >= 1 && width <= 128);
    return events->no_functions ? NULL : &formulas_function;
}

static void add(void *data, Expr condition)
{
    record(data, (Event){.kind = ADD, .count = 1, .conditions = {condition}});
}

static void take_back(void *data, uint32_t count)
{
    record(data, (Event){.kind = REMOVE, .count = count});
}

static void check(void *data, const Expr *assumptions, uint32_t count, SolveAnswer recorded)
{
    Event event = {.kind = CHECK, .count = count, .answer = recorded};
    assert_true(count <= COUNT_OF(event.conditions));
    for (uint32_t i = 0; i < count; i++) event.conditions[i] = assumptions[i];
    record(data, event);
}

static SmtReader reader_into(Events *events)
{
    return (SmtReader){events->pool, events, find_variable, find_function, add, take_back, check};
}

static void temporary(char path[32])
{
    strcpy(path, "/tmp/clew-smtlib-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
}

/* Writes random events; what is expected to be read goes into `events`. */
static void write_random(Formulas *f, const char *path, Events *events)
{
    SmtLog *log;
    Error error;
    uint32_t depth = 0;
    assert_int_equal(smtlog_open(&log, f->pool, path, &error), OK);
    for (unsigned step = 0; step < 20; step++) {
        Event event = {.kind = (EventKind)formulas_below(f, 3), .count = 1};
        if (event.kind == REMOVE && depth == 0) event.kind = CHECK;
        if (event.kind == ADD) {
            event.conditions[0] = formulas_next(f);
            smtlog_assert(log, event.conditions[0]);
            depth++;
        } else if (event.kind == REMOVE) {
            event.count = 1 + (uint32_t)formulas_below(f, depth);
            depth -= event.count;
            smtlog_return(log, depth);
        } else {
            event.count = (uint32_t)formulas_below(f, 3);
            event.answer = (SolveAnswer)formulas_below(f, 3);
            for (uint32_t i = 0; i < event.count; i++) event.conditions[i] = formulas_next(f);
            smtlog_check(log, event.conditions, event.count, event.answer);
        }
        record(events, event);
    }
    smtlog_close(log);
}

static void same_value_everywhere(Formulas *f, Expr a, Expr b)
{
    if (a == b) return;
    ExprModel *model = expr_model_new(f->pool);
    for (unsigned tries = 0; tries < 20; tries++) {
        for (unsigned i = 0; i < f->var_count; i++) expr_model_set(model, f->vars[i], formulas_value(f, expr_width(f->pool, f->vars[i])));
        assert_true(expr_eval(model, a) == expr_eval(model, b));
    }
    expr_model_free(model);
}

static unsigned compare_events(Formulas *f, const Events *written, const Events *read)
{
    unsigned same = 0;
    assert_int_equal(written->count, read->count);
    for (unsigned i = 0; i < written->count; i++) {
        const Event *x = &written->list[i], *y = &read->list[i];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->answer, y->answer);
        for (unsigned k = 0; x->kind != REMOVE && k < x->count; k++) {
            same_value_everywhere(f, x->conditions[k], y->conditions[k]);
            same += x->conditions[k] == y->conditions[k];
        }
    }
    return same;
}

static void random_queries_come_back(void **state)
{
    (void)state;
    char path[32];
    temporary(path);
    unsigned conditions = 0, same = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        static Events written, read;
        Formulas f;
        Error error = {""};
        ExprPool *pool = expr_pool_new();
        formulas_init(&f, pool, seed);
        f.floats = seed % 2;
        f.applies = seed % 3 == 0;
        written = (Events){.pool = pool};
        read = (Events){.pool = pool};
        write_random(&f, path, &written);
        SmtReader reader = reader_into(&read);
        if (smtlib_read(path, &reader, &error) != OK) fail_msg("seed %u: %s", (unsigned)seed, error.text);
        same += compare_events(&f, &written, &read);
        for (unsigned i = 0; i < written.count; i++) conditions += written.list[i].kind == REMOVE ? 0 : written.list[i].count;
        formulas_release(&f);
        expr_pool_free(pool);
    }
    assert_true(conditions > 1000);
    assert_true(same * 100 >= conditions * 95); /* nearly all are the very same expressions */
    remove(path);
}

static void unknown_functions_make_no_expression(void **state)
{
    (void)state;
    char path[32];
    temporary(path);
    SmtLog *log;
    Error error;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 8, "x"), arguments[] = {x, x}, zero = expr_const(pool, 8, 0);
    Expr call = expr_apply(pool, &formulas_function, 8, arguments, 2);
    assert_int_equal(smtlog_open(&log, pool, path, &error), OK);
    smtlog_assert(log, expr_eq(pool, x, expr_const(pool, 8, 3)));
    smtlog_assert(log, expr_binary(pool, EXPR_ULT, expr_add(pool, call, x), expr_const(pool, 8, 9)));
    smtlog_check(log, (Expr[]){expr_eq(pool, x, zero), expr_eq(pool, call, zero)}, 2, SOLVE_UNKNOWN);
    smtlog_close(log);
    Events read = {.pool = pool, .no_functions = true};
    SmtReader reader = reader_into(&read);
    assert_int_equal(smtlib_read(path, &reader, &error), OK);
    assert_int_equal(read.count, 3);
    assert_true(read.list[0].conditions[0] != 0);
    assert_true(read.list[1].conditions[0] == 0);
    assert_true(read.list[2].conditions[0] != 0 && read.list[2].conditions[1] == 0);
    expr_pool_free(pool);
    remove(path);
}

/* After a rewind the same ids mean something else, and the same index of a variable another variable. */
static void forgotten_names_are_not_used_again(void **state)
{
    (void)state;
    char path[32];
    temporary(path);
    SmtLog *log;
    Error error;
    ExprPool *pool = expr_pool_new(), *other = expr_pool_new();
    Expr x = expr_var(pool, 8, "x");
    assert_int_equal(smtlog_open(&log, pool, path, &error), OK);
    smtlog_assert(log, expr_eq(pool, x, expr_const(pool, 8, 3)));
    uint32_t mark = expr_pool_count(pool);
    Expr y = expr_var(pool, 16, "y");
    smtlog_check(log, (Expr[]){expr_eq(pool, y, expr_const(pool, 16, 5))}, 1, SOLVE_SAT);
    smtlog_forget(log, mark);
    expr_pool_rewind(pool, mark);
    y = expr_var(pool, 32, "y");
    smtlog_check(log, (Expr[]){expr_eq(pool, y, expr_const(pool, 32, 7))}, 1, SOLVE_SAT);
    smtlog_close(log);
    Events read = {.pool = other};
    SmtReader reader = reader_into(&read);
    assert_int_equal(smtlib_read(path, &reader, &error), OK);
    assert_int_equal(read.count, 3);
    StrBuf text = {0};
    expr_print(other, read.list[2].conditions[0], &text);
    assert_string_equal(text.text, "(eq y 0x7:32)");
    strbuf_release(&text);
    assert_int_equal(expr_var_count(other), 3);
    expr_pool_free(pool);
    expr_pool_free(other);
    remove(path);
}

static void a_long_chain_is_written_in_linear_size(void **state)
{
    (void)state;
    char path[32];
    temporary(path);
    SmtLog *log;
    Error error;
    enum { STEPS = 20000 };
    ExprPool *pool = expr_pool_new(), *other = expr_pool_new();
    Expr x = expr_var(pool, 64, "x"), y = expr_var(pool, 64, "y"), e = x;
    for (unsigned i = 0; i < STEPS; i++) /* shared: 2^20000 as a tree */
        e = expr_binary(pool, EXPR_XOR, expr_add(pool, e, y), expr_binary(pool, EXPR_MUL, e, y));
    assert_int_equal(smtlog_open(&log, pool, path, &error), OK);
    smtlog_check(log, (Expr[]){expr_eq(pool, e, expr_const(pool, 64, 1))}, 1, SOLVE_UNKNOWN);
    smtlog_close(log);
    FILE *file = fopen(path, "r");
    fseek(file, 0, SEEK_END);
    assert_true(ftell(file) < STEPS * 300);
    fclose(file);
    Events read = {.pool = other};
    SmtReader reader = reader_into(&read);
    assert_int_equal(smtlib_read(path, &reader, &error), OK);
    ExprModel *a = expr_model_new(pool), *b = expr_model_new(other);
    expr_model_set(a, x, 12345);
    expr_model_set(a, y, 12345);
    for (uint32_t i = 0; i < 2; i++) expr_model_set(b, expr_var_at(other, i), 12345);
    Expr back = read.list[0].conditions[0];
    assert_true(expr_eval(a, e) == expr_eval(b, expr_operand(other, back, expr_is_const(other, expr_operand(other, back, 0)))));
    expr_model_free(a);
    expr_model_free(b);
    expr_pool_free(pool);
    expr_pool_free(other);
    remove(path);
}

static void faults_are_named_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"(set-logic ALL)\n(assert x)", ":2: undeclared name at x"},
        {"(push 1)\n(assert true)\n(frobnicate)", ":3: unknown command at frobnicate"},
        {"(declare-fun x () (_ BitVec 8))\n\n(define-fun e!0 () (_ BitVec 8) (bvadd x #b1))", ":3: operands that do not fit 'bvadd'"},
        {"(declare-fun x () (_ BitVec 200))", ":1: no such width at 200"},
        {"(declare-fun x () (_ BitVec 8))\n(define-fun e!0 () Bool ((_ extract 9 9) x))", ":2: operands that do not fit 'extract'"},
        {"(define-fun e!0 () Bool (and true", ":1: the log ends inside a term"},
        {"(define-fun clew.x () Bool (", ":1: the log ends inside a command"},
        {"(push 1)\n(assert #x0g)", ":2: not a bit-vector at #x0g"},
        {"(push 1)\n(assert #x01)", ":2: a condition has one bit at )"},
        {"(set-info :assumptions 2)(push 1)(assert true)\n(check-sat)", ":2: not the assumptions that were announced at check-sat"},
        {"(declare-fun bits!3 () (_ BitVec 32))", ":1: bits of no float at )"},
        {"42", ":1: '(' expected at 42"},
    };
    char path[32];
    temporary(path);
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        FILE *file = fopen(path, "w");
        fputs(cases[i].text, file);
        fclose(file);
        Events read = {.pool = expr_pool_new()};
        SmtReader reader = reader_into(&read);
        Error error = {""};
        assert_int_equal(smtlib_read(path, &reader, &error), FAILED);
        assert_string_equal(error.text + strlen(path), cases[i].message);
        expr_pool_free(read.pool);
    }
    remove(path);
    Events none = {.pool = NULL};
    SmtReader reader = reader_into(&none);
    Error error;
    assert_int_equal(smtlib_read("/nonexistent/log", &reader, &error), FAILED);
    SmtLog *log;
    assert_int_equal(smtlog_open(&log, NULL, "/nonexistent/log", &error), FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_queries_come_back),           cmocka_unit_test(unknown_functions_make_no_expression),
        cmocka_unit_test(forgotten_names_are_not_used_again), cmocka_unit_test(a_long_chain_is_written_in_linear_size),
        cmocka_unit_test(faults_are_named_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
