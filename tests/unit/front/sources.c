/* Where programs come from: several files, bitcode, directories, compilation databases, Clew's library; and what is said when that
 * fails. */
#include "load.h"

#include <sys/stat.h>

typedef struct Folder {
    char path[64];
} Folder;

static Folder new_folder(void)
{
    Folder folder = {"/tmp/clew-test-XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static void put(const Folder *folder, const char *name, const char *text)
{
    char *path = mem_format("%s/%s", folder->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

static void run(const char *format, ...)
{
    char command[512];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

static void remove_folder(const Folder *folder)
{
    run("rm -r %s", folder->path);
}

static Status load_path(const char *path, const char *entry, const char *models, Program **program, Error *error)
{
    FrontOptions options = {.files = &path, .file_count = 1, .entry = entry, .models_dir = models};
    return front_load(&options, program, NULL, error);
}

static void directory_of_sources(void **state)
{
    (void)state;
    Folder folder = new_folder();
    Program *p;
    Error error;
    put(&folder, "a.c", "int g(void); static int s(void) { return 1; } int main(void) { return g() + s(); }");
    put(&folder, "b.c", "static int s(void) { return 2; } int g(void) { return s(); }");
    put(&folder, "notes.txt", "not a source");
    assert_int_equal(load_path(folder.path, "main", NULL, &p, &error), OK);
    program_check(p);
    assert_true(function_of(p, "main")->defined && function_of(p, "g")->defined);
    program_free(p);
    remove_folder(&folder);
}

static void compilation_database(void **state)
{
    (void)state;
    Folder folder = new_folder();
    Program *p;
    Error error;
    run("mkdir %s/src %s/inc", folder.path, folder.path);
    put(&folder, "inc/k.h", "#define K 42");
    put(&folder, "src/a.c", "#include <k.h>\nint a(void) { return K + N + sizeof TEXT; }");
    put(&folder, "src/b.c", "int b(void) { return B; }");
    StrBuf json = {0};
    strbuf_addf(&json,
                "[{\"directory\": \"%s/src\", \"file\": \"a.c\", \"command\": \"cc -O2 -I ../inc '-DN=1 + 2' -DTEXT='\\\"a "
                "b\\\"' -MD -c a.c -o a.o\"},"
                "{\"directory\": \"%s\", \"file\": \"src/b.c\", \"arguments\": [\"cc\", \"-DB=5\", \"-c\", \"src/b.c\"]},"
                "{\"directory\": \"%s\", \"file\": \"src/b.c\", \"arguments\": [\"cc\", \"-DB=5\", \"-O3\", \"-c\", \"src/b.c\"]}]",
                folder.path, folder.path, folder.path);
    put(&folder, "compile_commands.json", json.text);
    strbuf_release(&json);
    assert_int_equal(load_path(folder.path, NULL, NULL, &p, &error), OK);
    const Function *a = function_of(p, "a");
    const Instr *back = find_op(a, OP_RETURN);
    assert_true(operand_is_const(back->a));
    assert_int_equal(p->consts[operand_index(back->a)].value, 42 + 3 + 4);
    assert_string_equal(strrchr(a->file, '/'), "/a.c");
    assert_int_equal(a->file[0], '/'); /* compiled elsewhere, so the name says where */
    program_free(p);
    remove_folder(&folder);
}

static void library_gives_way_to_the_program(void **state)
{
    (void)state;
    Folder folder = new_folder();
    Program *p;
    Error error;
    put(&folder, "lib1.c",
        "int helper(int); int counter = 1; int twice(int a) { return helper(a) + counter; "
        "} int own(void) { return 1; }");
    put(&folder, "lib2.c", "static int local = 4; int helper(int a) { return a > local ? a : 2 * a; }");
    put(&folder, "lib3.c", "this is never read");
    put(&folder, "start.c", "int main(int, char **); void clew__start(void) { main(0, 0); }");
    run("cd %s && for f in lib1 lib2 start; do clang-19 -O1 -g -emit-llvm -c $f.c -o $f.bc || exit 1; done", folder.path);
    put(&folder, "lib3.bc", "damaged");
    put(&folder, "index", "lib1.bc twice own counter\nlib2.bc helper\nlib3.bc unused\nstart.bc clew__start\n");
    put(&folder, "user.c", "int twice(int); int own(void) { return 7; } int main(void) { return twice(3) + own(); }");
    char *path = mem_format("%s/user.c", folder.path);
    assert_int_equal(load_path(path, "main", folder.path, &p, &error), OK);
    program_check(p);
    assert_true(function_of(p, "twice")->in_model && function_of(p, "helper")->in_model && function_of(p, "clew__start")->defined);
    assert_false(function_of(p, "own")->in_model);
    assert_false(function_of(p, "main")->in_model);
    assert_true(program_global(p, "counter")->in_model);
    for (uint32_t i = 0; i < p->branch_count; i++) assert_true(p->branches[i].uncounted);
    program_free(p);
    free(path);
    remove_folder(&folder);
}

static void expect_error(const char *ending, const char *text, const char *entry, const char *message)
{
    Program *p = NULL;
    Error error = {0};
    assert_int_equal(try_load(ending, text, entry, &p, &error), FAILED);
    assert_null(p);
    if (!strstr(error.text, message)) fail_msg("the message \"%s\" does not say \"%s\"", error.text, message);
}

static void faults_are_explained(void **state)
{
    (void)state;
    Program *p;
    Error error;
    expect_error(".c", "int f(void) { return 1; }", "main", "no function main in");
    expect_error(".ll", "this is not LLVM code", NULL, "is no LLVM bitcode");
    expect_error(".ll", "define i32 @f() { ret i64 0 }", NULL, "is no LLVM bitcode");
    expect_error(".bc", "BC\xc0\xde garbage garbage garbage", NULL, "bitcode");
    expect_error(".txt", "hello", NULL, "is not a kind of file");
    assert_int_equal(load_path("/nonexistent/a.c", NULL, NULL, &p, &error), FAILED);
    assert_non_null(strstr(error.text, "/nonexistent/a.c"));
    char *a = write_file(".c", "int f(void) { return 1; }"), *b = write_file(".c", "int f(void) { return 2; }");
    const char *files[] = {a, b};
    FrontOptions options = {.files = files, .file_count = 2};
    assert_int_equal(front_load(&options, &p, NULL, &error), FAILED);
    assert_non_null(strstr(error.text, "'f'"));
    unlink(a);
    unlink(b);
    free(a);
    free(b);
}

/* What optimised code holds that unoptimised code never does. */
static void bitcode_of_another_hand(void **state)
{
    (void)state;
    Program *p;
    Error error = {0};
    const char *text = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
                       "@g = global i32 3\n"
                       "define i64 @f(i1 %c) optnone noinline {\n"
                       "entry:\n  %x = alloca i64\n  store i64 5, ptr %x\n  %v = load i64, ptr %x\n  br i1 %c, label %a, label %b\n"
                       "a:\n  br label %b\n"
                       "b:\n  %p = phi i64 [ %v, %entry ], [ mul (i64 ptrtoint (ptr @g to i64), i64 3), %a ]\n  ret i64 %p\n"
                       "dead:\n  %q = phi i64 [ %q2, %dead ]\n  %q2 = add i64 %q, 1\n  br label %dead\n}\n";
    assert_int_equal(try_load(".ll", text, NULL, &p, &error), OK);
    program_check(p);
    const Function *f = function_of(p, "f");
    assert_int_equal(count_op(f, OP_ALLOCA), 0);
    assert_int_equal(count_op(f, OP_MUL), 1); /* a product of an address cannot be a constant */
    program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directory_of_sources),
        cmocka_unit_test(compilation_database),
        cmocka_unit_test(library_gives_way_to_the_program),
        cmocka_unit_test(faults_are_explained),
        cmocka_unit_test(bitcode_of_another_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
