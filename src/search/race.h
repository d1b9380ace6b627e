/* race: a search in two processes, with summaries in one and path by path in the other; the one that is done with less work goes on alone.
 *
 * What summaries will take cannot be foreseen: a small part of what all paths take where functions keep what they decide to themselves, a hundred times
 * as much where they do not.  So both ways are begun, and what they write is held back until one of them has won.  Which one that is depends on
 * work that is counted.  Only where path by path takes long and both ways take about the same, or where it leaves something open, it is the one that
 * is first, unless it has to be the same every time. */
#ifndef CLEW_SEARCH_RACE_H
#define CLEW_SEARCH_RACE_H

#include "base/base.h"

#include <stdatomic.h>

typedef struct Race Race;

typedef struct RaceOptions {
    int held;     /* descriptor: what is written there is held back, and the winner's is let through */
    bool strict;  /* the same search does the same every time, though that takes longer */
    bool both;    /* where time is up for both, what the loser has written is let through before what the winner has */
    double limit; /* on clock_seconds: then nothing more is waited for; 0: never */
} RaceOptions;

/* Calls `run` in each of two processes, which it ends.  Returns in the process that called: the status of the winner, as waitpid gives it.  SIGINT and
 * SIGTERM end the race: what the process that had found most has written is let through. */
int race_run(const RaceOptions *options, void (*run)(void *data, Race *race), void *data);

/* ---- in the two processes ---- */
bool race_by_summaries(const Race *race); /* the way of this one */
int race_live(const Race *race);          /* the descriptor that is not held back; -1: not to be used until it is decided */
_Atomic uint64_t *race_shown(Race *race); /* where work can be shown that is not noted yet */
/* Work, about a nanosecond a unit, and the number of branches and bugs so far. */
void race_note(Race *race, uint64_t work, uint32_t found);

typedef struct RaceEnd {
    bool is_done;   /* all paths are known, or what was looked for is found */
    bool is_late;   /* the time was up */
    bool is_enough; /* a limit of runs was reached, or many in a row brought nothing new */
    uint64_t work, runs;
    uint32_t found;
} RaceEnd;
void race_end(Race *race, const RaceEnd *end); /* returns in the winner only */

#endif
