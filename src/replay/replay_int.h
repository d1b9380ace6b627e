/* What the files of replay/ share: running processes under limits, building test programs, the numbers of outcomes, and the state of one
 * replay.  All strings and tables of these structures belong to them. */
#ifndef CLEW_REPLAY_INT_H
#define CLEW_REPLAY_INT_H

#include "replay/replay.h"

#include <sys/types.h>

#define NO_TIME "no time was left to run it" /* LedgerTest.trouble of a test that is still to be run */
#define PROGRAM_MAIN "clew_program_main"     /* how the symbol of main of the program under test begins in a test (emit.h) */

/* ---- running processes (run.c) ---- */
typedef enum RunEnd { RUN_WAITING, RUN_EXITED, RUN_SIGNALLED, RUN_TIMED_OUT, RUN_NOT_RUN /* no time was left */ } RunEnd;

typedef struct RunResult {
    RunEnd end;
    int status;     /* of exit, or the signal */
    double seconds; /* it was given */
} RunResult;

typedef struct Run {
    Vec(char *) words;                       /* the command; owned */
    Vec(char *) environment;                 /* "NAME=value", added to that of this process; owned */
    char *directory;                         /* where it runs; NULL: here */
    bool own_directory;                      /* it is made for the run, and removed with all that is in it */
    char *output, *errors;                   /* files for its stdout and stderr; NULL: thrown away */
    double seconds;                          /* of wall-clock and of processor time; 0: only the deadline of all */
    bool is_batch;                           /* many tests, each a process of its own with that limit of processor time */
    uint64_t memory;                         /* bytes of address space; 0: no limit */
    uint32_t priority;                       /* lower ones first; equal ones in the order in which they came */
    int (*work)(void *data, uint32_t index); /* done in the child before the command, which is left out if it is not 0 */
    void (*done)(void *data, uint32_t index, const struct Run *run);
    void *data;
    uint32_t index;
    RunResult result;
    /* of run.c */
    uint64_t number;
    pid_t pid;
    int handle; /* pidfd, or -1 */
    double started;
} Run;

typedef struct Pool {
    uint32_t jobs;
    double deadline; /* 0: none */
    bool verbose, out_of_time;
    Vec(Run *) waiting, running;
    uint64_t next_number;
} Pool;

Run *replay__new_run(void);
void replay__add_word(Run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
void replay__add_environment(Run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the run.  `done` is called from replay__finish and may start others. */
void replay__start(Pool *pool, Run *run);
/* Until nothing is left to run; what is left at the deadline is ended, or never begun. */
void replay__finish(Pool *pool);
/* Waits for something to happen, and takes note of it; returns at once if nothing runs. */
void replay__advance(Pool *pool);
/* Without waiting: takes note of runs that have ended, ends late ones, begins others. */
void replay__step(Pool *pool);
bool replay__is_busy(const Pool *pool);
/* "exit status 3", "SIGSEGV", "ran longer than 2 s": for people. */
void replay__describe_end(const RunResult *result, StrBuf *out);
const char *replay__signal_name(int signal);
/* The first `most` bytes of a file, "" if there is none; the caller's to free. */
char *replay__read_text(const char *path, size_t most);
Status replay__write_text(const char *path, const char *text, Error *error);
void replay__remove_tree(const char *path);

/* ---- numbers of outcomes (numbers.c) ----
 * Copies of one function in several files (static inline ones of a header) are several branches of the ledger and one outcome here: they
 * stand at the same place of the same file. */
typedef struct Numbers {
    const Ledger *ledger;
    uint32_t count;
    Vec(uint32_t) of_branch; /* by branch of the ledger */
    Vec(uint32_t) branch_of; /* the first branch that has the number */
    Vec(uint32_t) file_of;   /* by number, into files */
    NameMap keys;
    Vec(char *) files;    /* as they are compared */
    NameMap file_numbers; /* of those */
    NameMap spellings;    /* of paths as they were met, to files */
    Vec(bool) nested;     /* by number, once code with it is compiled: FrontOutcome.nested */
    bool has_unresolved;  /* some file of the ledger does not exist under its name from here */
} Numbers;
void replay__number(Numbers *numbers, const Ledger *ledger);
void replay__release_numbers(Numbers *numbers);
/* For front_count. */
struct FrontOutcome;
uint32_t replay__number_of(void *numbers, const struct FrontOutcome *outcome);
/* Number of a file of the ledger, UINT32_MAX if it has none there. */
uint32_t replay__file(Numbers *numbers, const char *path);

/* Sets of outcomes, one bit each. */
typedef struct OutcomeSet {
    uint64_t *bits; /* NULL: empty */
} OutcomeSet;
static inline bool outcome_seen(const OutcomeSet *set, uint32_t number)
{
    return set->bits && (set->bits[number / 64] >> (number % 64) & 1);
}
void replay__see(const Numbers *numbers, OutcomeSet *set, uint32_t number);
void replay__see_all(const Numbers *numbers, OutcomeSet *set, const OutcomeSet *other);

/* ---- building (build.c) ---- */
typedef enum BuildKind { BUILD_COUNTED, BUILD_SANITIZED, BUILD_MEMORY, BUILD_COVERAGE, BUILD_KINDS } BuildKind;
enum { STAGE_RUN, STAGE_LINK, STAGE_OBJECT, STAGE_CODE, STAGES, LATER = BUILD_KINDS * STAGES }; /* what is nearest to its end goes first */

typedef struct Object { /* a compiled file */
    BuildKind kind;
    char *path, *problem;  /* problem: why it could not be built */
    uint32_t file, source; /* of a test file, or of a source that is linked; UINT32_MAX: neither */
    const char *support;   /* of a file of Clew's that is linked; NULL: no such.  None of the three: the runtime */
    bool done;
    Vec(uint32_t) users; /* binaries that wait for it */
} Object;

typedef struct Binary { /* a test program */
    BuildKind kind;
    uint32_t file; /* TestFile */
    char *path, *problem;
    bool done;
    uint32_t missing; /* objects that are not done */
    Vec(uint32_t) objects;
} Binary;

typedef struct TestFile {
    char *path; /* in full */
    const char *unit;
    bool together; /* tests of several files, in the scratch directory; each is called test_ID there */
    bool is_later; /* its programs show bugs: what is only for them begins after what is for tests */
    bool has_build;
    EmitBuild build;
    Vec(uint32_t) tests;            /* into Session.tests */
    uint32_t binaries[BUILD_KINDS]; /* UINT32_MAX: not asked for */
    uint32_t pending;               /* programs of it that are not built yet, and processes that run them */
} TestFile;

typedef struct TestRun {
    uint32_t test;  /* index in the ledger */
    uint32_t file;  /* whose program is run */
    uint32_t alone; /* the one it was written to; UINT32_MAX: it is not written yet */
    bool is_bug;
    RunResult counted;   /* how the counted run ended */
    RunResult sanitized; /* and that with sanitizers, of a bug */
    bool passed;
    bool covering; /* takes part in the comparison with gcov */
    bool disturbs; /* it should, but does something else when gcc has compiled it */
    char *trouble; /* why it does not pass; NULL: it does, or is a bug */
    OutcomeSet seen;
} TestRun;

typedef struct Chunk { /* tests of one program that run in one process, which starts a child for each */
    uint32_t file;
    BuildKind kind;
    Vec(uint32_t) tests; /* into Session.tests */
} Chunk;

typedef struct Session {
    Ledger *ledger;
    const Decls *decls;
    const Units *units;
    const EmitOptions *emit;
    const ReplayOptions *options;
    Replay *replay;
    char *scratch;
    Pool pool;
    Numbers numbers;
    Vec(TestFile) files;
    Vec(TestRun) tests;
    Vec(Chunk) chunks;
    Vec(Object) objects;
    Vec(Binary) binaries;
    uint32_t ended; /* counted runs, for progress */
    bool covers;    /* it is known which tests passed: programs with gcov's counters run as soon as they are built */
} Session;

void replay__open(Session *session, const ReplayOptions *options); /* ledger, decls, units, emit and replay are set */
void replay__close(Session *session);                              /* removes its scratch directory */
void replay__account(const Session *session, uint32_t test, Replay *replay);

/* Starts what is needed to make the program; `replay__built` is called when it is there or cannot be. */
void replay__build(Session *session, uint32_t file, BuildKind kind);
void replay__built(Session *session, uint32_t binary); /* tests.c */
void replay__release_builds(Session *session);

/* ---- running tests (tests.c) ---- */
/* Builds and runs all tests in all builds that they need, until they have ended or no time is left. */
void replay__run_tests(Session *session);
/* Starts the builds of a file that its tests need. */
void replay__build_file(Session *session, uint32_t file);
/* Builds with gcov's counters and runs the tests that passed and end by returning or exiting. */
void replay__cover(Session *session);
const char *replay__bug_kind(const Session *session, uint32_t test); /* "" if it shows none */
/* The file that takes what a test writes to stderr in a build; the caller's to free. */
char *replay__errors_path(const Session *session, uint32_t test, BuildKind kind);

/* The caller's to free. */
char *replay__chunk_path(const Session *session, uint32_t chunk, const char *ending);

/* ---- fewer programs (join.c) ---- */
/* Writes the tests (into Session.tests) to files of the scratch directory, those whose files would include the same source with the same stubs into
 * one, since most of the time goes to compilers; with `apart`, only those of one unit. */
void replay__join(Session *session, const uint32_t *tests, uint32_t count, bool apart);

/* ---- entering results (enter.c) ---- */
/* Do the runs of a bug's program show it? */
bool replay__judge(const Session *session, uint32_t test, StrBuf *evidence);
bool replay__is_settled(const Session *session, uint32_t test); /* it passes, or its bug is shown */
void replay__enter_test(Session *session, uint32_t test);       /* what its runs showed */
/* What gcov contradicts is not covered by anything. */
void replay__enter_doubts(Session *session, const OutcomeSet *doubted);

/* ---- gcov (gcov.c) ---- */
/* Runs gcov on what the coverage programs left, compares with what the tests that are `covering` did, and enters the differences in the replay.
 * The outcomes on lines with a difference are added to `doubted`. */
void replay__compare(Session *session, OutcomeSet *doubted);
/* A directory of its own for the data files of a process, with what gcov needs to read them; the caller's to free. */
char *replay__new_data_directory(const Session *session, uint32_t chunk);
/* Removes what the coverage programs left. */
void replay__forget_coverage(const Session *session);

/* ---- bugs (bugs.c) ---- */
/* Judges a bug by what its runs showed; one that was not made is RUN_WAITING.  The texts are what the runs wrote to stderr. */
typedef struct BugRuns {
    const char *kind;
    RunResult native, sanitized;
    const char *native_text, *sanitized_text;
    const char *problem; /* why there is no sanitized run */
} BugRuns;
bool replay__judge_bug(const BugRuns *runs, StrBuf *evidence);
BuildKind replay__bug_build(const char *kind);
double replay__bug_seconds(const char *kind, double usual);

/* ---- a small suite (minimise.c) ---- */
/* Which of the tests to keep: sets[i] are those of test i; `must` are kept anyhow; `usable` may be.  Writes keep[i]. */
void replay__choose(const Numbers *numbers, const OutcomeSet *wanted, const OutcomeSet *sets, const bool *must, const bool *usable,
                    uint32_t count, bool *keep);

#endif
