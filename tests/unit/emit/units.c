/* emit: tests of functions, around the bodies that unit/ writes; really compiled and run. */
#include "world.h"

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The source has a main of its own, names that the system's headers also have, and keeps a count between calls. */
static const char source_text[] = "#include <stdlib.h>\n"
                                  "static int kill(int n) { return n * 3; }\n"
                                  "static int calls;\n"
                                  "static int weigh(int n)\n{\n"
                                  "    if (n == 7) exit(n);\n"
                                  "    if (n == 8) abort();\n"
                                  "    return ++calls == 1 ? kill(n) : -1;\n"
                                  "}\n"
                                  "int divide(int n) { return 100 / n; }\n"
                                  "int main(void) { return weigh(1) + divide(2); }\n";

static const CType *const int_types[] = {&type_int};
static const CType function_type = {
    .kind = C_FUNCTION, .spelling = "int (int)", .plain = "int (int)", .of = &type_int, .params = int_types, .param_count = 1};
static CParam n_param[] = {{.name = "n", .type = &type_int, .use = {.length = -1}}};

typedef struct UnitScene {
    Scene scene;
    Units *units;
} UnitScene;

static void add_function(Scene *scene, const char *name, bool is_static)
{
    CFunction *function = scene_function(scene, name, 0, &type_int);
    function->type = &function_type;
    function->params = n_param;
    function->param_count = 1;
    function->is_static = is_static;
    function->file = scene->sources[0].path;
}

static LedgerTest *add_test(Scene *scene, const char *unit, int n, RecordEnd end, int status)
{
    LedgerTest *test = scene_test(scene, unit, end, status, "");
    scene_input(test, "n", 'i', 32, (uint32_t)n);
    return test;
}

static void see_result(LedgerTest *test, int value)
{
    vec_push(
        &test->record.seen,
        ((RecordSeen){.name = mem_strdup("result"), .type = 'i', .defined = true, .width = 32, .bits = (uint32_t)value, .address = 16}));
}

static void open_scene(UnitScene *s)
{
    static const UnitOptions options;
    static const char *const names[] = {"weigh", "divide"};
    scene_open(&s->scene);
    scene_main(&s->scene, source_text, 0);
    add_function(&s->scene, "weigh", true);
    add_function(&s->scene, "divide", false);
    assert_int_equal(units_plan(&s->scene.decls, &options, names, 2, &s->units, &s->scene.error), OK);
    see_result(add_test(&s->scene, "weigh", 2, END_RETURN, 0), 6);
    see_result(add_test(&s->scene, "weigh", -3, END_RETURN, 0), -9);
    add_test(&s->scene, "weigh", 7, END_EXIT, 7);
    add_test(&s->scene, "weigh", 8, END_SIGNAL, 6);
    scene_bug(&s->scene, add_test(&s->scene, "divide", 0, END_BUG, 8), "division-by-zero", "n is 0");
}

static Status emit(UnitScene *s)
{
    return emit_suite(s->scene.ledger, &s->scene.decls, s->units, &s->scene.options, &s->scene.error);
}

static void close_scene(UnitScene *s)
{
    units_free(s->units);
    scene_close(&s->scene);
}

static int run(UnitScene *s, const char *command)
{
    int status = scene_run(&s->scene, command);
    char *log = scene_read(&s->scene, "log", NULL);
    if (getenv("CLEW_TEST_VERBOSE")) print_message("%s\n%s\n", command, log);
    free(log);
    return status;
}

static void test_units_in_c(void **state)
{
    (void)state;
    UnitScene s;
    open_scene(&s);
    ledger_add_branch(s.scene.ledger,
                      &(LedgerBranch){.function = "weigh", .file = "a*/b.c", .line = 6, .column = 9, .outcome = "true", .test = 3});
    assert_int_equal(emit(&s), OK);
    assert_string_equal(s.scene.ledger->tests.data[0].path, "tests/test_weigh.c");
    assert_true(scene_has(&s.scene, "out dir/tests/test_weigh.c", "/* a* /b.c:6:9 true */\nstatic void test_"));
    assert_int_equal(run(&s, "cat tests/test_weigh.c; make -s -C tests CC=gcc CFLAGS='-g -Wall -Wextra -Werror -Wno-unused'"), 0);
    assert_true(scene_has(&s.scene, "log", "ok 4 - "));
    assert_int_equal(run(&s, "make -s -C tests CC=clang-19 CFLAGS='-g -Wall -Wextra -Werror -Wno-unused' clean check"), 0);
    char *command = mem_format("tests/build/test_weigh %s", s.scene.ledger->tests.data[2].name);
    assert_int_equal(run(&s, command), 0);
    free(command);
    assert_string_equal(s.scene.ledger->tests.data[4].path, "tests/bugs/bug_1_divide.c");
    run(&s, "cat tests/bugs/bug_1_divide.c; make -s -C tests bugs CC=gcc");
    assert_true(scene_has(&s.scene, "log", "runtime error: division by zero"));
    close_scene(&s);
}

static void test_wrong_results_are_seen(void **state)
{
    (void)state;
    UnitScene s;
    open_scene(&s);
    s.scene.ledger->tests.data[0].record.seen.data[0].bits = 7;
    s.scene.ledger->tests.data[2].record.end = END_RETURN; /* but it exits, with a status of its own */
    assert_int_equal(emit(&s), OK);
    assert_int_equal(run(&s, "make -s -C tests CC=gcc"), 2);
    assert_true(scene_has(&s.scene, "log", "not ok 1 - "));
    assert_true(scene_has(&s.scene, "log", "this does not hold: "));
    assert_true(scene_has(&s.scene, "log", "ok 2 - "));
    assert_true(scene_has(&s.scene, "log", "not ok 3 - "));
    for (uint32_t i = 0; i < 3; i++) {
        char *command = mem_format("tests/build/test_weigh %s", s.scene.ledger->tests.data[i].name);
        assert_int_equal(run(&s, command), i == 1 ? 0 : 1);
        free(command);
    }
    close_scene(&s);
}

/* A harness that somebody wrote with clew.h is a unit like others. */
static void test_a_unit_that_asks_for_inputs(void **state)
{
    (void)state;
    static const UnitOptions options;
    static const char *const names[] = {"harness"};
    UnitScene s;
    scene_open(&s.scene);
    scene_source(&s.scene, "program.c",
                 "int clew_int(const char *);\nvoid clew_assume(int);\n"
                 "int harness(int n) { int m = clew_int(\"n\"); clew_assume(m > 0); return n - m - clew_int(\"k\"); }\n");
    add_function(&s.scene, "harness", false);
    scene_function(&s.scene, "clew_int", UINT32_MAX, &type_int);
    assert_int_equal(units_plan(&s.scene.decls, &options, names, 1, &s.units, &s.scene.error), OK);
    LedgerTest *test = add_test(&s.scene, "harness", 10, END_RETURN, 0);
    scene_input(test, "n", 'i', 32, 3);
    scene_input(test, "k", 'i', 32, 5);
    see_result(test, 2);
    assert_int_equal(emit(&s), OK);
    assert_int_equal(run(&s, "make -s -C tests CC=gcc CFLAGS='-g -Wall -Wextra -Werror'"), 0);
    close_scene(&s);
}

static void test_units_in_cmocka(void **state)
{
    (void)state;
    UnitScene s;
    open_scene(&s);
    s.scene.ledger->tests.data[1].kept = false; /* CMocka runs all in one process, and the second call returns -1 */
    s.scene.options.formats = 1u << EMIT_CMOCKA | 1u << EMIT_TESTCOMP;
    assert_int_equal(emit(&s), OK);
    assert_int_equal(run(&s, "make -s -C cmocka CC=gcc CFLAGS='-g -Wall -Wextra -Werror -Wno-unused'"), 0);
    assert_true(scene_has(&s.scene, "log", "3 test(s)."));
    assert_true(scene_has(&s.scene, "out dir/testcomp/weigh/metadata.xml", "<entryfunction>weigh</entryfunction>"));
    assert_true(scene_has(&s.scene, "out dir/testcomp/weigh/test-1.xml", "<input>2</input>"));
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units_in_c),
        cmocka_unit_test(test_wrong_results_are_seen),
        cmocka_unit_test(test_a_unit_that_asks_for_inputs),
        cmocka_unit_test(test_units_in_cmocka),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
