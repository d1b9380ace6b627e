/* Test programs in four builds.
 *
 *   counted    clang's code with a counter before every branch (front_count): compiled with the flags that front/ compiles the source with, so
 *              that it has the same branches; then counters, machine code, and a runtime that keeps the counters in a shared file
 *   sanitized  gcc with AddressSanitizer and UndefinedBehaviorSanitizer; the latter goes on after a report, since it also reports what no bug of
 *              the ledger is about
 *   memory     clang with MemorySanitizer
 *   coverage   gcc with gcov; `_exit` writes the counts first, as exit does
 *
 * A test file includes the source of its unit.  Other sources, and Clew's own files beside the tests, are compiled once for each build and shared.
 * Each file goes through its stages on its own; when the last object of a program is there, it is linked. */
#include "replay/replay_int.h"
#include "front/front.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CLANG "clang-19"
enum { MESSAGE_BYTES = 65536 };

/* Raw system calls, and no other function of the library: the program under test may define functions of those names. */
static const char counted_runtime[] =
    "#include <fcntl.h>\n"
    "#include <stdint.h>\n"
    "#include <sys/mman.h>\n"
    "#include <sys/syscall.h>\n"
    "#include <unistd.h>\n"
    "extern char **environ;\n"
    "static volatile unsigned char *counts;\n"
    "static uint64_t size, stride;\n"
    "static const char *value(const char *name)\n"
    "{\n"
    "    for (char **e = environ; e && *e; e++) {\n"
    "        unsigned i = 0;\n"
    "        while (name[i] && (*e)[i] == name[i]) i++;\n"
    "        if (!name[i]) return *e + i;\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "__attribute__((constructor(101))) static void open_counts(void)\n"
    "{\n"
    "    const char *path = value(\"CLEW_COUNTS=\"), *digits = value(\"CLEW_STRIDE=\");\n"
    "    long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR) : -1;\n"
    "    if (fd < 0) return;\n"
    "    long n = syscall(SYS_lseek, fd, 0, SEEK_END);\n"
    "    long at = n > 0 ? syscall(SYS_mmap, 0L, n, (long)(PROT_READ | PROT_WRITE), (long)MAP_SHARED, fd, 0L) : -1;\n"
    "    syscall(SYS_close, fd);\n"
    "    if (at < 0 && at > -4096) return;\n"
    "    counts = (unsigned char *)at;\n"
    "    size = (uint64_t)n;\n"
    "    for (; digits && *digits; digits++) stride = 10 * stride + (uint64_t)(*digits - '0');\n"
    "    if (!stride || stride > size) stride = size;\n"
    "}\n"
    "/* From now on the outcomes of this test are counted, in a child process of its own. */\n"
    "void clew_count_test(unsigned long index);\n"
    "void clew_count_test(unsigned long index)\n"
    "{\n"
    "    if (counts && (index + 1) * stride <= size) counts += index * stride;\n"
    "}\n"
    "void clew_count(uint32_t number);\n"
    "void clew_count(uint32_t number)\n"
    "{\n"
    "    if (number < stride) counts[number] = 1;\n"
    "}\n";

static const char coverage_runtime[] = "#include <stdlib.h>\n"
                                       "#include <sys/syscall.h>\n"
                                       "#include <unistd.h>\n"
                                       "void __gcov_dump(void);\n"
                                       "_Noreturn void __wrap__exit(int status);\n"
                                       "_Noreturn void __wrap__Exit(int status);\n"
                                       "void __wrap__exit(int status)\n"
                                       "{\n"
                                       "    __gcov_dump();\n"
                                       "    for (;;) syscall(SYS_exit_group, status);\n"
                                       "}\n"
                                       "void __wrap__Exit(int status)\n"
                                       "{\n"
                                       "    __wrap__exit(status);\n"
                                       "}\n"
                                       "__attribute__((constructor(101))) static void begin(void)\n"
                                       "{\n"
                                       "    at_quick_exit(__gcov_dump);\n"
                                       "}\n";

/* ---- commands ---- */

typedef struct Recipe {
    bool clang;
    const char *before[2], *after[8]; /* the flags of the file; ended by NULL */
    const char *link[4];
    const char *runtime;
} Recipe;

static const Recipe recipes[BUILD_KINDS] = {
    [BUILD_COUNTED] = {.clang = true,
                       .before = {"-D__NO_CTYPE"},
                       .after = {"-O0", "-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes", "-g",
                                 "-ffine-grained-bitfield-accesses"},
                       .runtime = counted_runtime},
    [BUILD_SANITIZED] = {.after = {"-O0", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"},
                         .link = {"-fsanitize=address,undefined"}},
    [BUILD_MEMORY] = {.clang = true, .after = {"-O0", "-fno-omit-frame-pointer", "-fsanitize=memory"}, .link = {"-fsanitize=memory"}},
    [BUILD_COVERAGE] = {.before = {"-D__NO_CTYPE"},
                        .after = {"-O0", "--coverage"},
                        .link = {"--coverage", "-Wl,--wrap=_exit", "-Wl,--wrap=_Exit"},
                        .runtime = coverage_runtime},
};

static const char *compiler(const Session *s, BuildKind kind)
{
    if (recipes[kind].clang) return CLANG;
    return s->options->cc ? s->options->cc : "gcc";
}

static void add_words(Run *run, const char *const *words, size_t most)
{
    for (size_t i = 0; i < most && words[i]; i++) replay__add_word(run, "%s", words[i]);
}

/* `file`: of tests that it is for alone; UINT32_MAX: for all. */
static Run *new_step(Session *s, BuildKind kind, uint32_t stage, uint32_t file, const char *path, const char *ending)
{
    Run *run = replay__new_run();
    bool is_later = file != UINT32_MAX && vec_at(&s->files, file).is_later;
    run->priority = (uint32_t)kind * STAGES + stage + (is_later ? LATER : 0);
    run->errors = mem_format("%s%s.messages", path, ending);
    replay__add_environment(run, "TMPDIR=%s", s->scratch); /* a compiler that is ended leaves its files behind */
    run->data = s;
    return run;
}

/* What the compiler complained of, in one line. */
static char *first_complaint(const Run *run)
{
    char *text = replay__read_text(run->errors, MESSAGE_BYTES), *best = NULL, *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        bool is_error = strstr(line, "error") || strstr(line, "undefined reference") || strstr(line, "multiple definition");
        if (!best || is_error) best = line;
        if (is_error) break;
    }
    StrBuf why = {0};
    replay__describe_end(&run->result, &why);
    char *complaint = best ? mem_format("%.400s", best) : mem_strdup(why.text);
    strbuf_release(&why);
    free(text);
    return complaint;
}

static char *explain(const Session *s, BuildKind kind, const Run *run)
{
    if (run->result.end == RUN_NOT_RUN) return mem_strdup(NO_TIME);
    char *complaint = first_complaint(run);
    if (s->options->verbose) fprintf(stderr, "%s\n", complaint);
    char *text = mem_format("%s cannot build it: %s", compiler(s, kind), complaint);
    free(complaint);
    return text;
}

static bool succeeded(const Run *run)
{
    return run->result.end == RUN_EXITED && run->result.status == 0;
}

static bool is_c_file(const char *word)
{
    size_t n = strlen(word);
    return n > 2 && word[0] != '-' && strcmp(word + n - 2, ".c") == 0;
}

/* ---- linking ---- */

static void finish_binary(Session *s, uint32_t index, char *problem)
{
    Binary *binary = &vec_at(&s->binaries, index);
    binary->done = true;
    binary->problem = problem;
    uint32_t file = binary->file;
    replay__built(s, index);
    vec_at(&s->files, file).pending--;
}

static void linked(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    finish_binary(s, index, succeeded(run) ? NULL : explain(s, vec_at(&s->binaries, index).kind, run));
}

static void link_binary(Session *s, uint32_t index)
{
    const Binary *binary = &vec_at(&s->binaries, index);
    const TestFile *file = &vec_at(&s->files, binary->file);
    Run *run = new_step(s, binary->kind, STAGE_LINK, binary->file, binary->path, "");
    run->index = index;
    run->done = linked;
    replay__add_word(run, "%s", compiler(s, binary->kind));
    add_words(run, recipes[binary->kind].link, COUNT_OF(recipes->link));
    replay__add_word(run, "-o");
    replay__add_word(run, "%s", binary->path);
    for (uint32_t i = 0; i < binary->objects.len; i++) replay__add_word(run, "%s", s->objects.data[binary->objects.data[i]].path);
    for (uint32_t i = 0; i < file->build.libraries.len; i++)
        if (!is_c_file(file->build.libraries.data[i])) replay__add_word(run, "%s", file->build.libraries.data[i]);
    replay__start(&s->pool, run);
}

static void use_object(Session *s, uint32_t index, uint32_t object)
{
    Binary *binary = &vec_at(&s->binaries, index);
    const char *problem = s->objects.data[object].problem;
    assert(binary->missing);
    binary->missing--;
    if (binary->done) return;
    if (problem) finish_binary(s, index, mem_strdup(problem));
    else if (!binary->missing) link_binary(s, index);
}

/* ---- objects ---- */

static void finish_object(Session *s, uint32_t index, char *problem)
{
    Object *object = &vec_at(&s->objects, index);
    object->done = true;
    object->problem = problem;
    for (uint32_t i = 0; i < s->objects.data[index].users.len; i++) use_object(s, s->objects.data[index].users.data[i], index);
}

static void read_nested(Session *s, const Object *object)
{
    char *path = mem_format("%s.nested", object->path);
    FILE *file = fopen(path, "r");
    uint32_t number;
    while (file && fscanf(file, "%" SCNu32, &number) == 1)
        if (number < s->numbers.count) vec_at(&s->numbers.nested, number) = true;
    if (file) fclose(file);
    free(path);
}

static void object_made(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    if (vec_at(&s->objects, index).kind == BUILD_COUNTED) read_nested(s, &vec_at(&s->objects, index));
    finish_object(s, index, succeeded(run) ? NULL : explain(s, vec_at(&s->objects, index).kind, run));
}

static const CSource *source_of(const Session *s, const Object *object)
{
    return object->source == UINT32_MAX ? NULL : &s->decls->sources[object->source];
}

static char *code_path(const Session *s, const Object *object)
{
    const CSource *source = source_of(s, object);
    return source && source->is_bitcode ? mem_strdup(source->path) : mem_format("%s.bc", object->path);
}

typedef struct Counters {
    Numbers *numbers;
    FILE *nested; /* takes the numbers of such outcomes: the way from this process to its parent */
} Counters;

static uint32_t give_number(void *data, const FrontOutcome *outcome)
{
    Counters *counters = data;
    uint32_t number = replay__number_of(counters->numbers, outcome);
    if (number != UINT32_MAX && outcome->nested && counters->nested) fprintf(counters->nested, "%u\n", number);
    return number;
}

/* In a child: gives the code its counters. */
static int give_counters(void *data, uint32_t index)
{
    Session *s = data;
    const Object *object = &vec_at(&s->objects, index);
    char *from = code_path(s, object), *to = mem_format("%s.counted.bc", object->path), *nested = mem_format("%s.nested", object->path);
    Counters counters = {&s->numbers, fopen(nested, "w")};
    Error error;
    Status status = front_count(from, to, give_number, &counters, &error);
    if (status != OK) fprintf(stderr, "error: %s\n", error.text);
    if (counters.nested) fclose(counters.nested);
    free(from);
    free(to);
    free(nested);
    return status == OK ? 0 : 1;
}

/* Machine code from LLVM's. */
static void make_machine_code(Session *s, uint32_t index, bool counted)
{
    const Object *object = &vec_at(&s->objects, index);
    Run *run = new_step(s, object->kind, STAGE_OBJECT, object->file, object->path, "");
    run->index = index;
    run->done = object_made;
    run->work = counted ? give_counters : NULL;
    char *from = counted ? mem_format("%s.counted.bc", object->path) : code_path(s, object);
    static const char *const words[] = {CLANG, "-w", "-O0", "-Wno-unused-command-line-argument", "-c", "-o"};
    add_words(run, words, COUNT_OF(words));
    replay__add_word(run, "%s", object->path);
    replay__add_word(run, "%s", from);
    free(from);
    replay__start(&s->pool, run);
}

static void code_made(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    if (succeeded(run)) make_machine_code(s, index, true);
    else finish_object(s, index, explain(s, BUILD_COUNTED, run));
}

static void add_flags(const EmitBuild *build, Run *run)
{
    for (uint32_t i = 0; i < build->flags.len; i++) replay__add_word(run, "%s", build->flags.data[i]);
}

static void add_own_flags(Session *s, const Object *object, Run *run)
{
    const CSource *source = source_of(s, object);
    if (source) {
        EmitBuild build;
        emit_build_source(s->ledger, s->decls, s->emit, object->source, &build);
        add_flags(&build, run);
        emit_build_release(&build);
        if (source->directory) run->directory = mem_strdup(source->directory);
    } else if (object->file != UINT32_MAX) {
        add_flags(&vec_at(&s->files, object->file).build, run);
    }
    if (!s->emit->include_dir) return;
    char *full = realpath(s->emit->include_dir, NULL);
    replay__add_word(run, "-idirafter");
    replay__add_word(run, "%s", full ? full : s->emit->include_dir);
    free(full);
}

/* The tests themselves are not counted, only the source that they include: what a file with thousands of tests counts takes longer to write, after each
 * of them, than the test takes. */
static void exclude_tests(Run *run, const char *path)
{
    StrBuf pattern = {0};
    if (strchr(path, ';')) return; /* a semicolon separates patterns, so no pattern can name this file: its tests are counted, too */
    for (const char *c = path; *c; c++) strbuf_addf(&pattern, strchr("^$.[]|()*+?{}\\", *c) ? "\\%c" : "%c", *c);
    replay__add_word(run, "-fprofile-exclude-files=^%s$", pattern.text ? pattern.text : "");
    strbuf_release(&pattern);
}

/* A file in C; what is not under test gets no counters. */
static void compile(Session *s, uint32_t index, const char *path)
{
    const Object *object = &vec_at(&s->objects, index);
    const Recipe *recipe = &recipes[object->kind];
    bool counted = object->kind == BUILD_COUNTED && !object->support;
    Run *run = new_step(s, object->kind, STAGE_CODE, object->file, object->path, ".code");
    run->index = index;
    run->done = counted ? code_made : object_made;
    replay__add_word(run, "%s", compiler(s, object->kind));
    add_words(run, recipe->before, COUNT_OF(recipe->before));
    add_own_flags(s, object, run);
    replay__add_word(run, "-w");
    if (object->kind == BUILD_COVERAGE && object->support) replay__add_word(run, "-O0");
    else add_words(run, recipe->after, COUNT_OF(recipe->after));
    if (object->kind == BUILD_COVERAGE && object->file != UINT32_MAX) exclude_tests(run, path);
    if (counted) replay__add_word(run, "-emit-llvm");
    replay__add_word(run, "-c");
    replay__add_word(run, "-o");
    replay__add_word(run, counted ? "%s.bc" : "%s", object->path);
    replay__add_word(run, "%s", path);
    replay__start(&s->pool, run);
}

static void make_runtime(Session *s, uint32_t index)
{
    const Object *object = &vec_at(&s->objects, index);
    char *source = mem_format("%s.c", object->path);
    Error error;
    if (replay__write_text(source, recipes[object->kind].runtime, &error) == OK) {
        Run *run = new_step(s, object->kind, STAGE_OBJECT, object->file, object->path, "");
        run->index = index;
        run->done = object_made;
        const char *words[] = {compiler(s, object->kind), "-w", "-O1", "-c", "-o", object->path, source};
        add_words(run, words, COUNT_OF(words));
        replay__start(&s->pool, run);
    } else {
        finish_object(s, index, mem_strdup(error.text));
    }
    free(source);
}

static bool same_object(const Object *a, const Object *b)
{
    bool same_support = a->support && b->support ? strcmp(a->support, b->support) == 0 : a->support == b->support;
    return a->kind == b->kind && a->file == b->file && a->source == b->source && same_support;
}

static void start_object(Session *s, uint32_t index)
{
    const Object *object = &vec_at(&s->objects, index);
    const CSource *source = source_of(s, object);
    if (object->file != UINT32_MAX) compile(s, index, s->files.data[object->file].path);
    else if (object->support) compile(s, index, object->support);
    else if (!source) make_runtime(s, index);
    else if (source->is_bitcode) make_machine_code(s, index, object->kind == BUILD_COUNTED);
    else compile(s, index, source->path);
}

/* The binary waits for the object, which is started when it is first asked for. */
static void need_object(Session *s, Binary *binary, Object wanted)
{
    uint32_t index = 0;
    wanted.kind = binary->kind;
    while (index < s->objects.len && !same_object(&s->objects.data[index], &wanted)) index++;
    vec_push(&binary->objects, index);
    if (index < s->objects.len) return;
    wanted.path = mem_format("%s/object%u.o", s->scratch, index);
    vec_push(&s->objects, wanted);
    start_object(s, index);
}

static void need_objects(Session *s, const TestFile *file, Binary *binary)
{
    need_object(s, binary, (Object){.file = binary->file, .source = UINT32_MAX});
    for (uint32_t i = 0; i < file->build.other_sources.len; i++)
        need_object(s, binary, (Object){.file = UINT32_MAX, .source = file->build.other_sources.data[i]});
    for (uint32_t i = 0; i < file->build.libraries.len; i++)
        if (is_c_file(file->build.libraries.data[i]))
            need_object(s, binary, (Object){.file = UINT32_MAX, .source = UINT32_MAX, .support = file->build.libraries.data[i]});
    if (recipes[binary->kind].runtime) need_object(s, binary, (Object){.file = UINT32_MAX, .source = UINT32_MAX});
}

void replay__build(Session *s, uint32_t number, BuildKind kind)
{
    TestFile *file = &vec_at(&s->files, number);
    uint32_t index = s->binaries.len;
    assert(file->binaries[kind] == UINT32_MAX);
    file->binaries[kind] = index;
    file->pending++;
    if (!file->has_build) emit_build(s->ledger, s->decls, s->units, s->emit, file->unit, &file->build);
    file->has_build = true;
    Binary binary = {.kind = kind, .file = number, .path = mem_format("%s/program%u", s->scratch, index)};
    need_objects(s, file, &binary);
    binary.missing = binary.objects.len;
    vec_push(&s->binaries, binary);
    for (uint32_t i = 0; i < binary.objects.len; i++) {
        Object *object = &vec_at(&s->objects, binary.objects.data[i]);
        if (object->done) use_object(s, index, binary.objects.data[i]);
        else vec_push(&object->users, index);
    }
}

void replay__release_builds(Session *s)
{
    for (uint32_t i = 0; i < s->objects.len; i++) {
        free(s->objects.data[i].path);
        free(s->objects.data[i].problem);
        vec_release(&s->objects.data[i].users);
    }
    for (uint32_t i = 0; i < s->binaries.len; i++) {
        free(s->binaries.data[i].path);
        free(s->binaries.data[i].problem);
        vec_release(&s->binaries.data[i].objects);
    }
    vec_release(&s->objects);
    vec_release(&s->binaries);
}
