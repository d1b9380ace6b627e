/* How fast queries are answered: logs of `clew explore --log-queries` through Clew's solver, through Z3 with a new solver for each query, and through
 * one incremental Z3.
 *
 *   queries [--tiers NAME,…] [--timeout MILLISECONDS] [--effort N] [--no-fresh] [--no-incremental] LOG...
 *
 * All three have the same budget for a query: the time-out, and for Clew, which counts work, a unit of effort for each nanosecond of it unless
 * --effort says otherwise.  A log is read once and then replayed by each of the three.  What counts is asserting, taking back, checking and getting the model or the core, not reading
 * and not Z3's translation.  The model that Clew starts from is one of those found before that satisfies the path, as in a search.  Answers must not
 * contradict each other: SAT is evaluated, and a model of Z3's against an UNSAT of Clew's as well, since Z3 knows less of NaNs and real functions.
 * Exit status 1 if one does, 2 if a log cannot be read. */
#include "base/arith.h"
#include "solve/reference.h"
#include "solve/smtlib.h"
#include "solve/solve_int.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MODELS = 8 };

typedef struct Options {
    uint32_t tiers;
    unsigned timeout; /* milliseconds for one check of Z3's */
    uint64_t effort;
    bool fresh, incremental;
} Options;

typedef enum EventKind { ADD, REMOVE, CHECK } EventKind;
typedef struct Event {
    EventKind kind;
    uint32_t count; /* REMOVE: levels; CHECK: assumptions, from `first` */
    uint32_t first;
    Expr condition;
    SolveAnswer recorded;
} Event;

typedef struct Side { /* one of the three */
    uint64_t nanoseconds, unknown;
    Vec(uint8_t) answers; /* of each check */
} Side;

typedef struct Log {
    const char *path;
    ExprPool *pool;
    Vec(Event) events;
    Vec(Expr) assumptions;
    Vec(ExprFunction *) functions;
    Vec(Expr) stack, query; /* of a replay */
    Side clew, fresh, incremental;
    Vec(double) times; /* of Clew, in microseconds */
    uint64_t checks, skipped, disagreements;
    SolveStats stats;
} Log;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* ---- reading ---- */

/* Functions of libm on doubles or, with the suffix f, floats. */
static U128 call_libm(void *data, const U128 *arguments, uint32_t count, bool single)
{
    union {
        void *address;
        double (*one)(double);
        double (*two)(double, double);
        float (*one_single)(float);
        float (*two_single)(float, float);
    } f = {data};
    uint64_t a = (uint64_t)arguments[0], b = count > 1 ? (uint64_t)arguments[1] : 0;
    if (single) return arith_bits32(count == 1 ? f.one_single(arith_f32(a)) : f.two_single(arith_f32(a), arith_f32(b)));
    return arith_bits64(count == 1 ? f.one(arith_f64(a)) : f.two(arith_f64(a), arith_f64(b)));
}

static U128 call_double(void *data, const U128 *arguments, uint32_t count)
{
    return call_libm(data, arguments, count, false);
}

static U128 call_single(void *data, const U128 *arguments, uint32_t count)
{
    return call_libm(data, arguments, count, true);
}

static const ExprFunction *find_function(void *data, const char *name, uint32_t arguments, unsigned width)
{
    static const char *const one[] = {"sin",   "cos",  "tan",   "asin",  "acos",  "atan", "sinh",  "cosh", "tanh",
                                      "exp",   "exp2", "log",   "log2",  "log10", "cbrt", "floor", "ceil", "round",
                                      "trunc", "rint", "expm1", "log1p", "sqrt",  "fabs", "erf",   "erfc", "tgamma"};
    static const char *const two[] = {"pow", "atan2", "hypot", "fmod", "fmin", "fmax", "fdim", "remainder", "copysign"};
    Log *log = data;
    const char *const *names = arguments == 1 ? one : two;
    unsigned count = arguments == 1 ? COUNT_OF(one) : arguments == 2 ? COUNT_OF(two) : 0;
    size_t length = strlen(name);
    bool single = width == 32 && length > 1 && name[length - 1] == 'f';
    for (unsigned i = 0; i < count && (width == 64 || single); i++) {
        if (strlen(names[i]) != length - single || strncmp(names[i], name, length - single)) continue;
        void *address = dlsym(RTLD_DEFAULT, name);
        if (!address) break;
        ExprFunction *function = mem_alloc(sizeof *function);
        *function = (ExprFunction){mem_strdup(name), single ? call_single : call_double, address};
        vec_push(&log->functions, function);
        return function;
    }
    fprintf(stderr, "%s: no function '%s' here: queries with it are left out\n", log->path, name);
    return NULL;
}

static void read_add(void *data, Expr condition)
{
    Log *log = data;
    vec_push(&log->events, ((Event){.kind = ADD, .condition = condition}));
}

static void read_remove(void *data, uint32_t count)
{
    Log *log = data;
    vec_push(&log->events, ((Event){.kind = REMOVE, .count = count}));
}

static void read_check(void *data, const Expr *assumptions, uint32_t count, SolveAnswer recorded)
{
    Log *log = data;
    vec_push(&log->events, ((Event){.kind = CHECK, .count = count, .first = log->assumptions.len, .recorded = recorded}));
    for (uint32_t i = 0; i < count; i++) vec_push(&log->assumptions, assumptions[i]);
}

/* ---- replaying ---- */

/* Does this event change the stack?  Then it has been done. */
static bool moves(Log *log, const Event *event)
{
    if (event->kind == ADD) vec_push(&log->stack, event->condition);
    if (event->kind == REMOVE) log->stack.len -= event->count < log->stack.len ? event->count : log->stack.len;
    return event->kind != CHECK;
}

/* Stack and assumptions into log->query; false if something in them could not be read. */
static bool gather(Log *log, const Event *event)
{
    bool complete = true;
    vec_clear(&log->query);
    for (uint32_t i = 0; i < log->stack.len; i++) vec_push(&log->query, log->stack.data[i]);
    for (uint32_t i = 0; i < event->count; i++) vec_push(&log->query, log->assumptions.data[event->first + i]);
    for (uint32_t i = 0; i < log->query.len; i++) complete &= log->query.data[i] != 0;
    return complete;
}

static bool all_hold(ExprModel *model, const Expr *conditions, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!expr_eval(model, conditions[i])) return false;
    return true;
}

typedef struct Models { /* the last ones found, the newest at `next` - 1 */
    ExprModel *found[MODELS];
    unsigned next;
} Models;

static ExprModel *choose_start(Models *models, const Log *log)
{
    for (unsigned i = 0; i < MODELS; i++) {
        ExprModel *model = models->found[(models->next + MODELS - 1 - i) % MODELS];
        if (model && all_hold(model, log->stack.data, log->stack.len)) return model;
    }
    return models->found[(models->next + MODELS - 1) % MODELS];
}

/* Keeps the model; says whether it is one. */
static bool keep_model(Models *models, Log *log, const ExprModel *start, const SolveValue *changes, uint32_t count)
{
    ExprModel *model = expr_model_copy(start);
    for (uint32_t i = 0; i < count; i++) expr_model_set(model, changes[i].var, changes[i].value);
    ExprModel **slot = &models->found[models->next++ % MODELS];
    if (*slot) expr_model_free(*slot);
    *slot = model;
    return all_hold(model, log->query.data, log->query.len);
}

static void replay_check(Log *log, Solver *solver, Models *models, const Event *event, uint64_t asserting)
{
    ExprModel *start = choose_start(models, log);
    uint32_t changes = 0;
    const SolveValue *values = NULL;
    uint64_t before = now();
    SolveAnswer answer = solver_check(solver, log->assumptions.data + event->first, event->count, start);
    if (answer == SOLVE_SAT) values = solver_changes(solver, &changes);
    uint64_t spent = now() - before;
    log->clew.nanoseconds += spent;
    vec_push(&log->times, (double)(spent + asserting) / 1000);
    if (answer == SOLVE_SAT && !keep_model(models, log, start, values, changes)) {
        printf("%s: check %u: a model that is none\n", log->path, log->clew.answers.len);
        log->disagreements++;
    }
    log->clew.unknown += answer == SOLVE_UNKNOWN;
    vec_push(&log->clew.answers, (uint8_t)answer);
}

/* Levels that could not be read are a condition that says nothing; checks below them are left out. */
static Status replay_clew(Log *log, const Options *options, Error *error)
{
    Solver *solver;
    SolveOptions solving = {.tiers = options->tiers, .effort = options->effort ? options->effort : options->timeout * (uint64_t)1000000};
    if (solver_new(&solver, log->pool, &solving, error) != OK) return FAILED;
    Models models = {.found = {expr_model_new(log->pool)}, .next = 1};
    Expr nothing = expr_const(log->pool, 1, 1);
    uint64_t asserting = 0;
    vec_clear(&log->stack);
    for (uint32_t i = 0; i < log->events.len; i++) {
        const Event *event = &log->events.data[i];
        uint64_t before = now();
        if (event->kind == ADD) solver_assert(solver, event->condition ? event->condition : nothing);
        if (event->kind == REMOVE) solver_return(solver, log->stack.len - event->count);
        uint64_t spent = now() - before;
        if (moves(log, event)) {
            log->clew.nanoseconds += spent;
            asserting += spent;
        } else if (gather(log, event)) {
            replay_check(log, solver, &models, event, asserting);
            asserting = 0;
        } else {
            log->skipped++;
        }
    }
    log->stats = *solver_stats(solver);
    for (unsigned i = 0; i < MODELS; i++)
        if (models.found[i]) expr_model_free(models.found[i]);
    solver_free(solver);
    return OK;
}

typedef SolveAnswer Reference(Z3 *z3, const Query *query, unsigned milliseconds, uint64_t *nanoseconds);

static void replay_z3(Log *log, const Options *options, Reference *reference, Side *side)
{
    Z3 *z3 = z3_new(log->pool, 0, (uint64_t)16 << 30);
    vec_clear(&log->stack);
    for (uint32_t i = 0; i < log->events.len; i++) {
        const Event *event = &log->events.data[i];
        if (moves(log, event) || !gather(log, event)) continue;
        Query query = {.pool = log->pool, .conditions = log->query.data, .count = log->query.len};
        uint64_t spent;
        SolveAnswer answer = reference(z3, &query, options->timeout, &spent);
        side->nanoseconds += spent;
        side->unknown += answer == SOLVE_UNKNOWN;
        vec_push(&side->answers, (uint8_t)answer);
    }
    z3_free(z3);
}

/* ---- comparing ---- */

static int by_id(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return x < y ? -1 : x > y;
}

/* Does Z3 have a model of log->query that evaluation confirms? */
static bool has_model(Log *log, Z3 *z3)
{
    Outcome outcome = {0};
    uint32_t distinct = 0;
    qsort(log->query.data, log->query.len, sizeof(Expr), by_id);
    for (uint32_t i = 0; i < log->query.len; i++)
        if (!distinct || log->query.data[distinct - 1] != log->query.data[i]) log->query.data[distinct++] = log->query.data[i];
    log->query.len = distinct;
    Query query = {
        .pool = log->pool, .conditions = log->query.data, .count = distinct, .effort = (uint64_t)60e9, .memory = (uint64_t)4 << 30};
    z3_solve(z3, &query, &outcome);
    ExprModel *model = expr_model_new(log->pool);
    for (uint32_t i = 0; i < outcome.values.len; i++) expr_model_set(model, outcome.values.data[i].var, outcome.values.data[i].value);
    bool holds = outcome.answer == SOLVE_SAT && all_hold(model, log->query.data, log->query.len);
    expr_model_free(model);
    vec_release(&outcome.values);
    vec_release(&outcome.core);
    return holds;
}

static bool contradicts(Log *log, Z3 *z3, SolveAnswer clew, const Side *side, uint32_t check)
{
    SolveAnswer other = check < side->answers.len ? (SolveAnswer)side->answers.data[check] : SOLVE_UNKNOWN;
    if (clew == SOLVE_SAT) return other == SOLVE_UNSAT;
    return clew == SOLVE_UNSAT && other == SOLVE_SAT && has_model(log, z3);
}

static void compare(Log *log)
{
    Z3 *z3 = z3_new(log->pool, 0, (uint64_t)4 << 30);
    uint32_t check = 0;
    vec_clear(&log->stack);
    for (uint32_t i = 0; i < log->events.len; i++) {
        const Event *event = &log->events.data[i];
        if (moves(log, event) || !gather(log, event)) continue;
        SolveAnswer clew = (SolveAnswer)log->clew.answers.data[check];
        bool recorded = (clew == SOLVE_SAT && event->recorded == SOLVE_UNSAT) || (clew == SOLVE_UNSAT && event->recorded == SOLVE_SAT);
        if (recorded || contradicts(log, z3, clew, &log->fresh, check) || contradicts(log, z3, clew, &log->incremental, check)) {
            printf("%s: check %u: Clew says %s%s\n", log->path, check, clew == SOLVE_SAT ? "SAT" : "UNSAT",
                   recorded ? ", the log does not" : "");
            log->disagreements++;
        }
        check++;
    }
    log->checks = check;
    z3_free(z3);
}

/* ---- results ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, uint32_t count)
{
    if (!count) return 0;
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

static void print_line(const char *name, Log *log)
{
    double clew = (double)log->clew.nanoseconds / 1e9, fresh = (double)log->fresh.nanoseconds / 1e9;
    double incremental = (double)log->incremental.nanoseconds / 1e9;
    printf("%-24s %8llu %8llu %10.4f %10.4f %12.4f %8.1f %8.1f %10.1f\n", name, (unsigned long long)log->checks,
           (unsigned long long)log->skipped, clew, fresh, incremental, clew > 0 ? fresh / clew : 0, clew > 0 ? incremental / clew : 0,
           median(log->times.data, log->times.len));
    fflush(stdout);
}

static void add_up(Log *total, const Log *log)
{
    total->checks += log->checks;
    total->skipped += log->skipped;
    total->disagreements += log->disagreements;
    total->clew.nanoseconds += log->clew.nanoseconds;
    total->fresh.nanoseconds += log->fresh.nanoseconds;
    total->incremental.nanoseconds += log->incremental.nanoseconds;
    total->clew.unknown += log->clew.unknown;
    total->fresh.unknown += log->fresh.unknown;
    total->incremental.unknown += log->incremental.unknown;
    for (uint32_t i = 0; i < log->times.len; i++) vec_push(&total->times, log->times.data[i]);
    for (unsigned i = 0; i < SOLVE_TIERS; i++) {
        total->stats.answered[i] += log->stats.answered[i];
        total->stats.nanoseconds[i] += log->stats.nanoseconds[i];
    }
}

static void print_totals(Log *total)
{
    print_line("total", total);
    printf("unknown: Clew %llu, fresh Z3 %llu, incremental Z3 %llu\n", (unsigned long long)total->clew.unknown,
           (unsigned long long)total->fresh.unknown, (unsigned long long)total->incremental.unknown);
    for (SolveTier tier = 0; tier < SOLVE_TIERS; tier++) {
        double share = total->checks ? 100.0 * (double)total->stats.answered[tier] / (double)total->checks : 0;
        printf("  %-8s %6.2f %% of the answers, %9.4f s\n", solve_tier_name(tier), share, (double)total->stats.nanoseconds[tier] / 1e9);
    }
    printf("%llu disagreements\n", (unsigned long long)total->disagreements);
}

static void release(Log *log)
{
    for (uint32_t i = 0; i < log->functions.len; i++) {
        free((char *)log->functions.data[i]->name);
        free(log->functions.data[i]);
    }
    vec_release(&log->functions);
    vec_release(&log->events);
    vec_release(&log->assumptions);
    vec_release(&log->stack);
    vec_release(&log->query);
    vec_release(&log->times);
    vec_release(&log->clew.answers);
    vec_release(&log->fresh.answers);
    vec_release(&log->incremental.answers);
    if (log->pool) expr_pool_free(log->pool);
}

static Status measure(const char *path, const Options *options, Log *total, Error *error)
{
    const char *slash = strrchr(path, '/');
    Log log = {.path = path, .pool = expr_pool_new()};
    SmtReader reader = {log.pool, &log, NULL, find_function, read_add, read_remove, read_check};
    Status status = smtlib_read(path, &reader, error);
    if (status == OK) status = replay_clew(&log, options, error);
    if (status == OK) {
        if (options->fresh) replay_z3(&log, options, z3_reference_fresh, &log.fresh);
        if (options->incremental) replay_z3(&log, options, z3_reference_incremental, &log.incremental);
        compare(&log);
        print_line(slash ? slash + 1 : path, &log);
        add_up(total, &log);
    }
    release(&log);
    return status;
}

/* ---- command line ---- */

static bool read_tiers(char *text, uint32_t *tiers)
{
    char *rest = NULL;
    for (char *name = strtok_r(text, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        SolveTier tier = 0;
        while (tier < SOLVE_TIERS && strcmp(name, solve_tier_name(tier))) tier++;
        if (tier == SOLVE_TIERS) return false;
        *tiers |= 1u << tier;
    }
    return *tiers != 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: queries [--tiers NAME,...] [--timeout MILLISECONDS] [--effort N] [--no-fresh] [--no-incremental] LOG...\n");
    return 2;
}

int main(int argc, char **argv)
{
    Options options = {.timeout = 10000, .fresh = true, .incremental = true};
    int i = 1;
    for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--no-fresh")) options.fresh = false;
        else if (!strcmp(argv[i], "--no-incremental")) options.incremental = false;
        else if (!strcmp(argv[i], "--timeout") && more) options.timeout = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--effort") && more) options.effort = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--tiers") || !more || !read_tiers(argv[++i], &options.tiers)) return usage();
    }
    if (i == argc) return usage();
    if (!dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL)) fprintf(stderr, "queries: %s\n", dlerror());
    Log total = {0};
    Error error;
    printf("%-24s %8s %8s %10s %10s %12s %8s %8s %10s\n", "log", "queries", "left out", "clew s", "fresh s", "incremental s", "fresh/c",
           "incr/c", "median us");
    int status = 0;
    for (; i < argc; i++)
        if (measure(argv[i], &options, &total, &error) != OK) {
            fprintf(stderr, "%s\n", error.text);
            status = 2;
        }
    print_totals(&total);
    if (total.disagreements) status = 1;
    release(&total);
    return status;
}
