/* The way of a campaign, from the sources to the summary. */
#include "campaign/campaign_int.h"
#include "prove/prove.h"
#include "replay/replay.h"
#include "summary/summary.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROOF_SHARE 0.1     /* of --time that is kept for proofs; guess */
#define WRITING_SECONDS 0.4 /* that writing the suite and the ledger may take */

enum { PROGRAM_PERCENT = 90 }; /* of its external functions that a program reaches from main; guess */

#define FUZZ_TARGET "LLVMFuzzerTestOneInput"

/* ---- the program ---- */

static void show_phase(const Campaign *c, const char *phase)
{
    ReportStatus status = {.phase = phase, .seconds = clock_seconds() - c->options->started, .seconds_left = -1};
    if (c->options->time > 0) status.seconds_left = c->options->started + c->options->time - clock_seconds();
    report_status(c->report, &status);
}

static char *harness_path(const Campaign *c, uint32_t source)
{
    return mem_format("%s/harness_%u.c", c->scratch, source);
}

Status campaign__write_file(const char *path, const StrBuf *text, Error *error)
{
    FILE *out = fopen(path, "w");
    bool good = out && fwrite(text->text, 1, text->len, out) == text->len;
    if (out && fclose(out) != 0) good = false;
    return good ? OK : fail(error, "cannot write %s: %s", path, strerror(errno));
}

static Status write_harnesses(Campaign *c, FrontHarness *harnesses, uint32_t *count, Error *error)
{
    *count = 0;
    for (uint32_t i = 0; c->units && i < c->decls->source_count; i++) {
        StrBuf text = {0};
        units_harness(c->units, i, &text);
        if (text.len) {
            harnesses[*count] = (FrontHarness){i, harness_path(c, i)};
            if (campaign__write_file(harnesses[(*count)++].path, &text, error) != OK) return FAILED;
        }
        strbuf_release(&text);
    }
    return OK;
}

static bool defines(const Decls *decls, const char *name)
{
    const CFunction *function = decls_function(decls, name, UINT32_MAX);
    return function && function->defined;
}

/* ---- what is tested ---- */

static void mark_reached(const Decls *decls, uint32_t function, bool *reached)
{
    if (reached[function]) return;
    reached[function] = true;
    for (uint32_t i = 0; i < decls->functions[function].call_count; i++) mark_reached(decls, decls->functions[function].calls[i], reached);
}

/* Is the project a program, or a library that has a tool beside it?  Of a program, main reaches nearly every function that other files see. */
static bool is_program(const Decls *decls)
{
    const CFunction *entry = decls_function(decls, "main", UINT32_MAX);
    bool *reached = mem_alloc((decls->function_count + 1) * sizeof *reached);
    uint32_t all = 0, by_main = 0;
    mark_reached(decls, (uint32_t)(entry - decls->functions), reached);
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *f = &decls->functions[i];
        if (!f->defined || f->is_static || f->in_header || f == entry) continue;
        all++;
        by_main += reached[i];
    }
    free(reached);
    return by_main * 100 >= all * PROGRAM_PERCENT;
}

/* Whole program, fuzz target, or units; what is only bitcode has no declarations. */
Status campaign__plan(Campaign *c, Error *error)
{
    const CampaignOptions *o = c->options;
    static const char *const fuzz_target[] = {FUZZ_TARGET};
    bool any_c = false;
    for (uint32_t i = 0; i < c->decls->source_count; i++) any_c |= !c->decls->sources[i].is_bitcode;
    if (!any_c) return OK;
    c->whole_program = !o->function_count && defines(c->decls, "main") && (!o->front.project || is_program(c->decls));
    if (c->whole_program) return units_plan_program(c->decls, &o->units, &c->units, error);
    if (!o->function_count && defines(c->decls, FUZZ_TARGET)) return units_plan(c->decls, &o->units, fuzz_target, 1, &c->units, error);
    return units_plan(c->decls, &o->units, o->functions, o->function_count, &c->units, error);
}

static void say_functions(const Campaign *c, StrBuf *out)
{
    uint32_t count = 0, problems = 0;
    for (uint32_t i = 0; c->units && i < units_count(c->units); i++) {
        count++;
        problems += unit_problem(units_at(c->units, i)) != NULL;
    }
    strbuf_addf(out, "testing %u function%s of %u file%s, one by one", count - problems, count - problems == 1 ? "" : "s",
                c->decls->source_count, c->decls->source_count == 1 ? "" : "s");
}

/* Of a project: what was found, what is left out and why, what is done now. */
static void tell_project(const Campaign *c)
{
    enum { MOST_NOTES = 8 };
    const CampaignOptions *o = c->options;
    if (!o->front.project || o->json || o->quiet) return;
    StrBuf text = {0};
    uint32_t count;
    const char *const *notes = front_project_notes(o->front.project, &count);
    report_clear(c->report);
    strbuf_addf(&text, "clew: %s: ", o->target);
    front_project_describe(o->front.project, &text);
    strbuf_add(&text, "\n");
    for (uint32_t i = 0; i < count && i < MOST_NOTES; i++) strbuf_addf(&text, "clew: %s\n", notes[i]);
    if (count > MOST_NOTES) strbuf_addf(&text, "clew: and %u more files are left out\n", count - MOST_NOTES);
    strbuf_add(&text, "clew: ");
    if (c->whole_program) strbuf_addf(&text, "testing the program, from main in %s", decls_function(c->decls, "main", UINT32_MAX)->file);
    else say_functions(c, &text);
    fprintf(stderr, "%s\n", text.text);
    strbuf_release(&text);
}

typedef struct Faults {
    Campaign *campaign;
    uint32_t count;
} Faults;

static void take_fault(void *data, uint32_t source, uint32_t line, const char *message)
{
    Faults *faults = data;
    faults->count++;
    units_blame(faults->campaign->units, source, line, message);
}

/* *faults: how many errors the compiler has found in harnesses. */
static Status load_once(Campaign *c, uint32_t *faults, Error *error)
{
    Faults found = {c, 0};
    FrontTimes times = {0};
    FrontOptions front = c->options->front;
    FrontHarness *harnesses = mem_alloc((c->decls->source_count + 1) * sizeof *harnesses);
    front.harnesses = harnesses;
    front.entry = c->whole_program ? "main" : NULL;
    front.guide = c->options->guide;
    front.results = c->results.annotations.len ? &c->results : NULL;
    front.unit_count = c->whole_program || !c->units ? 0 : units_count(c->units);
    const char **names = mem_alloc((front.unit_count + 1) * sizeof *names);
    for (uint32_t i = 0; i < front.unit_count; i++) names[i] = unit_function(units_at(c->units, i))->name;
    front.units = names;
    front.on_fault = c->units ? take_fault : NULL;
    front.on_fault_data = &found;
    Status status = write_harnesses(c, harnesses, &front.harness_count, error);
    if (status == OK) status = front_load(&front, &c->program, &times, error);
    c->compile_seconds += times.compile;
    for (uint32_t i = 0; i < front.harness_count; i++) {
        unlink(harnesses[i].path);
        free((char *)harnesses[i].path);
    }
    free(harnesses);
    free(names);
    *faults = found.count;
    return status;
}

static Status declare(Campaign *c, Error *error)
{
    FrontOptions front = c->options->front;
    show_phase(c, "compiling");
    if (scratch_new(&c->scratch, error) != OK || front_declare(&front, &c->decls, error) != OK) return FAILED;
    return campaign__plan(c, error);
}

/* A file of results that cannot be read leaves the command as if it had not been named. */
static Status read_results(Campaign *c, Error *error)
{
    for (uint32_t i = 0; i < c->options->results.len; i++) {
        Error fault;
        if (results_read(c->options->results.data[i], &c->results, &fault) != OK)
            fprintf(stderr, "clew: %s; its results are not used\n", fault.text);
    }
    if (c->options->from_analysis && prove_verdicts(&c->options->front, !c->whole_program, &c->results, error) != OK) return FAILED;
    return c->results.annotations.len ? front_place_results(&c->options->front, &c->results, error) : OK;
}

static Status load(Campaign *c, Error *error)
{
    tell_project(c);
    uint32_t faults = 0;
    Status status = read_results(c, error);
    if (status == OK) status = load_once(c, &faults, error);
    while (status != OK && faults)
        status = load_once(c, &faults, error); /* without the units to blame: each round leaves out one at least */
    if (status == OK && !c->units) c->whole_program = !c->options->function_count && program_function(c->program, "main");
    return status;
}

/* ---- branches ---- */

/* Static functions of one name get a number from the linker. */
static char *plain_name(const char *name)
{
    char *copy = mem_strdup(name), *dot = strrchr(copy, '.');
    if (dot && dot != copy && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1)) *dot = 0;
    return copy;
}

static bool is_named(const CampaignOptions *o, const char *function)
{
    for (uint32_t i = 0; i < o->function_count; i++) {
        const char *colon = strrchr(o->functions[i], ':');
        if (strcmp(colon ? colon + 1 : o->functions[i], function) == 0) return true;
    }
    return o->function_count == 0;
}

static bool is_harness(const Campaign *c, const char *file)
{
    return strstr(file, strrchr(c->scratch, '/') + 1); /* the name may be relative to where Clew was started */
}

static bool counts(const Campaign *c, const Branch *b, const char *function)
{
    const char *file = c->program->locs[b->loc].file;
    if (b->uncounted || !file || is_harness(c, file) || strncmp(file, "/usr/", 5) == 0) return false;
    return is_named(c->options, function);
}

static void list_branches(Campaign *c)
{
    bool fresh = c->ledger->branches.len == 0;
    size_t size = c->program->branch_count + 1;
    for (uint32_t i = 0; i < c->program->function_count; i++)
        c->program->functions[i].in_harness = c->program->functions[i].file && is_harness(c, c->program->functions[i].file);
    c->known = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(c->known != MAP_FAILED, "no memory for the table of branches");
    c->wanted = mem_alloc(size);
    c->ranks = mem_alloc(size);
    for (uint32_t i = 0; i < c->program->branch_count; i++) {
        const Branch *b = &c->program->branches[i];
        const Loc *loc = &c->program->locs[b->loc];
        char text[64], *function = plain_name(c->program->functions[b->function].name);
        bool is_counted = counts(c, b, function);
        c->wanted[i] = is_counted || b->objective;
        if (fresh)
            ledger_add_branch(c->ledger, &(LedgerBranch){.id = i,
                                                         .function = function,
                                                         .file = (char *)(loc->file ? loc->file : ""),
                                                         .line = loc->line,
                                                         .column = loc->column,
                                                         .ordinal = b->ordinal,
                                                         .which = b->which,
                                                         .outcome = (char *)branch_outcome_text(b, text),
                                                         .counted = is_counted});
        free(function);
    }
}

/* ---- units ---- */

static void add_task(Campaign *c, Tasks *tasks, const char *name, const char *file, uint32_t line, const Function *function)
{
    LedgerUnit *unit = ledger_unit(c->ledger, name);
    if (!unit) unit = ledger_add_unit(c->ledger, name, file, line);
    if (unit->done) return;
    ledger_drop_losses(c->ledger, name);
    unit->runs = unit->paths = 0;
    unit->seconds = 0;
    const Function *entry = function ? function : program_function(c->program, "main");
    unit->hash = summary_hash_unit(c->program, (uint32_t)(entry - c->program->functions));
    vec_push(tasks, ((Task){.name = name, .function = function, .unit = (uint32_t)(unit - c->ledger->units.data)}));
}

static void add_unit(Campaign *c, Tasks *tasks, const Unit *planned)
{
    const CFunction *function = unit_function(planned);
    const char *problem = unit_problem(planned);
    bool known = ledger_unit(c->ledger, unit_name(planned));
    const Function *entry = problem ? NULL : program_function(c->program, unit_entry(planned));
    if (problem || !entry) {
        if (known) return;
        LedgerUnit *unit = ledger_add_unit(c->ledger, unit_name(planned), function->file, function->line);
        ledger_set_text(&unit->problem, problem ? problem : "its harness was not compiled");
        unit->done = true;
        ledger_touch_unit(c->ledger, (uint32_t)(unit - c->ledger->units.data));
        return;
    }
    add_task(c, tasks, unit_name(planned), function->file, function->line, entry);
    if (known) return;
    LedgerUnit *unit = ledger_unit(c->ledger, unit_name(planned));
    uint32_t count;
    const char *const *assumptions = unit_assumptions(planned, &count);
    for (uint32_t i = 0; i < count; i++) vec_push(&unit->assumptions, mem_strdup(assumptions[i]));
    ledger_touch_unit(c->ledger, (uint32_t)(unit - c->ledger->units.data));
}

static void add_program(Campaign *c, Tasks *tasks, const Function *entry)
{
    bool known = ledger_unit(c->ledger, "main");
    add_task(c, tasks, "main", entry->file ? entry->file : "", entry->line, NULL);
    LedgerUnit *unit = ledger_unit(c->ledger, "main");
    for (uint32_t i = 0; i < c->input_assumptions.len && !known; i++)
        vec_push(&unit->assumptions, mem_strdup(c->input_assumptions.data[i]));
    ledger_touch_unit(c->ledger, (uint32_t)(unit - c->ledger->units.data));
}

/* Of bitcode only numbers are known as parameters. */
static void add_bitcode_units(Campaign *c, Tasks *tasks)
{
    for (uint32_t i = 0; i < c->program->function_count; i++) {
        const Function *f = &c->program->functions[i];
        Error error;
        if (!f->defined || f->in_model || !is_named(c->options, f->name) || (f->internal && !c->options->function_count)) continue;
        if (search_check(f, &error) == OK) {
            add_task(c, tasks, f->name, f->file ? f->file : "", f->line, f);
            continue;
        }
        LedgerUnit *unit = ledger_add_unit(c->ledger, f->name, f->file ? f->file : "", f->line);
        ledger_set_text(&unit->problem, error.text);
        unit->done = true;
    }
}

/* What an earlier campaign in this directory has covered, or has tests for that are still to be replayed, is not searched for again. */
static void know_earlier(Campaign *c)
{
    const Ledger *ledger = c->ledger;
    for (uint32_t i = 0; i < ledger->branches.len && i < c->program->branch_count; i++)
        if (ledger->branches.data[i].status == LEDGER_COVERED) c->known[i] = KNOWN_REACHED;
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        const LedgerTest *test = &ledger->tests.data[i];
        if (test->replayed || test->trouble || !test->kept) continue;
        for (uint32_t k = 0; k < test->record.branches.len; k++)
            if (test->record.branches.data[k] < c->program->branch_count) c->known[test->record.branches.data[k]] = KNOWN_REACHED;
    }
}

static Status list_units(Campaign *c, Tasks *tasks, Error *error)
{
    const Function *entry = program_function(c->program, "main");
    if (c->whole_program) add_program(c, tasks, entry);
    else if (!c->units) add_bitcode_units(c, tasks);
    else
        for (uint32_t i = 0; i < units_count(c->units); i++) add_unit(c, tasks, units_at(c->units, i));
    know_earlier(c);
    if (!c->ledger->units.len) return fail(error, "there is no function to test; static ones can be named with --function");
    return OK;
}

/* ---- the end ---- */

void campaign__on_replay(void *data, const char *what, uint32_t done, uint32_t all)
{
    Campaign *c = data;
    ReportStatus status = {.phase = what, .units_done = done, .units = all, .seconds = clock_seconds() - c->options->started};
    for (uint32_t i = 0; i < c->ledger->branches.len; i++) {
        status.branches += c->ledger->branches.data[i].counted;
        status.reached += c->ledger->branches.data[i].counted && c->ledger->branches.data[i].reached;
    }
    status.tests = c->ledger->tests.len;
    status.bugs = c->ledger->bugs.len;
    status.seconds_left = c->options->time > 0 ? c->options->started + c->options->time - clock_seconds() : -1;
    report_status(c->report, &status);
}

static ReplayOptions replay_options(Campaign *c, double deadline)
{
    const CampaignOptions *o = c->options;
    return (ReplayOptions){.jobs = campaign__processors(),
                           .cc = o->cc,
                           .verbose = o->front.verbose,
                           .deadline = deadline,
                           .on_progress = campaign__on_replay,
                           .on_progress_data = c};
}

static Status start_replay(Campaign *c, Error *error)
{
    ReplayOptions options = replay_options(c, 0);
    options.jobs = 1; /* beside the search, on another processor */
    options.on_progress = NULL;
    return c->options->replay ? replayer_new(&c->replayer, c->ledger, c->decls, c->units, &c->options->emit, &options, error) : OK;
}

static double before_end(const Campaign *c, double seconds)
{
    return campaign__end(c) ? campaign__end(c) - seconds : 0;
}

/* The suite: first what is confirmed, then the written files once more as their user would build and run them. */
static Status write_tests(Campaign *c, Replay *replay, Error *error)
{
    const CampaignOptions *o = c->options;
    if (!c->replayer) return emit_suite(c->ledger, c->decls, c->units, &o->emit, error);
    if (!c->interrupted) replayer_finish(c->replayer, before_end(c, WRITING_SECONDS));
    campaign__tell_trouble(c);
    replayer_account(c->replayer, replay);
    replayer_free(c->replayer);
    c->replayer = NULL;
    replay_choose_suite(c->ledger);
    if (emit_suite(c->ledger, c->decls, c->units, &o->emit, error) != OK) return FAILED;
    if (c->interrupted) return OK;
    ReplayOptions options = replay_options(c, before_end(c, WRITING_SECONDS / 2));
    if (replay_check(c->ledger, c->decls, c->units, &o->emit, &options, replay, error) != OK) return FAILED;
    replay_choose_suite(c->ledger);
    return emit_suite(c->ledger, c->decls, c->units, &o->emit, error);
}

/* A search that ends by itself tells the reasons of all branches in its function, and in functions that it has come to; so this one has not. */
static const char *reason_without_search(const Campaign *c, const LedgerBranch *branch)
{
    const LedgerUnit *unit = ledger_unit(c->ledger, branch->function);
    if (branch->reached)
        return c->options->replay ? "no native run was made of the test that reaches it" : "reached in the machine; not replayed natively";
    if (!unit || unit->problem) return "its function is never called from what was tested";
    if (!unit->runs) return "its function was not searched, or not to the end of one path";
    return "the search of its function was ended before it could tell why (--resume searches on)";
}

static void explain_open(Campaign *c)
{
    for (uint32_t i = 0; i < c->ledger->branches.len; i++) {
        LedgerBranch *b = &c->ledger->branches.data[i];
        if (!b->counted || b->status != LEDGER_OPEN || b->reason) continue;
        ledger_set_text(&b->reason, reason_without_search(c, b));
        ledger_touch_branch(c->ledger, i);
    }
}

static void enter_totals(Campaign *c, const Replay *replay)
{
    Ledger *l = c->ledger;
    ledger_set_stat(l, "runs", (double)c->totals.runs);
    if (c->results.annotations.len) {
        ledger_set_stat(l, "verified_runs", (double)c->totals.verified);
        ledger_set_stat(l, "unverified_runs", (double)c->totals.unverified);
    }
    ledger_set_stat(l, "paths", (double)c->totals.paths);
    ledger_set_stat(l, "instructions", (double)c->totals.instructions);
    ledger_set_stat(l, "queries", (double)c->totals.queries);
    ledger_set_stat(l, "work", (double)c->totals.work);
    ledger_set_stat(l, "solver_seconds", c->totals.solver_seconds);
    ledger_set_stat(l, "search_processor_seconds", c->totals.processor_seconds);
    ledger_set_stat(l, "search_news_seconds", c->totals.news_seconds);
    ledger_set_stat(l, "seconds", clock_seconds() - c->options->started);
    ledger_set_stat(l, "peak_rss_kib", (double)c->totals.peak_rss_kib);
    l->ended = !c->interrupted;
    ledger_set_stat(l, "tests_not_confirmed", replay->failed + replay->not_run + replay->differences.len);
    l->complete = l->losses.len == 0 && !c->stopped && replay->failed == 0 && replay->not_run == 0;
    for (uint32_t i = 0; i < l->units.len; i++) l->complete &= l->units.data[i].complete && !l->units.data[i].problem;
}

static uint32_t count_bugs(const Campaign *c)
{
    uint32_t bugs = 0;
    for (uint32_t i = 0; i < c->ledger->bugs.len; i++) {
        const LedgerBug *bug = &c->ledger->bugs.data[i];
        bugs += !bug->precondition && !bug->suppressed && (!c->options->replay || bug->confirmed);
    }
    return bugs;
}

static void summarise(Campaign *c, const Replay *replay)
{
    report_clear(c->report);
    if (c->options->json) {
        StrBuf text = {0};
        ledger_json(c->ledger, &text);
        puts(text.text);
        strbuf_release(&text);
    } else {
        report_summary(stdout, c->ledger, c->options->replay ? replay : NULL, c->options->quiet);
    }
    fflush(stdout);
    if (c->options->stats) campaign__print_summaries(c);
    if (c->options->stats) campaign__print_coverage(c);
    if (c->options->stats) loops_print_stats(stderr, &c->totals.loops);
}

/* Prints the results of an earlier command with the same sources and options, because a search would find the same again. */
static Status show_all(Campaign *c, uint32_t *bugs, Error *error)
{
    report_clear(c->report);
    if (!c->options->json && !c->options->quiet)
        fprintf(
            stderr,
            "clew: nothing has changed since the last command; this is what it found (--resume searches further, --fresh begins anew)\n");
    campaign__suppress(c);
    summarise(c, &(Replay){0});
    *bugs = count_bugs(c);
    return ledger_write_json(c->ledger, error); /* which bugs are known may be another set */
}

static Status campaign(Campaign *c, CampaignOptions *o, uint32_t *bugs, Error *error)
{
    Tasks tasks = {0};
    Replay replay = {0};
    Status status = campaign__read_suppressions(c, error);
    if (status == OK) campaign__read_alarms(c);
    if (status == OK) status = declare(c, error);
    if (status == OK && campaign__has_all(c)) return show_all(c, bugs, error);
    if (status == OK) status = load(c, error);
    if (status == OK) campaign__find_inputs(c, &o->search.vm);
    LedgerIdentity identity = campaign__identity(c);
    if (status == OK) status = ledger_open(&c->ledger, o->out, o->target, &identity, o->resume, error);
    if (status == OK) status = campaign__keep_command(o, error);
    if (status == OK) {
        campaign__keep_summaries(c);
        list_branches(c);
        bool aimed = o->target_file || o->target_function;
        status = !aimed || (c->target = target_new(c->program, o, error)) ? list_units(c, &tasks, error) : FAILED;
    }
    if (status == OK) campaign__take_earlier(c, o, &tasks);
    if (status == OK) {
        if (o->prove) c->reserve = o->time * PROOF_SHARE;
        status = start_replay(c, error);
        if (status == OK) campaign__start_proofs(c);
        if (status == OK) campaign__search(c, tasks.data, tasks.len);
        show_phase(c, "writing tests");
        if (status == OK) status = write_tests(c, &replay, error);
        c->reserve = 0;
        show_phase(c, "proving");
        if (status == OK) status = campaign__prove(c, error);
    }
    if (status == OK) {
        campaign__tell_changes(c);
        campaign__explain_earlier(c);
        explain_open(c);
        campaign__triage(c);
        campaign__suppress(c);
        enter_totals(c, &replay);
        status = ledger_commit(c->ledger, error);
    }
    if (status == OK) status = ledger_write_json(c->ledger, error);
    if (status == OK) status = campaign__write_contracts(c->ledger, error);
    if (status == OK) {
        summarise(c, &replay);
        *bugs = count_bugs(c);
    }
    replay_release(&replay);
    vec_release(&tasks);
    return status;
}

void campaign__release(Campaign *c)
{
    report_free(c->report);
    replayer_free(c->replayer);
    if (c->known) munmap(c->known, c->program->branch_count + 1);
    free(c->wanted);
    free(c->ranks);
    free(c->settled);
    vec_release(&c->carried);
    target_free(c->target);
    campaign__release_suppressions(c);
    alarms_release(&c->alarms);
    results_release(&c->results);
    if (c->scratch) rmdir(c->scratch);
    free(c->scratch);
    for (uint32_t i = 0; i < c->input_assumptions.len; i++) free(c->input_assumptions.data[i]);
    vec_release(&c->input_assumptions);
    if (c->ledger) ledger_free(c->ledger);
    if (c->units) units_free(c->units);
    if (c->decls) decls_free(c->decls);
    if (c->program) program_free(c->program);
}

Status campaign_run(const CampaignOptions *options, uint32_t *bugs, Error *error)
{
    CampaignOptions own = *options;
    Campaign c = {.options = &own, .report = report_new(stderr, options->quiet || options->json)};
    signal(SIGPIPE, SIG_IGN);
    *bugs = 0;
    Status status = campaign(&c, &own, bugs, error);
    campaign__release(&c);
    return status;
}
