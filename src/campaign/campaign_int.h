/* What the files of campaign/ share. */
#ifndef CLEW_CAMPAIGN_INT_H
#define CLEW_CAMPAIGN_INT_H

#include "campaign/campaign.h"
#include "ledger/ledger.h"
#include "record/record.h"
#include "replay/replay.h"
#include "report/report.h"
#include "verified/verified.h"

/* ---- messages (message.c): what a search tells the campaign, through a pipe ---- */
typedef enum MessageKind {
    MESSAGE_TEST,     /* a run that reached something new or has a bug: its number in the unit, record */
    MESSAGE_REFINED,  /* the same run with its final inputs and what it did: number, record */
    MESSAGE_LOSS,     /* why not all paths are known: place, reason */
    MESSAGE_NOTE,     /* what the user should know of: text */
    MESSAGE_OPEN,     /* why a branch was not reached: branch, rank (as a digit, in place of a file), reason */
    MESSAGE_SUMMARY,  /* what the search knows of a function and how often it used that */
    MESSAGE_PROGRESS, /* SearchProgress */
    MESSAGE_WAITS,    /* SearchProgress; the search has used up its share */
    MESSAGE_DONE,     /* SearchProgress; the search has ended by itself */
    MESSAGE_ERROR,    /* text */
} MessageKind;

/* How much a reason says of why a branch is open; higher ones say more. */
typedef enum ReasonRank {
    REASON_NONE,
    REASON_NOT_CALLED,
    REASON_NOT_EVALUATED,
    REASON_EVALUATED,
    REASON_TRIED,
    REASON_COMPLETE
} ReasonRank;

typedef struct SearchProgress {
    uint64_t runs, verified, unverified, paths, instructions, queries, work;
    double solver_seconds;
    double processor_seconds; /* of the search, from its start on */
    double news_seconds;      /* … up to the last branch that it found */
    LoopsStats loops;
    uint64_t peak_rss_kib;
    uint32_t strategy;
    bool found;     /* the target */
    bool complete;  /* all paths that this search had to explore are known */
    bool knows_all; /* all paths are known, whatever other searches of the unit have left */
    bool ended;     /* there is nothing left to do, or a limit other than that of time was reached */
    bool covered;   /* it ended because every branch is covered */
} SearchProgress;

typedef struct Message {
    MessageKind kind;
    uint32_t number;         /* of a test, a branch, or a line */
    const char *file, *text; /* in the buffer it was read from */
    Record record;           /* the receiver's to release */
    SearchProgress progress;
    LedgerSummary summary; /* in the buffer it was read from */
} Message;

void message_send_record(int fd, MessageKind kind, uint32_t number, const Record *record);
void message_send_text(int fd, MessageKind kind, uint32_t number, const char *file, const char *text);
void message_send_summary(int fd, const LedgerSummary *summary);
void message_send_progress(int fd, MessageKind kind, const SearchProgress *progress);
/* Takes one whole message from the front of the bytes; false: there is none yet.  *used says how many bytes it had. */
bool message_take(const char *bytes, size_t n, Message *message, size_t *used);

/* ---- --target (target.c) ---- */
typedef struct Target {
    uint8_t *branches, *functions; /* reached when one of these is taken or entered */
} Target;
Target *target_new(const Program *program, const CampaignOptions *options, Error *error); /* NULL: there is no such place */
void target_free(Target *target);
bool target_reached(const Target *target, const Program *program, Vm *vm);

/* ---- bugs and preconditions (blame.c, contract.c) ---- */
/* Fills Record.blame, Record.unasked and Record.object from the run that has just ended in a bug. */
void campaign__blame(Record *record, const Program *program, Vm *vm, const VmStop *stop);
const RecordInput *
campaign__blamed_null(const Record *record); /* the first of the pointers to blame that is NULL, where each of several may be */
/* Is the line of the bug executed before its function has changed any memory, and not in a loop?  What it says is said of what the function is given. */
bool campaign__is_at_entry(const Program *program, const Record *record);
/* What the caller of the unit has broken in a run that ends in a bug, as an expression of C or a sentence about a pointer; the caller's to free.
 * NULL: nothing, so it is a bug of the code under test. */
char *campaign__precondition(const Program *program, const Units *units, const Record *record, bool refined);
Status campaign__write_contracts(const Ledger *ledger, Error *error); /* DIR/contracts.json */

/* What searches and proofs know of a branch. */
typedef enum Known { KNOWN_NOTHING, KNOWN_REACHED /* by some search */, KNOWN_PROVED /* infeasible, so it is not aimed at */ } Known;

/* ---- a search in a process of its own (worker.c, refine.c) ---- */
typedef struct Work {
    const Program *program;
    const Function *function; /* NULL: main */
    const char *unit;
    SearchOptions search;
    bool is_side;          /* this is the process of the side search (lane.h) */
    uint8_t *known;        /* per branch, shared between processes: a Known */
    const uint8_t *wanted; /* per branch: counts */
    const Target *target;  /* NULL: none */
    /* Shared between all processes that search this unit: some run with bounds doubled n - 1 times needs a larger buffer, as far as can be told; 0: none does. */
    _Atomic uint32_t *larger;
    double deadline; /* for everything this process does */
    int out;
    const Record *again; /* != NULL: these runs are executed again, and nothing is searched */
    uint32_t again_count;
} Work;
/* Tells functions apart whose summaries differ, 0 if nothing is to be kept: summary_hash, and the options that change what functions do (summaries.c). */
uint64_t campaign__summary_hash(const Program *program, const SearchOptions *options, uint32_t function);
void campaign__tell_summaries(const Work *work, const Search *search);
/* Never returns to the caller's world: searches, tells, and exits the process. */
_Noreturn void campaign__work(Work *work);
/* The runs again, each with inputs as pleasant as its path allows, and with what it did. */
void campaign__refine(const Work *work, const Record *records, uint32_t count);
void campaign__read_run(Record *record, const Program *program, Vm *vm, const VmStop *stop, bool is_unit);

/* ---- --suppress (suppress.c) ---- */
typedef struct Suppression { /* bugs that are known; each of the three may have * and ? */
    const char *path;        /* where it stands, for messages */
    uint32_t line;
    char *kind, *file, *function;
} Suppression;

/* ---- the parent's side (pool.c, shares.c, told.c) ---- */
typedef struct Campaign {
    const CampaignOptions *options;
    Decls *decls;
    Units *units; /* NULL: nothing is known of the sources' types */
    Program *program;
    Ledger *ledger;
    Report *report;
    uint8_t *known, *wanted;
    uint8_t *ranks;     /* per branch: ReasonRank of the reason in the ledger */
    Replayer *replayer; /* NULL: nothing is replayed */
    Target *target;
    Alarms alarms;
    Results results; /* of a verifier, from files */
    Vec(Suppression) suppressions;
    struct Prover *prover; /* a process that proves branches infeasible beside the search; NULL: none */
    char *scratch;         /* directory of the harnesses */
    bool whole_program;
    VmSymbolicFile input_files[2]; /* files that become inputs although the user has not named them (inputs.c) */
    Vec(char *) input_assumptions;
    double compile_seconds; /* of all sources */
    double reserve;         /* seconds at the end that are left for proofs */
    double search_deadline; /* 0: none; it moves as it turns out how long replay takes */
    SearchProgress totals;
    Vec(uint32_t) carried; /* tests of the earlier command (their indices there), the first ones of the ledger */
    uint8_t *
        settled; /* per branch: nothing that may reach it has changed since the earlier command, which left it open; NULL: nothing is known */
    double search_part;  /* of the time, for units that are searched; 0: all of it */
    double search_limit; /* when searches end although there is more time; 0: they do not */
    bool stopped;        /* by the target, or by a signal */
    bool interrupted;    /* by a signal: the user waits for the end */
    bool told_trouble;
} Campaign;

/* Alarms of other tools (triage.c).  They are read before anything else is done: what is said of a file that cannot be read comes early. */
void campaign__read_alarms(Campaign *campaign);
/* After replay and proofs: enters for each alarm whether it is confirmed, refuted or open. */
void campaign__triage(Campaign *campaign);
/* Before anything else is done: the files of --suppress. */
Status campaign__read_suppressions(Campaign *campaign, Error *error);
void campaign__suppress(
    Campaign *campaign); /* before anything is told of the bugs: marks those that are known, and tells entries without one */
void campaign__release_suppressions(Campaign *campaign);
/* The program is there: its standard input, arguments and files become inputs where it reads them and the user states none (inputs.c). */
void campaign__find_inputs(Campaign *campaign, VmOptions *vm);
Status campaign__plan(Campaign *campaign, Error *error); /* decls are there: what is to be tested */
Status campaign__write_file(const char *path, const StrBuf *text, Error *error);
Status campaign__keep_command(const CampaignOptions *options, Error *error);
void campaign__on_replay(void *campaign, const char *what, uint32_t done, uint32_t all);
void campaign__release(Campaign *campaign);

typedef struct Task { /* a unit to be searched */
    const char *name;
    const Function *function;
    uint32_t unit;  /* in the ledger */
    bool unchanged; /* since an earlier command has searched it: only its tests are executed again */
} Task;
typedef Vec(Task) Tasks;

/* ---- what an earlier command into the same directory has found out (earlier.c) ---- */
LedgerIdentity campaign__identity(const Campaign *campaign);
/* Nothing has changed since: its ledger is the campaign's, and its suite is there.  False: there is something to do. */
bool campaign__has_all(Campaign *campaign);
/* After the units are listed: takes over what still holds of units that are as they were, and the tests of all units, to be executed again. */
void campaign__take_earlier(Campaign *campaign, CampaignOptions *options, Tasks *tasks);
/* After replay: names tests that passed before and fail now. */
void campaign__tell_changes(Campaign *campaign);
/* After searches and proofs: why branches are open that nobody has looked for this time. */
void campaign__explain_earlier(Campaign *campaign);
uint8_t *campaign__reachable(const Campaign *campaign,
                             const Task *task); /* per branch: calls lead to it from the unit; the caller's to free (shares.c) */

/* What is known of functions, for a search; the table is the caller's to free, what it points to is the ledger's. */
SearchKept *campaign__kept_summaries(const Campaign *campaign, uint32_t *count);
void campaign__keep_summaries(Campaign *campaign);        /* of the campaign that was in the directory before */
void campaign__print_summaries(const Campaign *campaign); /* --stats */
void campaign__start_proofs(Campaign *campaign);          /* proofs.c: beside the search */
Status campaign__prove(Campaign *campaign, Error *error); /* ends them, and enters what was proved */
void campaign__print_coverage(const Campaign *campaign);  /* --stats */
void campaign__search(Campaign *campaign, const Task *tasks, uint32_t count);
double campaign__end(const Campaign *campaign); /* when everything has to be done, on clock_seconds; 0: there is no limit */
uint32_t campaign__processors(void);
void campaign__tell_trouble(Campaign *campaign); /* why tests cannot be built: once, while there is time to do something about it */

#endif
