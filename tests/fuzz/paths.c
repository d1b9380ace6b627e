/* All paths of small C functions, found in three ways that must agree:
 *
 *   - each assignment of the few input bits run by itself: on constants, natively, and as expressions under a model fixed from the start;
 *   - depth-first search along the trail (tests/unit/vm/explore.h), by the dispatch loop and by the reference interpreter.
 *
 * Results must be equal; the search must find exactly the paths that the assignments take; the conditions of a path must hold for
 * exactly the assignments that take it, so that the paths divide the inputs; its result, an expression, must be right for each of
 * them; and what is reported on some assignment must be found by the search, and nothing else.
 *
 *   paths --models DIR --include DIR FILE.c...
 *
 * A file opens with the comment "inputs: N N" (bits of the parameters of `int test(unsigned a, unsigned b)`, one to three of them)
 * and may add "paths: N" and "reports: KIND LINE". */
#include "front/front.h"

#include "../unit/vm/explore.h"

#include <dlfcn.h>
#include <unistd.h>

typedef struct Single { /* one assignment by itself */
    ExploreEnd end;
    Vec(Expr) conditions;
    bool reported;
    uint32_t path; /* of the search */
} Single;

typedef struct Test {
    const char *file;
    char *text;
    Program *program;
    Explore x;
    Single *singles;
    Map reports; /* on single assignments */
    uint32_t complaints;
} Test;

__attribute__((format(printf, 2, 3))) static void complain(Test *t, const char *format, ...)
{
    if (t->complaints++ >= 10) return;
    va_list args;
    va_start(args, format);
    printf("FAIL %s: ", t->file);
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

/* ---- what the file says of itself ---- */

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        fprintf(stderr, "paths: cannot read %s\n", path);
        exit(2);
    }
    StrBuf text = {0};
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;) strbuf_add_bytes(&text, buffer, n);
    fclose(f);
    return text.text;
}

static unsigned read_bits(const char *text, unsigned *bits)
{
    const char *at = strstr(text, "inputs:");
    unsigned n = at ? (unsigned)sscanf(at, "inputs: %u %u %u", &bits[0], &bits[1], &bits[2]) : 0;
    REQUIRE(n >= 1, "a file of tests/fuzz/paths without its inputs");
    return n;
}

/* ---- natively ---- */

static const char native_help[] = "void clew_assume(int c) { (void)c; }\nvoid klee_assume(unsigned long c) { (void)c; }\n"
                                  "void __VERIFIER_assume(int c) { (void)c; }\nvoid clew_assert(int c) { (void)c; }\n"
                                  "void reach_error(void) {}\n";

typedef int NativeTest(unsigned, unsigned, unsigned);

static void *load_native(const char *file, const char *include)
{
    char directory[] = "/tmp/clew-paths-XXXXXX";
    REQUIRE(mkdtemp(directory), "no directory for the native program");
    char *help = mem_format("%s/help.c", directory), *library = mem_format("%s/test.so", directory);
    FILE *f = fopen(help, "w");
    fputs(native_help, f);
    fclose(f);
    char *command = mem_format("clang-19 -w -O0 -shared -fPIC -I'%s' '%s' '%s' -lm -o '%s'", include, file, help, library);
    REQUIRE(system(command) == 0, "the native program cannot be compiled");
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(handle, "the native program cannot be loaded");
    unlink(help);
    unlink(library);
    rmdir(directory);
    free(help);
    free(library);
    free(command);
    return handle;
}

/* ---- one assignment by itself ---- */

static bool same_end(ExploreEnd a, ExploreEnd b)
{
    return a.kind == b.kind && a.status == b.status && a.bug == b.bug && a.loc == b.loc && a.result == b.result;
}

static void single_constant(Test *t, uint32_t k, bool reference)
{
    Explore *x = &t->x;
    Vm *vm = explore_vm(x, false, reference);
    Expr arguments[EXPLORE_INPUTS], result;
    for (unsigned i = 0; i < x->inputs; i++) arguments[i] = expr_const(x->pool, x->function->params[i].type.width, explore_input(x, k, i));
    explore_start(x, vm, arguments);
    ExploreEnd end = explore_end(vm, vm_run(vm), &result);
    if (vm_path_length(vm)) complain(t, "conditions on constants");
    if (!reference) t->singles[k].end = end;
    else if (!same_end(end, t->singles[k].end)) complain(t, "assignment %u: the reference interpreter ends otherwise", k);
    vm_free(vm);
}

static void single_symbolic(Test *t, uint32_t k)
{
    Explore *x = &t->x;
    Vm *vm = explore_vm(x, false, false);
    Single *single = &t->singles[k];
    Expr result;
    explore_assign(x, vm_model(vm), k);
    explore_start(x, vm, x->arguments);
    ExploreEnd end = explore_end(vm, vm_run(vm), &result);
    if (!same_end(end, single->end))
        complain(t, "assignment %u: ends with %d %s %u as expressions, with %d %s %u on constants", k, (int)end.kind, bug_name(end.bug),
                 end.result, (int)single->end.kind, bug_name(single->end.bug), single->end.result);
    for (uint32_t i = 0; i < vm_path_length(vm); i++) {
        const VmCondition *c = vm_condition(vm, i);
        if (!expr_eval(vm_model(vm), c->condition)) complain(t, "assignment %u: condition %u does not hold", k, i);
        if (c->divides) vec_push(&single->conditions, c->condition);
    }
    vm_free(vm);
}

/* What the last run reported, as a sum that tells two sets apart; kept in t->reports. */
static uint64_t move_reports(Test *t, uint32_t k)
{
    Map *found = &t->x.reports;
    uint64_t sum = 0;
    for (uint64_t loc = 0; loc < t->program->loc_count && found->len; loc++)
        for (uint64_t bug = 0; bug < BUG_KINDS; bug++)
            if (map_find(found, bug << 32 | loc)) {
                map_put(&t->reports, bug << 32 | loc, 1);
                t->singles[k].reported = true;
                sum += hash_mix(bug << 32 | loc);
            }
    map_release(found);
    return sum;
}

static void run_singles(Test *t, NativeTest *native)
{
    Explore *x = &t->x;
    t->singles = mem_alloc(x->assignments * sizeof *t->singles);
    for (uint32_t k = 0; k < x->assignments; k++) {
        single_constant(t, k, false);
        uint64_t reports = move_reports(t, k);
        single_constant(t, k, true);
        if (move_reports(t, k) != reports) complain(t, "assignment %u: the reference interpreter reports otherwise", k);
        single_symbolic(t, k);
        if (move_reports(t, k) != reports) complain(t, "assignment %u: other reports as expressions than on constants", k);
        Single *single = &t->singles[k];
        if (single->end.kind == VM_UNSUPPORTED) complain(t, "assignment %u is unsupported", k);
        if (single->end.kind != VM_EXIT || single->reported) continue;
        unsigned in[EXPLORE_INPUTS] = {0};
        for (unsigned i = 0; i < x->inputs; i++) in[i] = (unsigned)explore_input(x, k, i);
        uint32_t expected = (uint32_t)native(in[0], in[1], in[2]);
        if (expected != single->end.result)
            complain(t, "inputs %u %u %u: %u, natively %u", in[0], in[1], in[2], single->end.result, expected);
    }
}

/* ---- the search against the single runs ---- */

/* Each machine has its own uninitialised values, so what contains one is compared by what it says of each assignment. */
static bool same_condition(Explore *x, Expr a, Expr b)
{
    if (a == b) return true;
    if (!expr_has_undef(x->pool, a) || !expr_has_undef(x->pool, b)) return false;
    uint8_t *row = mem_alloc(x->assignments);
    memcpy(row, explore_row(x, a), x->assignments);
    bool same = memcmp(row, explore_row(x, b), x->assignments) == 0;
    free(row);
    return same;
}

static bool same_path(Explore *x, const Single *single, const ExploredPath *path)
{
    if (single->conditions.len != path->conditions.len) return false;
    for (uint32_t i = 0; i < path->conditions.len; i++)
        if (!same_condition(x, single->conditions.data[i], path->conditions.data[i].condition)) return false;
    ExploreEnd a = single->end, b = path->end;
    return a.kind == b.kind && a.bug == b.bug && a.loc == b.loc && a.status == (b.kind == VM_EXIT ? a.status : b.status);
}

static void assign_paths(Test *t, uint8_t *taken)
{
    for (uint32_t k = 0; k < t->x.assignments; k++) {
        Single *single = &t->singles[k];
        uint32_t p = 0;
        while (p < t->x.paths.len && !same_path(&t->x, single, &t->x.paths.data[p])) p++;
        single->path = p;
        if (p == t->x.paths.len) complain(t, "the path of assignment %u was not found", k);
        else taken[p] = 1;
    }
}

static bool duplicate(const Explore *x, uint32_t p)
{
    for (uint32_t q = 0; q < p; q++) {
        const ExploredPath *a = &x->paths.data[p], *b = &x->paths.data[q];
        if (a->conditions.len != b->conditions.len || a->end.kind != b->end.kind || a->end.loc != b->end.loc || a->end.bug != b->end.bug)
            continue;
        uint32_t i = 0;
        while (i < a->conditions.len && a->conditions.data[i].condition == b->conditions.data[i].condition) i++;
        if (i == a->conditions.len) return true;
    }
    return false;
}

/* The conditions hold for exactly the assignments that take the path. */
static void check_path(Test *t, uint32_t p)
{
    Explore *x = &t->x;
    const ExploredPath *path = &x->paths.data[p];
    uint8_t *set = mem_alloc(x->assignments);
    memset(set, 1, x->assignments);
    for (uint32_t i = 0; i < path->conditions.len; i++) explore_narrow(x, set, path->conditions.data[i].condition, true);
    for (uint32_t k = 0; k < x->assignments; k++) {
        bool takes = t->singles[k].path == p;
        if (takes && !set[k]) complain(t, "assignment %u takes path %u but not its conditions", k, p);
        if (!takes && set[k]) complain(t, "path %u also admits assignment %u", p, k);
        if (!takes || path->end.kind != VM_EXIT) continue;
        explore_assign(x, x->model, k);
        uint32_t value = path->result ? (uint32_t)expr_eval(x->model, path->result) : path->end.result;
        if (value != t->singles[k].end.result)
            complain(t, "path %u: its result is %u for assignment %u, not %u", p, value, k, t->singles[k].end.result);
    }
    free(set);
}

static void check_reports(Test *t)
{
    for (uint32_t loc = 0; loc < t->program->loc_count; loc++)
        for (uint64_t bug = 0; bug < BUG_KINDS; bug++) {
            bool single = map_find(&t->reports, bug << 32 | loc), search = map_find(&t->x.reports, bug << 32 | loc);
            if (single != search)
                complain(t, "%s at line %u: %s", bug_name((BugKind)bug), t->program->locs[loc].line,
                         single ? "not found by the search" : "never happens");
        }
}

static uint32_t check_search(Test *t, bool reference)
{
    Explore *x = &t->x;
    uint32_t distinct = 0;
    explore_all(x, reference);
    uint8_t *taken = mem_alloc(x->paths.len);
    assign_paths(t, taken);
    for (uint32_t p = 0; p < x->paths.len; p++) {
        bool again = duplicate(x, p);
        distinct += !again;
        if (!taken[p]) complain(t, "path %u is taken by no assignment", p);
        if (again) complain(t, "path %u was explored twice", p);
        check_path(t, p);
    }
    check_reports(t);
    free(taken);
    return distinct;
}

/* ---- one file ---- */

static void check_statements(Test *t, uint32_t distinct)
{
    const char *at = strstr(t->text, "paths:");
    unsigned wanted;
    if (at && sscanf(at, "paths: %u", &wanted) == 1 && wanted != distinct) complain(t, "%u paths, not %u", distinct, wanted);
    for (at = t->text; (at = strstr(at, "reports:")); at++) {
        char kind[64];
        unsigned line;
        bool found = false;
        if (sscanf(at, "reports: %63s %u", kind, &line) != 2) continue;
        for (uint32_t loc = 0; loc < t->program->loc_count; loc++)
            for (uint64_t bug = 0; bug < BUG_KINDS; bug++)
                if (t->program->locs[loc].line == line && strcmp(bug_name((BugKind)bug), kind) == 0 &&
                    map_find(&t->reports, bug << 32 | loc))
                    found = true;
        for (uint32_t k = 0; k < t->x.assignments; k++) {
            ExploreEnd end = t->singles[k].end;
            if (end.kind == VM_BUG && strcmp(bug_name(end.bug), kind) == 0 && t->program->locs[end.loc].line == line) found = true;
        }
        if (!found) complain(t, "%s at line %u is not found", kind, line);
    }
}

static bool test_file(const char *file, const char *models, const char *include)
{
    Test t = {.file = file, .text = read_text(file)};
    const char *files[] = {file}, *flags[] = {"-w"};
    FrontOptions options = {.files = files, .file_count = 1, .flags = flags, .flag_count = 1, .include_dir = include, .models_dir = models};
    Error error;
    if (front_load(&options, &t.program, NULL, &error) != OK) {
        fprintf(stderr, "paths: %s\n", error.text);
        return false;
    }
    unsigned bits[EXPLORE_INPUTS];
    unsigned inputs = read_bits(t.text, bits);
    explore_init(&t.x, t.program, program_function(t.program, "test"), bits, inputs);
    void *native = load_native(file, include);
    run_singles(&t, (NativeTest *)dlsym(native, "test"));
    uint32_t distinct = check_search(&t, false);
    for (uint32_t i = 0; i < t.x.paths.len; i++) vec_release(&t.x.paths.data[i].conditions);
    vec_clear(&t.x.paths);
    if (check_search(&t, true) != distinct) complain(&t, "the reference interpreter finds another number of paths");
    check_statements(&t, distinct);
    if (!t.complaints)
        printf("ok   %s: %u assignments, %u paths, %llu returns\n", file, t.x.assignments, distinct, (unsigned long long)t.x.returns);
    for (uint32_t k = 0; k < t.x.assignments; k++) vec_release(&t.singles[k].conditions);
    free(t.singles);
    free(t.text);
    map_release(&t.reports);
    explore_release(&t.x);
    program_free(t.program);
    dlclose(native);
    return t.complaints == 0;
}

int main(int argc, char **argv)
{
    const char *models = NULL, *include = NULL;
    unsigned passed = 0, failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--models") == 0 && i + 1 < argc) models = argv[++i];
        else if (strcmp(argv[i], "--include") == 0 && i + 1 < argc) include = argv[++i];
        else if (test_file(argv[i], models, include)) passed++;
        else failed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
