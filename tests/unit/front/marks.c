/* front: marks of functions, from any file, and the signs of parameters. */
#include "load.h"

#define CONCRETE "__attribute__((annotate(\"clew.concrete\"))) "
#define PARTITION(text) "__attribute__((annotate(\"clew.partition:" text "\"))) "

static void marks_are_kept(void **state)
{
    (void)state;
    Program *p = load(CONCRETE PARTITION("x > 3") PARTITION("x <= 3") PARTITION(
        "x > 3") "int f(int x) { return x; }"
                 "__attribute__((annotate(\"other\"))) int g(int x) { return x; }" PARTITION(" ") "int h(int x) { return f(x); }");
    const Function *f = function_of(p, "f"), *g = function_of(p, "g"), *h = function_of(p, "h");
    assert_true(f->concrete);
    assert_int_equal(f->partition_count, 2);
    assert_int_equal(strcmp(f->partitions[0], f->partitions[1]) != 0, 1);
    for (uint32_t i = 0; i < 2; i++) assert_true(strcmp(f->partitions[i], "x > 3") == 0 || strcmp(f->partitions[i], "x <= 3") == 0);
    assert_false(g->concrete);
    assert_int_equal(g->partition_count, 0);
    assert_int_equal(h->partition_count, 0);
    StrBuf text = {0};
    program_print(p, &text);
    assert_non_null(strstr(text.text, "concrete partition \"x"));
    strbuf_release(&text);
    program_free(p);
}

/* As with a header: the file that calls it knows of the mark, the file that defines it does not. */
static void a_mark_on_a_declaration_holds_elsewhere(void **state)
{
    (void)state;
    char *caller = write_file(".c", CONCRETE PARTITION("x > 3") "unsigned hash(unsigned x); unsigned test(unsigned a) { return hash(a); }");
    char *callee = write_file(".c", "unsigned hash(unsigned x) { return x * 33; }");
    const char *files[] = {caller, callee};
    for (unsigned order = 0; order < 2; order++) {
        FrontOptions options = {.files = (const char *[]){files[order], files[!order]}, .file_count = 2};
        Program *p;
        Error error;
        if (front_load(&options, &p, NULL, &error) != OK) fail_msg("%s", error.text);
        program_check(p);
        const Function *hash = function_of(p, "hash");
        assert_true(hash->defined && hash->concrete);
        assert_int_equal(hash->partition_count, 1);
        assert_string_equal(hash->params[0].name, "x");
        assert_false(hash->params[0].type.sign);
        program_free(p);
    }
    unlink(caller);
    unlink(callee);
    free(caller);
    free(callee);
}

static void parameters_have_the_signs_of_their_types(void **state)
{
    (void)state;
    Program *p = load(
        "typedef unsigned U; typedef const U C; typedef long L; enum positive { P }; enum negative { N = -1 };"
        "void f(int a, unsigned b, C c, volatile L d, enum positive e, enum negative g, char h, signed char i, unsigned char j, short k,"
        "unsigned short l, long long m, unsigned long long n, _Bool o) { }"
        "void w(__int128 a, unsigned b, unsigned __int128 c, int d) { }");
    static const bool signs[] = {true, false, false, true, false, true, true, true, false, true, false, true, false, false};
    const Function *f = function_of(p, "f"), *w = function_of(p, "w");
    assert_int_equal(f->param_count, COUNT_OF(signs));
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].type.sign != signs[i]) fail_msg("the sign of %s", f->params[i].name);
    for (uint32_t i = 0; i < w->param_count; i++)
        if (w->params[i].type.sign != (w->params[i].name[0] == 'a' || w->params[i].name[0] == 'd'))
            fail_msg("the sign of %s", w->params[i].name);
    program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_kept),
        cmocka_unit_test(a_mark_on_a_declaration_holds_elsewhere),
        cmocka_unit_test(parameters_have_the_signs_of_their_types),
    };
    return cmocka_run_group_tests_name("front: marks", tests, NULL, NULL);
}
