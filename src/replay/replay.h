/* replay: compiles the tests natively, runs them under limits, and says what they really did.
 *
 * Three builds.  *Counted*: clang's code for the source with a counter on every outcome of every branch, in memory that is shared with this
 * process; exact even where a run is cut off in the middle by a signal, and by construction the same branches as the ledger's.
 * *gcov*: gcc --coverage, for the tests that end normally; compared line by line (gcov knows neither columns nor outcomes, and folds some
 * conditions; see gcov.c for the rule).  *Sanitized*: gcc -fsanitize=address,undefined, for bugs.
 * Every run is a child process with limits of time, memory, processes and file size, in a scratch directory of its own. */
#ifndef CLEW_REPLAY_H
#define CLEW_REPLAY_H

#include "base/base.h"
#include "decl/decl.h"
#include "emit/emit.h"
#include "ledger/ledger.h"

typedef struct ReplayOptions {
    double deadline;     /* on clock_seconds; 0: none */
    double test_seconds; /* for one test; 0: 5 */
    uint64_t memory;     /* bytes for one test; 0: 2 GiB (not for sanitized ones, whose shadow needs address space) */
    uint32_t jobs;       /* compilers and tests at a time; 0: as many as processors */
    const char *cc;      /* for the gcov and sanitized builds; NULL: gcc */
    bool verbose;        /* print commands and test outputs on stderr */
    void (*on_progress)(void *data, const char *what, uint32_t done, uint32_t all);
    void *on_progress_data;
} ReplayOptions;

typedef struct ReplayDifference {
    char *file;
    uint32_t line;
    char *text; /* "the ledger says 3 of 4 outcomes are covered, gcov saw 2 of 4" */
} ReplayDifference;

typedef struct Replay {
    uint32_t tests, passed, failed, not_run; /* not_run: no time was left, or it could not be built */
    uint32_t bugs, confirmed;
    uint32_t lines_compared, lines_agreeing, lines_incomparable;
    Vec(ReplayDifference) differences;
    bool out_of_time;
} Replay;

/* Replays every written test of the ledger and enters what was seen: `replayed`, `trouble` and `covers` of tests; `status`, `test` and `reason` of
 * branches (a branch that the machine reached and no native run did is open, with that reason); `confirmed` and `evidence` of bugs. */
Status replay_run(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit, const ReplayOptions *options,
                  Replay *replay, Error *error);
/* The written files once more, as gcc compiles them, each run as its user would run it: what fails there does not pass, and gcov is compared with what
 * the tests were seen to do before.  Files for which no time is left are not run, and stay what they are. */
Status replay_check(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit, const ReplayOptions *options,
                    Replay *replay, Error *error);
/* From what tests were seen to cover: the state of each branch, as far as it changes; and a small suite with the same coverage and all bugs, with
 * `kept` of the others unset. */
void replay_enter_branches(Ledger *ledger, Replay *replay /* takes proofs that do not hold; NULL: nobody asks */);
void replay_choose_suite(Ledger *ledger);

/* ---- beside a search (beside.c) ---- */
typedef struct Replayer Replayer;
struct pollfd;
/* Tests are built and run natively, a batch at a time, while others are still being found.  The support files of options->emit are written to a scratch
 * directory. */
Status replayer_new(Replayer **replayer, Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit,
                    const ReplayOptions *options, Error *error);
void replayer_free(Replayer *replayer); /* ends what runs */
/* A test of the ledger (by its index) that is refined, and not replayed yet. */
void replayer_add(Replayer *replayer, uint32_t test);
/* Does what can be done without waiting, and enters what is known by now.  True: something runs, and its end is to be waited for. */
bool replayer_step(Replayer *replayer);
uint32_t replayer_descriptors(const Replayer *replayer, struct pollfd *descriptors,
                              uint32_t most);              /* that become readable when something ends */
void replayer_set_jobs(Replayer *replayer, uint32_t jobs); /* compilers and tests at a time */
/* All that can still change something, until the deadline. */
void replayer_finish(Replayer *replayer, double deadline);
double replayer_batch_seconds(const Replayer *replayer);         /* how long a batch of tests took lately */
const char *replayer_trouble(const Replayer *replayer);          /* why tests cannot be built; NULL: they can, as far as is known */
void replayer_account(const Replayer *replayer, Replay *replay); /* how many passed, failed, were not run */

void replay_release(Replay *replay);

#endif
