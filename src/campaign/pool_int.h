/* What the files of a campaign's pool of processes share: pool.c has the processes and the loop, shares.c decides who may go on, told.c takes what is
 * told. */
#ifndef CLEW_CAMPAIGN_POOL_INT_H
#define CLEW_CAMPAIGN_POOL_INT_H

#include "campaign/campaign_int.h"

#include <sys/types.h>

enum { MOST_PROCESSES = 512 };

/* What a process does for its unit. */
typedef enum Way {
    WAY_SEARCH,
    WAY_REFINE, /* executes tests again (refine.c) */
} Way;

typedef struct Process {
    pid_t pid; /* 0: none */
    int in;
    uint32_t task;
    Way way;
    uint32_t peer;         /* 0 for the first search of its unit, 1 for the second, … with which it divides what is pending (peers.h) */
    double started, limit; /* limit: when it is ended from here; 0: never */
    double heard;          /* when it last told something, or was started */
    StrBuf bytes;
    Vec(uint32_t) tests; /* of a refiner: what it executes, by index in the ledger */
    uint32_t refined;    /* … and how many of them it has told of */
    SearchProgress progress;
    bool waits; /* it has used up its share */
    bool done;
} Process;

/* What a unit's searches have had, and may have. */
typedef struct Share {
    bool started;
    double seconds;        /* the last share */
    double used;           /* all shares */
    uint32_t gained, gain; /* branches and bugs: since the share began, and of the last whole share */
    uint32_t attempts;     /* first searches that were started: a later one leaves out what ended an earlier one */
    Peers *peers;          /* what the unit's searches divide their work by; NULL: the unit has one search */
    uint32_t searches;     /* how many these are, and … */
    uint32_t complete;     /* … how many of them have explored all that they had */
    uint8_t *wanted;       /* per branch: counts, and can be reached from the unit by calls */
    Vec(uint64_t) skipped; /* runs that an internal error ended */
    uint32_t other_seed;   /* added to the seed, if the first run cannot be made with that */
    bool granted;          /* it is its turn */
    uint64_t work_end;     /* of a counted budget: what all searches together may have used when this unit is done */
} Share;

typedef struct Pool {
    Campaign *campaign;
    const Task *tasks;
    uint32_t count;
    Share *shares;            /* by task */
    SearchGrant *grants;      /* by task, shared with its processes */
    _Atomic uint64_t *runs;   /* by process, the same: the run that it is at */
    _Atomic uint32_t *larger; /* by task, the same: Work.larger */
    Process processes[MOST_PROCESSES];
    uint32_t running;
    Vec(uint32_t) unrefined; /* tests that no refiner has had, by index in the ledger */
    double committed, ended; /* ended: when searches were told to end; 0: they were not */
    int signals;             /* a descriptor that tells when the user has had enough */
    NameMap notes;           /* that were printed */
} Pool;

/* pool.c */
void campaign__start_search(Pool *pool, uint32_t task, uint32_t peer);
void campaign__end_others(Pool *pool, const Process *winner);
void campaign__drop_test(Campaign *campaign, uint32_t index, const char *why);
/* told.c */
void campaign__take_all(Pool *pool, Process *process);
/* shares.c */
void campaign__open_shares(Pool *pool);
void campaign__close_shares(Pool *pool);
/* Gives shares to as many units as may be searched at a time.  False: nothing is left to search. */
bool campaign__deal(Pool *pool);
uint32_t campaign__open_branches(const Pool *pool, uint32_t task); /* that the unit's searches could still reach */
bool campaign__is_counted(const Campaign *campaign);               /* the budget is counted, not timed: one search after the other */

#endif
