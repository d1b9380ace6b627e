/* front: the outcomes that get counters are the branches of the Program, one by one. */
#include "load.h"

#include <sys/wait.h>

/* Every way of branching: conditionals, && and || and ?: in conditions and as values, selects, switches with ranges, groups and without
 * default, loops, macros over lines, computed goto, a function that mem2reg leaves alone. */
static const char subject[] =
    "#include <setjmp.h>\n"
    "typedef struct { int a, b; } pair;\n"
    "typedef int four __attribute__((ext_vector_type(4)));\n"
    "static int helper(int x) { return x > 3 ? 1 : 2; }\n"
    "#define CHECK(x) do { if ((x) < 0) \\\n return -1; } while (0)\n"
    "int conditions(int a, int b, int c)\n"
    "{\n"
    "    int r = a && b || !c;\n"
    "    CHECK(a);\n"
    "    if (a &&\n"
    "        b > 2 &&\n"
    "        (c || helper(a)))\n"
    "        r += a ? b : helper(c);\n"
    "    for (int i = 0; i < a; i++) while (b--) if (i == b) continue; else do c++; while (c < 3);\n"
    "    return r ? r : a;\n"
    "}\n"
    "int cases(int x, unsigned char y)\n"
    "{\n"
    "    switch (x) { case 1: case 2: return 1; case 10 ... 13: return 2; case 100 ... 1000: x++; case -1: break; }\n"
    "    switch (y) { case 7: return 3; default: return x < 0 ? -x : x; }\n"
    "}\n"
    "int label(int x) { static void *t[] = {&&one, &&two}; goto *t[x & 1]; one: return x ? 5 : 6; two: return 2; }\n"
    "static jmp_buf jump;\n"
    "int jumps(int x) { volatile int y = x; if (setjmp(jump)) return y > 3; if (x) longjmp(jump, 1); return 0; }\n"
    "four vectors(four a, four b) { four c = a > b ? a : b; return c[0] ? c : a; }\n"
    "pair pairs(int x) { return x ? (pair){1, 2} : (pair){3, 4}; }\n"
    "int wide(unsigned _BitInt(200) w, long double d) { switch ((unsigned)w) { case 3: return d > 1 ? 1 : 0; } return w > 7 ? 4 : 5; }\n"
    "int unset(int x) { int y; if (x) y = 3; return y ? 1 : 0; }\n"
    "int empty(void) { return 0; }\n";

typedef struct Heard {
    char function[32];
    uint32_t line, column, ordinal, which;
} Heard;
typedef struct Hearing {
    Vec(Heard) all;
    const char *left_out; /* a function that is not to be counted */
    uint32_t files;       /* that are not the source */
    const char *source;
} Hearing;

static uint32_t hear(void *data, const FrontOutcome *outcome)
{
    Hearing *hearing = data;
    Heard heard = {.line = outcome->line, .column = outcome->column, .ordinal = outcome->ordinal, .which = outcome->which};
    snprintf(heard.function, sizeof heard.function, "%s", outcome->function);
    if (strcmp(outcome->file, hearing->source) != 0) hearing->files++;
    vec_push(&hearing->all, heard);
    if (hearing->left_out && strcmp(outcome->function, hearing->left_out) == 0) return UINT32_MAX;
    return hearing->all.len - 1;
}

static void run(const char *format, ...)
{
    va_list args;
    char command[1024];
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    int status = system(command);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("%s", command);
}

static const char flags[] = "clang-19 -std=gnu2x -w -D__NO_CTYPE -O0 -g -Xclang -disable-O0-optnone -ffine-grained-bitfield-accesses";

static void outcomes_are_the_branches_of_the_program(void **state)
{
    (void)state;
    char *path = write_file(".c", subject), *bitcode = mem_format("%s.bc", path), *out = mem_format("%s.counted.bc", path);
    const char *files[] = {path}, *given[] = {"-w", "-std=gnu2x"};
    FrontOptions options = {.files = files, .file_count = 1, .flags = given, .flag_count = 2};
    Program *program;
    Error error;
    if (front_load(&options, &program, NULL, &error) != OK) fail_msg("%s", error.text);
    run("%s -emit-llvm -c -o %s %s", flags, bitcode, path);
    Hearing hearing = {.source = path};
    if (front_count(bitcode, out, hear, &hearing, &error) != OK) fail_msg("%s", error.text);
    assert_true(program->branch_count > 60);
    assert_int_equal(hearing.all.len, program->branch_count);
    assert_int_equal(hearing.files, 0);
    for (uint32_t i = 0; i < program->branch_count; i++) { /* both go through functions and instructions in the same order */
        const Branch *branch = &program->branches[i];
        const Heard *heard = &hearing.all.data[i];
        const Loc *loc = &program->locs[branch->loc];
        assert_string_equal(heard->function, program->functions[branch->function].name);
        assert_int_equal(heard->ordinal, branch->ordinal);
        assert_int_equal(heard->which, branch->which);
        assert_int_equal(heard->line, loc->line);
        assert_int_equal(heard->column, loc->column);
    }
    run("opt-19 -passes=verify -disable-output %s", out);
    vec_release(&hearing.all);
    program_free(program);
    unlink(path);
    unlink(bitcode);
    unlink(out);
    free(path);
    free(bitcode);
    free(out);
}

static const char counted_program[] = "static int f(int x) { return x > 3 ? 1 : 2; }\n"
                                      "static int g(int x) { switch (x) { case 5: return 1; case 7: return 2; default: return 3; } }\n"
                                      "static int quiet(int x) { if (x) return 1; return 2; }\n"
                                      "int main(void) { int r = f(5) + g(7) + g(8) + quiet(1); if (r == 7) return 0; return 1; }\n";
static const char counter[] = "#include <stdio.h>\nvoid clew_count(unsigned n) { printf(\"%d \", (int)n); }\n";

/* In the order of the code: f 0 1, g 2 3 4, quiet 5 6, main 7 8 (clang writes main first: its numbers then come first). */
static void counters_tell_what_was_taken(void **state)
{
    (void)state;
    char *path = write_file(".c", counted_program), *runtime = write_file(".c", counter), *told = write_file(".txt", "");
    char *bitcode = mem_format("%s.bc", path), *out = mem_format("%s.counted.bc", path);
    run("%s -emit-llvm -c -o %s %s", flags, bitcode, path);
    Hearing hearing = {.source = path, .left_out = "quiet"};
    Error error;
    if (front_count(bitcode, out, hear, &hearing, &error) != OK) fail_msg("%s", error.text);
    run("clang-19 -w %s %s -o %s.exe && %s.exe > %s", out, runtime, path, path, told);
    static const struct {
        const char *function;
        uint32_t which;
    } expected[] = {{"f", 0}, {"g", 1}, {"g", 2}, {"main", 0}};
    FILE *file = fopen(told, "r");
    assert_non_null(file);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        int number;
        assert_int_equal(fscanf(file, "%d", &number), 1);
        assert_in_range(number, 0, hearing.all.len - 1);
        assert_string_equal(hearing.all.data[number].function, expected[i].function);
        assert_int_equal(hearing.all.data[number].which, expected[i].which);
    }
    assert_int_equal(getc(file), ' ');
    assert_int_equal(getc(file), EOF);
    fclose(file);
    run("rm -f %s %s %s %s %s %s.exe", path, runtime, told, bitcode, out, path);
    vec_release(&hearing.all);
    char *names[] = {path, runtime, told, bitcode, out};
    for (size_t i = 0; i < COUNT_OF(names); i++) free(names[i]);
}

static void damaged_code_is_refused(void **state)
{
    (void)state;
    char *path = write_file(".bc", "no code");
    Error error = {0};
    assert_int_equal(front_count(path, "/dev/null", hear, NULL, &error), FAILED);
    assert_non_null(strstr(error.text, path));
    unlink(path);
    assert_int_equal(front_count(path, "/dev/null", hear, NULL, &error), FAILED);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_the_branches_of_the_program),
        cmocka_unit_test(counters_tell_what_was_taken),
        cmocka_unit_test(damaged_code_is_refused),
    };
    return cmocka_run_group_tests_name("front: counters", tests, NULL, NULL);
}
