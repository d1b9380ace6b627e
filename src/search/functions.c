/* Functions are summarised (summary/): the machine stops at their calls, and what the summaries find out is part of the search. */
#include "search/search_int.h"

static bool on_path(void *data, bool another)
{
    Search *search = data;
    const SearchOptions *options = &search->options;
    search->stats.runs += another;
    if (options->on_progress) search__show_progress(search);
    if (options->max_runs && search_runs(search) >= options->max_runs) return false;
    if ((options->work && search_work(search) >= options->work) || !search__may_go_on(search)) return false;
    return options->deadline <= 0 || clock_seconds() < options->deadline;
}

/* The function's path was counted as a run; this is the rest of it. */
static VmStopKind on_witness(void *data, bool last)
{
    Search *search = data;
    VmStop stop = vm_run(search->vm);
    vec_clear(&search->fresh);
    search->fresh_side = 0;
    if (stop.kind != VM_ASSUMPTION || last) search__end_run(search, &stop, true);
    return stop.kind;
}

static void assert_context(void *data, const Expr *conditions, uint32_t count)
{
    search__assert(data, conditions, count);
}

static void on_loss(void *data, uint32_t loc, const char *reason)
{
    search__lose(data, loc, reason);
}

static bool knows_bug(void *data, BugKind bug, uint32_t loc)
{
    return search__knows_bug(data, bug, loc);
}

void search__use_summaries(Search *search)
{
    SummaryOptions options = {.data = search,
                              .on_path = on_path,
                              .on_witness = on_witness,
                              .assert_context = assert_context,
                              .on_loss = on_loss,
                              .knows_bug = knows_bug,
                              .top = search->function ? search->function : program_function(search->program, "main"),
                              .parameters = search->function ? search->function->param_count : 0};
    search->summaries = summaries_new(search->program, search->vm, search->solver, &options);
    for (uint32_t i = 0; i < search->options.kept_count; i++) {
        const SearchKept *kept = &search->options.kept[i];
        Error error;
        (void)summaries_load(search->summaries, kept->function, kept->bytes, kept->size,
                             &error); /* what cannot be read is found out anew */
    }
}

/* A run that ends in a function, where nothing is new, may have come to new branches on the way there: then it is executed as a whole. */
static bool told_all(const Search *search)
{
    return vm_branches_seen_count(search->vm) == search->told;
}

VmStop search__execute(Search *search)
{
    for (;;) {
        VmStop stop = vm_run(search->vm);
        SummaryResult result = stop.kind == VM_AGAIN ? SUMMARY_AGAIN : SUMMARY_GOES_ON;
        bool call = stop.kind == VM_CALL || stop.kind == VM_DECIDES;
        if (stop.kind != VM_AGAIN && !call) return stop;
        /* A run may come to thousands of calls and ask the solver at each, so limits are looked at between calls, not only between runs. */
        if (call && !on_path(search, false)) {
            stop.kind = VM_TIME;
            return stop;
        }
        if (call) result = summaries_call(search->summaries);
        if (result == SUMMARY_AGAIN) vm_return(search->vm, search->resumed);
        if (result == SUMMARY_ENDS && !told_all(search)) {
            vm_return(search->vm, search->resumed);
            summaries_watch(search->summaries, false);
            on_witness(search, true);
            summaries_watch(search->summaries, true);
            vm_return(search->vm, search->resumed);
        } else if (result == SUMMARY_ENDS) {
            stop.kind = VM_RETURNED;
            return stop;
        }
    }
}
