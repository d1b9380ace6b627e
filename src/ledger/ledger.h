/* ledger: the account of a campaign: branches with their state, tests, bugs, losses, statistics.
 *
 * It lives in memory as plain tables, is kept in DIR/ledger.db (SQLite; the only module that knows it), and is written out as DIR/ledger.json.
 * Changes are queued and reach the database with ledger_commit, so killing the process loses what came after the last commit and nothing
 * else.  Statuses are claims: LEDGER_COVERED only after a native run has shown it. */
#ifndef CLEW_LEDGER_H
#define CLEW_LEDGER_H

#include "base/base.h"
#include "record/record.h"

typedef enum LedgerStatus { LEDGER_OPEN, LEDGER_COVERED, LEDGER_INFEASIBLE } LedgerStatus;

typedef struct LedgerBranch {
    uint32_t id; /* as in Program.branches of the campaign; its index here */
    char *function, *file;
    uint32_t line, column;
    uint32_t ordinal; /* number of its conditional, switch or choice among those of its function, in the order of the compiler's code */
    uint32_t which;   /* of the outcomes of that one: 0 true, 1 false; of a switch the cases in order, the default last */
    char *outcome;    /* "true", "false", "case V", "default" */
    LedgerStatus status;
    bool counted;         /* part of what the campaign is to reach; others are listed nowhere */
    bool reached;         /* in the machine */
    uint32_t test;        /* that covers it; 0: none */
    char *proof, *reason; /* NULL: none */
} LedgerBranch;

typedef struct LedgerTest {
    uint32_t id; /* from 1 */
    char *unit;
    char *path;           /* of the file it was written to, below DIR; NULL: not written */
    char *name;           /* of its function there */
    char *outcome;        /* "returns 3", "exit 2", "bug out-of-bounds", … */
    bool refined;         /* executed once more in the machine: its inputs and what it does are final */
    bool kept;            /* false: it adds nothing to the others */
    bool replayed;        /* natively, with the same outcome */
    char *trouble;        /* what was different; NULL: nothing */
    uint32_t bug;         /* index + 1 into bugs; 0: none */
    Vec(uint32_t) covers; /* branches that count and that a native run of it was seen to take, ascending */
    Record record;
} LedgerTest;

typedef struct LedgerBug {
    char *kind, *function, *file;
    uint32_t line, column;
    char *message;
    uint32_t test;
    bool confirmed;     /* natively */
    char *evidence;     /* "AddressSanitizer: heap-buffer-overflow", "SIGSEGV", …; or why it is not confirmed */
    char *unit;         /* the function that was called, or "main" */
    bool suppressed;    /* it is known (--suppress): it counts for nothing, and is not listed.  Not kept in the database */
    char *precondition; /* what the call broke: then it is no bug, but says what callers have to keep to.  NULL: it is a bug */
} LedgerBug;

typedef struct LedgerUnit {
    char *name, *file;
    uint32_t line;
    bool done;     /* nothing left to do there */
    bool complete; /* all of its paths are known */
    char *problem; /* why it cannot be tested; NULL: it can */
    uint64_t runs, paths;
    double seconds;
    uint64_t hash; /* of all that a call of it may execute, and of the data there (summary_hash_unit) */
    Vec(char *) assumptions;
} LedgerUnit;

typedef struct LedgerLoss { /* why not all paths of a unit are known */
    char *unit, *file;
    uint32_t line;
    char *reason;
} LedgerLoss;

typedef struct LedgerSummary { /* of a function (summary.h), all units together */
    char *function;
    uint64_t hash; /* of what it does; 0: not known, so nothing is kept of it */
    uint64_t paths, kept, explored, reused, inlined;
    char *why;     /* it was inlined; NULL: it never was */
    char *text;    /* for people; NULL: there is none */
    StrBuf bytes;  /* for later campaigns; empty: none */
    uint64_t past; /* of its paths, how many were known before this command */
} LedgerSummary;
typedef Vec(LedgerSummary) LedgerSummaries;

/* An alarm of another tool, and what became of it (campaign/triage.c).  Not kept in the database: each command reads the tool's file again. */
typedef enum LedgerVerdict { ALARM_CONFIRMED, ALARM_OPEN, ALARM_REFUTED } LedgerVerdict;
typedef struct LedgerAlarm {
    char *tool, *rule, *message, *file;
    uint32_t line;
    const char *kind; /* of the bug that would confirm it; NULL: Clew makes no such check */
    LedgerVerdict verdict;
    uint32_t bug; /* index + 1 into bugs, of the one that confirms it, or of a broken precondition that shows it; 0: none */
    char *proof;  /* that refutes it; NULL: none */
    char *reason; /* why it is open; NULL: it is not */
} LedgerAlarm;

typedef struct LedgerStat {
    char *name; /* "runs", "paths", "instructions", "queries", "solver_seconds", "seconds", "peak_rss_kib", … */
    double value;
} LedgerStat;

/* What a campaign was about: hashes by which a later command finds out what has changed since. */
typedef struct LedgerIdentity {
    uint64_t sources; /* and the headers that they include */
    uint64_t options; /* that change what is found */
    uint64_t budget;  /* options that change how much is found */
    uint64_t engine;  /* this build of Clew */
} LedgerIdentity;

typedef struct Ledger {
    char *directory;
    char *target; /* what was tested, as on the command line */
    LedgerIdentity identity;
    bool complete; /* every path of every unit is known, and replay agreed */
    bool ended;    /* the campaign came to its end by itself: it was neither killed nor interrupted */
    Vec(LedgerBranch) branches;
    Vec(LedgerTest) tests;
    Vec(LedgerBug) bugs;
    Vec(LedgerUnit) units;
    Vec(LedgerLoss) losses;
    Vec(LedgerAlarm) alarms;   /* the worst first */
    LedgerSummaries summaries; /* functions that no unit of this campaign has called are only kept: they have no counts */
    Vec(LedgerStat) stats;
    struct Ledger *past;       /* the campaign that was in the directory before and that a fresh database has replaced; NULL: none */
    struct LedgerStore *store; /* the database */
} Ledger;

/* Makes the directory and a fresh database in it; with `resume` reads the one that is there, if there is one of the same sources and options (else there
 * is an error that says so).  A directory that holds other files than Clew's is refused. */
Status ledger_open(Ledger **ledger, const char *directory, const char *target, const LedgerIdentity *identity, bool resume, Error *error);
/* For `clew replay` and `clew report`: reads only.  Entries may be changed in memory; committing then does nothing. */
Status ledger_read(Ledger **ledger, const char *directory, Error *error);
void ledger_free(Ledger *ledger);

/* Each returns the new entry, with copies of the given strings; valid until the next of its kind is added. */
LedgerBranch *ledger_add_branch(Ledger *ledger, const LedgerBranch *branch);
LedgerTest *ledger_add_test(Ledger *ledger, const char *unit, const Record *record); /* takes a copy; kept; outcome by the record's end */
LedgerBug *ledger_add_bug(Ledger *ledger, const LedgerBug *bug);
LedgerUnit *ledger_add_unit(Ledger *ledger, const char *name, const char *file, uint32_t line);
void ledger_add_loss(Ledger *ledger, const char *unit, const char *file, uint32_t line, const char *reason); /* each once */
void ledger_drop_losses(Ledger *ledger, const char *unit); /* all paths of the unit are known after all, or it is searched again */
/* What a unit's search tells of a function: counts add up, and of two summaries the one with more paths stays. */
LedgerSummary *ledger_add_summary(Ledger *ledger, const LedgerSummary *told);
/* After opening: takes over what was known of functions that are still the same, and forgets the rest.  `hash_of` gives a function's present hash, 0 if
 * there is no such function. */
void ledger_keep_summaries(Ledger *ledger, uint64_t (*hash_of)(void *data, const char *function), void *data);
bool ledger_summary_used(const LedgerSummary *summary); /* by a unit of this campaign */
/* Lower ones come first in lists, and are confirmed first (rank.c). */
uint64_t ledger_bug_rank(const Ledger *ledger, uint32_t bug);
uint32_t ledger_kind_severity(const char *kind); /* the first part of that rank: 0 for kinds that damage memory, up to 2 */
void ledger_set_stat(Ledger *ledger, const char *name, double value);
double ledger_stat(const Ledger *ledger, const char *name);      /* 0 if there is none */
void ledger_set_text(char **field, const char *text);            /* replaces a string of an entry; text may be NULL */
LedgerUnit *ledger_unit(const Ledger *ledger, const char *name); /* NULL: none */
LedgerSummary *ledger_summary(const Ledger *ledger, const char *function);
/* After fields of an entry were changed in place: it is written with the next commit. */
void ledger_touch_branch(Ledger *ledger, uint32_t id);
void ledger_touch_test(Ledger *ledger, uint32_t id);
void ledger_touch_bug(Ledger *ledger, uint32_t index);
void ledger_touch_unit(Ledger *ledger, uint32_t index);

/* One transaction with what was added or touched since the last.  After a failure the changes are still queued.  Only in the process that opened it. */
Status ledger_commit(Ledger *ledger, Error *error);
Status ledger_write_json(const Ledger *ledger, Error *error); /* DIR/ledger.json, written aside and renamed */
void ledger_json(const Ledger *ledger, StrBuf *out);

#endif
