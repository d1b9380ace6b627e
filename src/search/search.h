/* search: all paths of a program, one after the other, until every one is known or the budget is spent.
 *
 * A run follows its model; where it could have gone another way there is a *point* in the tree of paths.  The strategy picks a point,
 * the solver is asked for inputs that go another way there, the machine goes back along its trail to the nearest state that both paths
 * share, and runs on under the new model.  An execution with undefined behaviour ends there: what comes after has no meaning in C
 * (compile with -fwrapv where overflow is meant to wrap). */
#ifndef CLEW_SEARCH_H
#define CLEW_SEARCH_H

#include "base/base.h"
#include "loops/loops.h"
#include "program/program.h"
#include "search/lane.h"
#include "search/peers.h"
#include "solve/solve.h"
#include "summary/summary.h"
#include "vm/vm.h"

typedef struct Search Search;

typedef enum SearchStrategy {
    SEARCH_AUTO, /* all techniques (schedule.c); else one of them alone */
#define TECHNIQUE(NAME, table, text, help) SEARCH_##NAME,
#include "search/techniques.def"
#undef TECHNIQUE
    SEARCH_STRATEGIES
} SearchStrategy;
const char *search_strategy_name(SearchStrategy strategy);

typedef enum SearchEnd {
    SEARCH_GOES_ON,
#define END(NAME, text) SEARCH_END_##NAME,
#include "search/ends.def"
#undef END
} SearchEnd;
const char *search_end_text(SearchEnd end);

/* A summary that was kept: of the function with that number, as summaries_save made it. */
typedef struct SearchKept {
    uint32_t function;
    const void *bytes;
    size_t size;
} SearchKept;

/* What a run is given, by the names of inputs. */
typedef struct SearchSeedInput {
    const char *name;
    U128 value;
} SearchSeedInput;
typedef struct SearchSeed {
    const SearchSeedInput *inputs;
    uint32_t count;
} SearchSeed;

/* What a search may use, in memory that it shares with who has started it.  Where it has used that up it waits for more. */
typedef struct SearchGrant {
    _Atomic uint64_t until;  /* on clock_seconds, in microseconds */
    _Atomic uint32_t finish; /* != 0: it is to end now */
} SearchGrant;

#define SEARCH_REHEARSAL UINT64_MAX

typedef struct SearchOptions {
    SearchStrategy strategy;
    uint64_t seed;     /* of the first inputs, of random choices, and of the solver */
    uint64_t max_runs; /* 0: no limit */
    double deadline;   /* on clock_seconds; 0: none */
    bool first_bug;    /* stop at the first bug */
    /* Per branch of the program, the caller's; they may change while the search runs.  `known`: reached elsewhere, so not aimed at.  `wanted`: what
     * counts; NULL: all that do not belong to Clew's library. */
    const uint8_t *known, *wanted;
    const uint32_t *target; /* stop when this branch is reached; NULL: none */
    /* Stop after so many runs in a row (or as much work) without a new branch, bug or outcome of a check; ten times as many while something wanted is
     * not reached or all paths are short; 0: never. */
    uint64_t patience;
    uint64_t work;         /* stop after so many units of counted work, about a nanosecond each; 0: no limit */
    bool revisits;         /* runs are gone on with also in states that were seen before */
    bool passes_undecided; /* what lies behind a branch that depends on an uninitialised value is to be reached, too */
    bool no_loops;         /* branches below loops are not solved for (by_loops.c) */
    bool until_covered;    /* stop when every wanted branch is reached and as much work again has shown no bug */
    SearchGrant *grant;    /* NULL: it may use all there is */
    /* Where the number of the run at hand is kept, for who finds out that this process has died; and runs that are not to be made, because an internal
     * error ended them before.  SEARCH_REHEARSAL stands for every rehearsal (by_sequences.c). */
    _Atomic uint64_t *at_run;
    const uint64_t *skipped;
    uint32_t skipped_count;
    uint64_t planted;                                  /* for tests of what an internal error costs: one happens in this run; 0: none */
    void (*on_wait)(void *data, const Search *search); /* called before it waits for more; NULL: nothing is called */
    void *on_wait_data;
    bool summaries; /* with auto: it is for the caller to start a lane, and to make the same search in both of its processes */
    Lane *lane;   /* the side search has the strategy SEARCH_SUMMARIES, the main search has summaries as a technique; NULL: there is none */
    Peers *peers; /* other searches that it divides what is pending with, and … */
    uint32_t peer;          /* … which of them it is: only the first makes a run by itself.  NULL: it has all for itself. */
    const SearchKept *kept; /* summaries of earlier campaigns, the caller's */
    uint32_t kept_count;
    const SearchSeed *seeds; /* runs to begin with, the caller's */
    uint32_t seed_count;
    VmOptions vm; /* exploring, marks, stop_at_report and reports are the search's own business */
    SolveOptions solve;
    /* Called after each run; the path's conditions, model and branches are the vm's. */
    void (*on_run)(void *data, Search *search, Vm *vm, const VmStop *stop);
    void *on_run_data;
    /* Called when half of all work so far has brought nothing new; true: the search ends.  NULL: it goes on. */
    bool (*on_quiet)(void *data, const Search *search);
    void *on_quiet_data;
    /* Called between runs, at most every 50 ms, to show how things stand. */
    void (*on_progress)(void *data, const Search *search);
    void *on_progress_data;
} SearchOptions;

#define SEARCH_TIME_NS ((int64_t)1600000000 * 1000000000) /* every search sees the same clock: September 2020 */

/* Why not all paths are known. */
typedef struct SearchLoss {
    uint32_t loc;
    const char *reason; /* owned by the search */
} SearchLoss;

typedef struct SearchBug {
    BugKind bug;
    uint32_t loc;
    const char *function;
    char *message;
    uint64_t run;
    bool elsewhere; /* the other search of a lane has found it */
} SearchBug;

typedef struct SearchStats {
    uint64_t runs, paths, bounded /* runs cut off by a limit */, assumed_away, verified /* runs that were left out because they are */,
        unverified /* or failed */, points, unsat, unknown;
    uint64_t rehearsals; /* executions of input sequences that are no runs, see by_sequences.c */
    uint64_t shortened;  /* of which so many ended where repetitions began to go round the same states */
    uint64_t rehearsed_inputs;
    uint64_t visited;     /* runs that ended in a state that was seen before */
    uint64_t divergences; /* runs that did not go the way that was predicted */
    uint64_t last_news;   /* the run that was last to bring a new branch, bug or outcome of a check */
    uint64_t rewinds;     /* how often expressions that nothing needs any more were forgotten */
    uint64_t bugs;        /* found by its own runs */
    SearchEnd end;
} SearchStats;

/* Can the function be called with inputs of its own?  The error says why not. */
Status search_check(const Function *function, Error *error);
/* `function` NULL: the program's main; else a function whose parameters are scalars: each becomes an input. */
Status search_new(Search **search, const Program *program, const Function *function, const SearchOptions *options, Error *error);
void search_free(Search *search);
/* Searches until all paths are known, nothing is left to try, or a budget is spent (search_stats says which). */
void search_run(Search *search);
/* Called in a side search after search_run: the side search tells the main search whether it knows all paths, and its process ends. */
_Noreturn void search_end_side(Search *search);
void search_stop(Search *search); /* after the run at hand: what was looked for is found */

uint64_t search_work(const Search *search); /* so far; in the main search of a lane, of both */
uint64_t search_runs(const Search *search); /* so far; of both */
/* What a technique has had so far, and what its tries brought: branches, bugs and outcomes of checks. */
typedef struct SearchTechnique {
    uint64_t work, news;
} SearchTechnique;
SearchTechnique search_technique(const Search *search, SearchStrategy technique);
const char *search_turns(const Search *search);      /* of the run at hand, if `loops` has solved for it (loops_told); else NULL */
LoopsStats search_loops_stats(const Search *search); /* of the technique `loops` */
bool search_complete(const Search *search);          /* all paths were executed, and none was cut off or fixed to concrete values */
const SearchStats *search_stats(const Search *search);
SearchStrategy search_strategy_now(const Search *search); /* what auto gives its budget to; else the strategy that was asked for */
uint32_t search_goals_left(const Search *search);         /* wanted branches that are neither known nor reached */
const SolveStats *search_solve_stats(const Search *search);
const Summaries *search_summaries(const Search *search); /* NULL: there are none */
const SearchLoss *search_losses(const Search *search, uint32_t *count);
const SearchBug *search_bugs(const Search *search, uint32_t *count);
const uint8_t *search_reached(const Search *search); /* per branch of the program; by both searches of a lane */
LaneNote search_elsewhere(const Search *search);     /* what the other search of a lane has done */
/* What the search knows of a branch that it has not reached. */
typedef struct SearchOpen {
    bool entered;       /* its function was called */
    bool evaluated;     /* its condition was evaluated, with another outcome */
    bool depends;       /* … and depended on an input then */
    uint64_t tried;     /* how often other inputs were looked for at that condition */
    const char *reason; /* why a try ended without an answer; NULL: every one was refuted */
    bool verified;      /* only runs that were left because all that followed was verified (VmStop.verified) have taken it */
    bool undecided;     /* the search has met branches that uninitialised values decide; paths without undefined behaviour end there */
} SearchOpen;
SearchOpen search_open(const Search *search, uint32_t branch);

#endif
