/* emit: whole suites of C, really compiled and run. */
#include "world.h"

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Everything that surrounds a program.  main has no return statement at its end: that means 0. */
static const char surroundings[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
    "int main(int argc, char **argv)\n{\n"
    "    char line[64] = \"\", file[64] = \"\";\n"
    "    FILE *in = fopen(\"dir/a b.txt\", \"r\");\n"
    "    size_t n = fread(line, 1, sizeof line - 1, stdin);\n"
    "    if (in) { if (!fgets(file, sizeof file, in)) file[0] = 0; fclose(in); }\n"
    "    printf(\"%d %s|%zu|%s|%s|%s\\n\", argc, argv[argc - 1], n, line, file, getenv(\"VARIABLE\") ? getenv(\"VARIABLE\") : \"none\");\n"
    "    if (line[0] == 'e') exit(300);\n"
    "    if (line[0] == 'u') _exit(7);\n"
    "    if (line[0] == 'a') abort();\n"
    "    if (line[0] == 'o') remove(\"dir/a b.txt\");\n"
    "}\n";

static LedgerTest *program_test(Scene *scene, RecordEnd end, int status, const char *output, const char *input)
{
    LedgerTest *test = scene_test(scene, "main", end, status, output);
    scene_input(test, "stdin.size", 'u', 64, strlen(input));
    scene_bytes(test, "stdin", input, (uint32_t)strlen(input));
    return test;
}

/* One of each way to end. */
static void fill_surroundings(Scene *scene)
{
    static const char *const arguments[] = {"program", "fixed"};
    scene->options.arguments = arguments;
    scene->options.argument_count = 2;
    scene_main(scene, surroundings, 2);
    LedgerTest *test = program_test(scene, END_RETURN, 0, "3 -\"q\\|3|o\t\001|first|a=\\n\n", "o\t\001");
    scene_input(test, "dir/a b.txt.size", 'u', 64, 5);
    scene_bytes(test, "dir/a b.txt", "first+", 6);
    scene_bytes(test, "argv2", "-\"q\\\0\0", 6);
    scene_bytes(test, "$VARIABLE", "a=\\n\0", 5);
    scene_input(test, "$VARIABLE.set", 'b', 1, 1);
    scene_input(test, "argc", 'u', 32, 1);
    program_test(scene, END_EXIT, 300, "2 fixed|1|e||none\n", "e");
    program_test(scene, END_EXIT, 7, "", "u");
    program_test(scene, END_SIGNAL, 6, "2 fixed|1|a||none\n", "a");
}

static void check_make(Scene *scene, const char *compiler, const char *words, int expected)
{
    char *command = mem_format("make -C tests -s CC=%s CFLAGS='-g -Wall -Wextra -Werror %s' clean check", compiler, words);
    int status = scene_run(scene, command);
    if (status != expected) {
        char *log = scene_read(scene, "log", NULL);
        print_error("%s\n%s\n", command, log);
        free(log);
    }
    free(command);
    assert_int_equal(status, expected);
}

static void test_surroundings_of_a_program(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    fill_surroundings(&scene);
    assert_int_equal(scene_emit(&scene), OK);
    assert_string_equal(scene.ledger->tests.data[0].path, "tests/test_main.c");
    assert_string_equal(scene.ledger->tests.data[0].name, "test_main_1");
    check_make(&scene, "gcc", "", 0);
    assert_true(scene_has(&scene, "log", "1..4\nok 1 - test_main_1\nok 2 - test_main_2\nok 3 - test_main_3\nok 4 - test_main_4\n"));
    assert_int_equal(scene_run(&scene, "tests/build/test_main test_main_3"), 0);
    assert_true(scene_has(&scene, "log", "1..1\nok 1 - test_main_3\n"));
    assert_int_equal(scene_run(&scene, "tests/build/test_main test_none"), 2);
    check_make(&scene, "clang-19", "-O1", 0);
    scene_close(&scene);
}

/* What the program does must be what the test says, or it fails. */
static void check_difference(void (*change)(LedgerTest *test), uint32_t which, const char *message)
{
    Scene scene;
    scene_open(&scene);
    fill_surroundings(&scene);
    change(&scene.ledger->tests.data[which]);
    assert_int_equal(scene_emit(&scene), OK);
    check_make(&scene, "gcc", "", 2);
    char *line = mem_format("not ok %u - test_main_%u\n", which + 1, which + 1);
    assert_true(scene_has(&scene, "log", line));
    assert_true(scene_has(&scene, "log", message));
    free(line);
    scene_close(&scene);
}

static void other_status(LedgerTest *test)
{
    test->record.status++;
}

static void other_output(LedgerTest *test)
{
    strbuf_add(&test->record.output, "more");
}

static void other_end(LedgerTest *test)
{
    test->record.end = END_EXIT;
}

static void an_assumption(LedgerTest *test)
{
    test->record.end = END_ASSUMPTION;
}

static void test_differences_are_seen(void **state)
{
    (void)state;
    check_difference(other_status, 1, "# it exits with status 44, but should exit with status 45\n");
    check_difference(other_output, 0, "# standard output (24 bytes) differs from what is expected (28 bytes) at byte 24\n");
    check_difference(other_end, 3, "# it is ended by signal 6, but should exit with status 6\n");
    check_difference(an_assumption, 1, "# it exits with status 44, but should stop at an assumption\n");
}

/* ---- inputs that a program asks for ---- */

/* gcc and clang evaluate the arguments of a call in different orders. */
static const char asking[] = "#include <stdio.h>\n"
                             "int clew_int(const char *);\ndouble clew_double(const char *);\n_Bool clew_bool(const char *);\n"
                             "void klee_make_symbolic(void *, unsigned long, const char *);\n"
                             "extern void __VERIFIER_assume(int);\nextern long __VERIFIER_nondet_long();\n"
                             "void reach_error(void) { __builtin_abort(); }\n"
                             "int main()\n{\n"
                             "    char b[4];\n    int x = clew_int(\"x\");\n"
                             "    __VERIFIER_assume(x != 3);\n"
                             "    klee_make_symbolic(b, sizeof b, \"b\");\n"
                             "    printf(\"%d %.2s \", x, b); printf(\"%g %d \", clew_double(\"d\"), clew_bool(\"t\")); printf(\"%ld\\n\", "
                             "__VERIFIER_nondet_long());\n"
                             "    while (x == 4) continue;\n"
                             "    if (x == 5) reach_error();\n"
                             "}\n";

static void fill_asking(Scene *scene)
{
    scene_main(scene, asking, 0);
    scene_function(scene, "clew_int", UINT32_MAX, &type_int);
}

static void ask(LedgerTest *test, uint32_t x)
{
    scene_input(test, "x", 'i', 32, x);
    if (test->record.end == END_ASSUMPTION) return;
    scene_bytes(test, "b", "\0!!!", 4);
    test->record.inputs.data[1].bits = 'h';
    scene_input(test, "d", 'f', 64, 0x3fb999999999999a);
    scene_input(test, "t", 'b', 1, 1);
    scene_input(test, "long", 'i', 64, (U128)1 << 63);
}

static void test_inputs_are_given_in_order(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    fill_asking(&scene);
    ask(scene_test(&scene, "main", END_RETURN, 0, "-1 h! 0.1 1 -9223372036854775808\n"), 0xffffffff);
    ask(scene_test(&scene, "main", END_ASSUMPTION, 0, ""), 3);
    ask(scene_test(&scene, "main", END_LIMIT, 0, ""), 4);
    ask(scene_test(&scene, "main", END_SIGNAL, 6, "5 h! 0.1 1 -9223372036854775808\n"), 5);
    assert_int_equal(scene_emit(&scene), OK);
    check_make(&scene, "gcc", "", 0);
    assert_true(
        scene_has(&scene, "out dir/tests/test_main.c", "    clew_given(\"x\", 4, -1);\n    clew_given_bytes(\"b\", \"h!!!\", 4);\n"));
    assert_true(scene_has(&scene, "out dir/tests/test_main.c", "    clew_given_double(\"d\", 0.1);\n"));
    check_make(&scene, "clang-19", "", 0);
    scene_close(&scene);
}

static void test_other_questions_are_seen(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    fill_asking(&scene);
    LedgerTest *test = scene_test(&scene, "main", END_RETURN, 0, "");
    scene_input(test, "y", 'i', 32, 1);
    scene_test(&scene, "main", END_RETURN, 0, "");
    assert_int_equal(scene_emit(&scene), OK);
    check_make(&scene, "gcc", "", 2);
    assert_true(scene_has(&scene, "log", "the program asks for x (4 bytes), which the test does not give\n"));
    assert_true(scene_has(&scene, "log", "not ok 1 - "));
    assert_true(scene_has(&scene, "log", "not ok 2 - "));
    scene_close(&scene);
}

/* What nothing defines is given by the test. */
static void test_stubs_of_a_program(void **state)
{
    (void)state;
    static const CType *const params[] = {&type_int};
    static const CType type = {
        .kind = C_FUNCTION, .spelling = "int (int)", .plain = "int (int)", .of = &type_int, .params = params, .param_count = 1};
    static CParam channel[] = {{.name = "channel", .type = &type_int, .use = {.length = -1}}};
    static const uint32_t calls[] = {1};
    static const UnitOptions options;
    Scene scene;
    Units *units;
    scene_open(&scene);
    scene_main(&scene, "int sensor(int channel);\nint main(void) { int a = sensor(1); return a - sensor(2); }\n", 0);
    CFunction *sensor = scene_function(&scene, "sensor", UINT32_MAX, &type_int);
    sensor->source = 0;
    sensor->type = &type;
    sensor->params = channel;
    sensor->param_count = 1;
    sensor->file = scene.sources[0].path;
    scene.functions[0].calls = calls;
    scene.functions[0].call_count = 1;
    assert_int_equal(units_plan_program(&scene.decls, &options, &units, &scene.error), OK);
    assert_true(units_is_stub(units, "sensor"));
    LedgerTest *test = scene_test(&scene, "main", END_RETURN, 9, "");
    scene_input(test, "sensor()", 'i', 32, 12);
    scene_input(test, "sensor()", 'i', 32, 3);
    assert_int_equal(emit_suite(scene.ledger, &scene.decls, units, &scene.options, &scene.error), OK);
    check_make(&scene, "gcc", "", 0);
    check_make(&scene, "clang-19", "", 0);
    units_free(units);
    scene_close(&scene);
}

/* Sources that stand no other header beside them, and mains of all kinds. */
static void test_sources_of_all_kinds(void **state)
{
    (void)state;
    static const char system_names[] =
        "struct _IO_FILE { int mine; };\ntypedef unsigned size_t;\nint kill, open, link, write, exit(int), read = 7;\n"
        "int close(void) { return 1; }\nint remove(int a) { return a; }\nint main() { return read; }\n";
    static const char macros[] = "void abort(void);\n#define size 3\n#define name 4\n#define int_ int\n"
                                 "int main(argc, argv) int argc; char **argv;\n{ return size + name + !argc + !argv; }\n";
    static const char *const texts[] = {system_names, macros, "main() { return 7; }\n"};
    static const char *const flags[][2] = {{"-std=gnu17", "-w"}, {"-std=c89", "-pedantic-errors"}, {"-std=gnu89", "-w"}};
    for (unsigned i = 0; i < COUNT_OF(texts); i++) {
        Scene scene;
        scene_open(&scene);
        scene_main(&scene, texts[i], i == 1 ? 2 : 0);
        scene.sources[0].flags = flags[i];
        scene.sources[0].flag_count = 2;
        scene_test(&scene, "main", END_RETURN, 7, "");
        assert_int_equal(scene_emit(&scene), OK);
        check_make(&scene, "gcc", "", 0);
        check_make(&scene, "clang-19", "-Wno-deprecated-non-prototype", 0);
        scene_close(&scene);
    }
}

/* ---- bugs ---- */

static void test_a_bug_shows_itself(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    scene_main(
        &scene,
        "#include <stdio.h>\nint main(int argc, char **argv)\n{\n    int a[2] = {argc, 0};\n    return a[getchar() - 'a'] + !argv;\n}\n",
        2);
    LedgerTest *test = program_test(&scene, END_BUG, 11, "", "c");
    scene_bug(&scene, test, "out-of-bounds", "index 2 of an array of 2 */ elements");
    program_test(&scene, END_RETURN, 1, "", "a");
    assert_int_equal(scene_emit(&scene), OK);
    assert_string_equal(scene.ledger->tests.data[0].path, "tests/bugs/bug_1_main.c");
    assert_string_equal(scene.ledger->tests.data[1].path, "tests/test_main.c");
    check_make(&scene, "gcc", "", 0);
    assert_int_equal(scene_run(&scene, "make -s -C tests bugs CC=gcc"), 0);
    assert_true(scene_has(&scene, "log", "program.c:5:"));
    assert_true(scene_has(&scene, "log", "index 2 out of bounds"));
    /* The command in the head of the file works as it stands. */
    assert_int_equal(
        scene_run(&scene, "cd tests/bugs && eval \"$(sed -n 's/^ \\* *\\(cc .*\\) && .*/\\1/p' bug_1_main.c)\" && test -x bug_1_main"), 0);
    scene_close(&scene);
}

/* ---- several sources, flags, coverage ---- */

static void test_other_sources_are_linked_with_their_flags(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    char *sub = mem_format("%s/my include", scene.root);
    mkdir(sub, 0777);
    scene_write(&scene, "my include/value.h", "enum { VALUE = 5 };\n");
    scene_main(&scene,
               "#include <clew.h>\n#include \"own.h\"\nint other(void);\nint main(void) { if (other() == OWN) _exit(3); return 4; }\n", 0);
    scene_write(&scene, "own.h", "#include <unistd.h>\n#define OWN 5\n");
    scene_write(&scene, "clew.h", "");
    uint32_t other = scene_source(&scene, "other.c",
                                  "#include <value.h>\nint other(void) { return VALUE * (sizeof TEXT == 9); }\n"
                                  "int main(void) { return other(); }\n");
    CFunction *second = scene_function(&scene, "main", other, &type_int);
    second->params = main_params;
    const char *flags[] = {"-I", "my include", "-DTEXT=\"it's $ #\"", "-Werror=unused"};
    scene.sources[1].flags = flags;
    scene.sources[1].flag_count = 4;
    scene.sources[1].directory = scene.root;
    scene.options.include_dir = scene.root;
    scene.decls.includes_clew = true;
    scene.options.libraries = (const char *const[]){"-lm"};
    scene.options.library_count = 1;
    scene_test(&scene, "main", END_EXIT, 3, "");
    assert_int_equal(scene_emit(&scene), OK);
    check_make(&scene, "gcc", "", 0);
    assert_true(scene_has(&scene, "out dir/tests/Makefile", "FLAGS_1 = -I '../../my include' '-DTEXT=\"it'\\''s $$ \\#\"'"));
    EmitBuild build;
    emit_build(scene.ledger, &scene.decls, NULL, &scene.options, "main", &build);
    assert_int_equal(build.other_sources.len, 1);
    assert_int_equal(build.other_sources.data[0], 1);
    assert_string_equal(vec_top(&build.libraries), "-lm");
    emit_build_release(&build);
    emit_build_source(scene.ledger, &scene.decls, &scene.options, 1, &build);
    assert_string_equal(build.flags.data[1], sub);
    assert_string_equal(vec_top(&build.flags), "-Dmain=clew_program_main_1");
    emit_build_release(&build);
    /* gcov sees what a process did that ends by _exit. */
    assert_int_equal(scene_run(&scene, "make -s -C tests CC=gcc coverage"), 0);
    assert_true(scene_has(&scene, "out dir/tests/coverage/program.c.gcov", "       1*:    4:int main(void)"));
    free(sub);
    scene_close(&scene);
}

static void test_cmocka(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    fill_surroundings(&scene);
    scene.options.formats = 1u << EMIT_CMOCKA;
    assert_int_equal(scene_emit(&scene), OK);
    assert_string_equal(scene.ledger->tests.data[0].path, "tests/test_main.c"); /* the one that replay runs */
    assert_int_equal(scene_run(&scene, "make -s -C cmocka CC=gcc CFLAGS='-Wall -Wextra -Werror'"), 0);
    scene.ledger->tests.data[1].record.status = 1;
    assert_int_equal(scene_emit(&scene), OK);
    assert_int_equal(scene_run(&scene, "make -s -C cmocka CC=gcc"), 2);
    assert_true(scene_has(&scene, "log", "should exit with status 1"));
    assert_true(scene_has(&scene, "log", "3 test(s)."));
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surroundings_of_a_program),
        cmocka_unit_test(test_differences_are_seen),
        cmocka_unit_test(test_inputs_are_given_in_order),
        cmocka_unit_test(test_other_questions_are_seen),
        cmocka_unit_test(test_stubs_of_a_program),
        cmocka_unit_test(test_sources_of_all_kinds),
        cmocka_unit_test(test_a_bug_shows_itself),
        cmocka_unit_test(test_other_sources_are_linked_with_their_flags),
        cmocka_unit_test(test_cmocka),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
