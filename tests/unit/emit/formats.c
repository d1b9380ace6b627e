/* emit: texts, paths, and the formats of bytes and of XML. */
#include "world.h"

#include <math.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_sha256_of_known_texts(void **state)
{
    (void)state;
    char hex[65], text[200];
    emit__sha256("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    emit__sha256("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    emit__sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(text, 'a', sizeof text);
    emit__sha256(text, 119, hex); /* the padding needs a block of its own */
    assert_string_equal(hex, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
    char *million = malloc(1000000);
    memset(million, 'a', 1000000);
    emit__sha256(million, 1000000, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

static void check_relative(const char *from, const char *to, const char *expected)
{
    char *path = emit__relative(from, to);
    assert_string_equal(path, expected);
    free(path);
}

static void test_relative_paths(void **state)
{
    (void)state;
    check_relative("/a/b/out/tests", "/a/b/x.c", "../../x.c");
    check_relative("/a/b", "/a/b/x.c", "x.c");
    check_relative("/a/b", "/a/bc/x.c", "../bc/x.c");
    check_relative("/a/bc", "/a/b", "../b");
    check_relative("/", "/a/x.c", "a/x.c");
    check_relative("/a", "/x.c", "../x.c");
    check_relative("/a/b", "/a", "../.");
    check_relative("/a/b", "/a/b", ".");
}

static void check_string(const char *bytes, size_t n, const char *expected)
{
    StrBuf out = {0};
    emit__string(&out, bytes, n, 4);
    assert_string_equal(out.text, expected);
    strbuf_release(&out);
}

static void test_string_literals(void **state)
{
    (void)state;
    check_string("", 0, "\"\"");
    check_string("a\"b\\", 4, "\"a\\\"b\\\\\"");
    check_string("\0001", 2, "\"\\0001\"");
    check_string("a\nb\n", 4, "\"a\\n\"\n    \"b\\n\"");
    check_string("?\?=", 3, "\"?\\?=\"");
    check_string("\xff\x7f", 2, "\"\\377\\177\"");
}

static void check_word(const char *word, const char *shell, const char *make)
{
    StrBuf out = {0};
    emit__shell_word(&out, word);
    assert_string_equal(out.text, shell);
    strbuf_clear(&out);
    emit__make_word(&out, word);
    assert_string_equal(out.text, make);
    strbuf_release(&out);
}

static void test_words(void **state)
{
    (void)state;
    check_word("-Iinclude", "-Iinclude", "-Iinclude");
    check_word("", "''", "''");
    check_word("-DX=\"a b\"", "'-DX=\"a b\"'", "'-DX=\"a b\"'");
    check_word("it's $HOME #1", "'it'\\''s $HOME #1'", "'it'\\''s $$HOME \\#1'");
}

static void check_float(uint32_t width, U128 bits)
{
    StrBuf out = {0};
    emit__float(&out, width, bits);
    if (width == 32) {
        float back = strtof(out.text, NULL);
        assert_memory_equal(&back, &(uint32_t){(uint32_t)bits}, 4);
    } else {
        double back = strtod(out.text, NULL);
        assert_memory_equal(&back, &(uint64_t){(uint64_t)bits}, 8);
    }
    strbuf_release(&out);
}

static void test_floats_parse_back_exactly(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 1);
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t bits = random_next(&random);
        if ((bits >> 52 & 0x7ff) != 0x7ff) check_float(64, bits);
        if ((bits >> 23 & 0xff) != 0xff) check_float(32, (uint32_t)bits);
    }
    check_float(64, 1);                  /* the smallest */
    check_float(64, (uint64_t)1 << 63);  /* -0.0 */
    check_float(64, 0x7fefffffffffffff); /* the largest */
    check_float(64, 0x7ff0000000000000); /* inf */
}

static void check_decimal(U128 bits, uint32_t width, bool is_signed, const char *expected)
{
    StrBuf out = {0};
    emit__decimal(&out, bits, width, is_signed);
    assert_string_equal(out.text, expected);
    strbuf_release(&out);
}

static void test_decimals(void **state)
{
    (void)state;
    check_decimal(0, 1, false, "0");
    check_decimal(0xff, 8, true, "-1");
    check_decimal(0xff, 8, false, "255");
    check_decimal((U128)1 << 31, 32, true, "-2147483648");
    check_decimal((U128)1 << 127, 128, true, "-170141183460469231731687303715884105728");
    check_decimal(~(U128)0, 128, false, "340282366920938463463374607431768211455");
}

static void test_inputs_are_put_together(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    LedgerTest *test = scene_test(&scene, "main", END_RETURN, 0, "");
    scene_input(test, "stdin.size", 'u', 64, 2);
    scene_bytes(test, "stdin", "xyz", 3);
    scene_input(test, "a b.txt.size", 'u', 64, 9);
    scene_bytes(test, "a b.txt", "12", 2);
    scene_bytes(test, "argv2", "-v\0\0", 4);
    scene_bytes(test, "argv3", "full", 4);
    scene_bytes(test, "$HOME", "/x\0", 3);
    scene_bytes(test, "$NO", "yy", 2);
    scene_input(test, "$HOME.set", 'b', 1, 1);
    scene_input(test, "$NO.set", 'b', 1, 0);
    scene_input(test, "argc", 'u', 32, 1);
    scene_input(test, "x.size", 'u', 64, 7); /* no bytes of x follow: the program asked for it */
    scene_bytes(test, "buf", "ab", 2);
    scene_bytes(test, "buf", "cd", 2);
    scene_input(test, "a[3]", 'i', 32, 5);
    World world;
    emit__world(&test->record, 1, &world);
    assert_true(world.has_input);
    assert_string_equal(world.input.text, "xy");
    assert_int_equal(world.files.len, 1);
    assert_string_equal(world.files.data[0].name, "a b.txt");
    assert_string_equal(world.files.data[0].bytes.text, "12");
    assert_int_equal(world.fixed_arguments, 2);
    assert_int_equal(world.argument_count, 3);
    assert_string_equal(world.arguments.data[0].text, "-v");
    assert_int_equal(world.arguments.data[1].len, 4);
    assert_int_equal(world.variables.len, 1);
    assert_string_equal(world.variables.data[0].bytes.text, "/x");
    assert_string_equal(world.unset.data[0], "NO");
    assert_int_equal(world.asked.len, 4);
    assert_string_equal(world.asked.data[0].name, "x.size");
    assert_string_equal(world.asked.data[1].name, "buf");
    assert_int_equal(world.asked.data[2].count, 2);
    assert_string_equal(world.asked.data[3].name, "a[3]");
    emit__release_world(&world);
    scene_close(&scene);
}

static void test_ktest(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    scene_main(&scene, "int main(void) { return 0; }\n", 0);
    LedgerTest *test = scene_test(&scene, "main", END_RETURN, 0, "");
    scene_bytes(test, "buf", "a\0c", 3);
    scene_input(test, "n", 'i', 32, 0x01020304);
    scene_input(test, "flag", 'b', 1, 1);
    const char *arguments[] = {"prog", "-x"};
    scene.options.formats = 1u << EMIT_KTEST;
    scene.options.arguments = arguments;
    scene.options.argument_count = 2;
    assert_int_equal(scene_emit(&scene), OK);
    static const char expected[] = "KTEST\0\0\0\3\0\0\0\2\0\0\0\4prog\0\0\0\2-x\0\0\0\0\0\0\0\0\0\0\0\3"
                                   "\0\0\0\3buf\0\0\0\3a\0c\0\0\0\1n\0\0\0\4\4\3\2\1\0\0\0\4flag\0\0\0\1\1";
    size_t n;
    char *bytes = scene_read(&scene, "out dir/ktest/main-1.ktest", &n);
    assert_non_null(bytes);
    assert_int_equal(n, sizeof expected - 1);
    assert_memory_equal(bytes, expected, n);
    free(bytes);
    scene_close(&scene);
}

static void test_testcomp(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    scene_main(&scene, "abc", 0);
    free((char *)(uintptr_t)scene.sources[0].path);
    scene_write(&scene, "a<&b.c", "abc");
    scene.sources[0].path = mem_format("%s/a<&b.c", scene.root);
    LedgerTest *test = scene_test(&scene, "main", END_BUG, 6, "");
    scene_input(test, "int", 'i', 32, 0xffffffff);
    scene_input(test, "double", 'f', 64, 0x3fe0000000000000);
    scene_input(test, "bool", 'b', 1, 1);
    scene_input(test, "int128.low", 'u', 64, ~(uint64_t)0);
    scene_input(test, "int128.high", 'u', 64, ~(uint64_t)0);
    scene_bug(&scene, test, "assertion", "reach_error");
    scene_test(&scene, "main", END_ASSUMPTION, 0, "");
    test = scene_test(&scene, "main", END_BUG, 6, "");
    scene_bug(&scene, test, "abort", "abort was called");
    test->record.function = mem_strdup("reach_error");
    scene_bug(&scene, scene_test(&scene, "main", END_BUG, 8, ""), "division-by-zero", "by zero");
    scene.options.formats = 1u << EMIT_TESTCOMP;
    assert_int_equal(scene_emit(&scene), OK);
    assert_true(
        scene_has(&scene, "out dir/testcomp/test-1.xml",
                  "\"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n"
                  "<testcase coversError=\"true\">\n  <input>-1</input>\n  <input>0.5</input>\n  <input>1</input>\n  <input>-1</input>\n"
                  "</testcase>\n"));
    assert_true(scene_has(&scene, "out dir/testcomp/test-2.xml", "<testcase>\n</testcase>\n"));
    assert_true(scene_has(&scene, "out dir/testcomp/test-3.xml", "<testcase coversError=\"true\">\n</testcase>\n"));
    assert_true(scene_has(&scene, "out dir/testcomp/test-4.xml", "<testcase>\n</testcase>\n"));
    assert_true(scene_has(&scene, "out dir/testcomp/metadata.xml",
                          "a&lt;&amp;b.c</programfile>\n  <programhash>"
                          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad</programhash>\n  <entryfunction>main<"));
    scene_close(&scene);
}

static void test_corpus(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    scene_main(&scene, "int main(void) { return 0; }\n", 0);
    LedgerTest *test = scene_test(&scene, "main", END_RETURN, 0, "");
    scene_input(test, "stdin.size", 'u', 64, 2);
    scene_bytes(test, "stdin", "xyz", 3);
    test = scene_test(&scene, "main", END_RETURN, 0, "");
    scene_input(test, "n", 'u', 16, 0x4241);
    scene_bytes(test, "buf", "CD", 2);
    scene.options.formats = 1u << EMIT_CORPUS;
    assert_int_equal(scene_emit(&scene), OK);
    size_t n;
    char *bytes = scene_read(&scene, "out dir/corpus/main-1", &n);
    assert_int_equal(n, 2);
    assert_memory_equal(bytes, "xy", 2);
    free(bytes);
    bytes = scene_read(&scene, "out dir/corpus/main-2", &n);
    assert_int_equal(n, 4);
    assert_memory_equal(bytes, "ABCD", 4);
    free(bytes);
    scene_close(&scene);
}

static void test_what_is_no_longer_written_is_removed(void **state)
{
    (void)state;
    Scene scene;
    scene_open(&scene);
    scene_main(&scene, "int main(void) { return 0; }\n", 0);
    scene_test(&scene, "main", END_RETURN, 0, "");
    scene_test(&scene, "main", END_RETURN, 0, "");
    scene.options.formats = 1u << EMIT_KTEST | 1u << EMIT_CORPUS;
    assert_int_equal(scene_emit(&scene), OK);
    scene_write(&scene, "out dir/corpus/mine", "");
    scene.ledger->tests.data[0].kept = false;
    scene.options.formats = 1u << EMIT_CORPUS;
    assert_int_equal(scene_emit(&scene), OK);
    assert_null(scene.ledger->tests.data[0].path);
    assert_string_equal(scene.ledger->tests.data[1].path, "tests/test_main.c");
    assert_int_equal(scene_run(&scene, "test ! -e ktest -a ! -e corpus/main-1 -a -e corpus/main-2 -a -e corpus/mine"), 0);
    /* A manifest that names other files does no harm. */
    scene_write(&scene, "precious", "");
    scene_write(&scene, "out dir/manifest", "../precious\n/etc/passwd\ncorpus/../../precious\n");
    assert_int_equal(scene_emit(&scene), OK);
    assert_int_equal(scene_run(&scene, "test -e ../precious"), 0);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256_of_known_texts),
        cmocka_unit_test(test_relative_paths),
        cmocka_unit_test(test_string_literals),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_floats_parse_back_exactly),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_inputs_are_put_together),
        cmocka_unit_test(test_ktest),
        cmocka_unit_test(test_testcomp),
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_what_is_no_longer_written_is_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
