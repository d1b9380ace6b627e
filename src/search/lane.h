/* lane: a second search in a process of its own, which works in turns with the first.
 *
 * Guest memory lies at fixed addresses, so a technique that needs a machine of its own (summaries) needs a process of its own.  Its search is called the
 * *side* search, the one that started it the *main* search.  They never work at the same time: the main search gives the side search a turn of so much
 * counted work and waits until that is used up.  So the same two searches do the same every time.  The main search knows which branches the side search has
 * reached, by shared memory; they tell each other of bugs at the end of each turn. */
#ifndef CLEW_SEARCH_LANE_H
#define CLEW_SEARCH_LANE_H

#include "base/base.h"

typedef struct Lane Lane;

/* What one of the two has done so far, as it tells the other. */
typedef struct LaneNote {
    uint64_t work; /* of the side search: done; of the main search: what the side search may have done at the end of its turn */
    uint64_t runs, paths, instructions, queries, nanoseconds /* of the solver */;
    uint64_t peak_rss_kib;
    bool finish;   /* the side search is to end now */
    bool ended;    /* the side search has ended, … */
    bool complete; /* … and knows all paths */
    bool found;    /* … because what was looked for is found */
} LaneNote;

/* Forks.  In the new process *is_side is true.  NULL: there is no lane, because no process could be started. */
Lane *lane_start(uint32_t branch_count, bool *is_side);
bool lane_is_side(const Lane *lane);
uint8_t *lane_reached(Lane *lane); /* per branch, by either search; shared by both processes */

/* One message to the other process: the note, then `size` bytes. */
void lane_send(Lane *lane, const LaneNote *note, const StrBuf *more);
/* The next message of the other process.  While there is none, `goes_on` is called now and then; if it says no, or if the other process has died, the
 * lane is over and false is returned.  In the side search the process ends then. */
bool lane_receive(Lane *lane, LaneNote *note, StrBuf *more, bool (*goes_on)(void *data), void *data);
bool lane_is_over(const Lane *lane);
/* Ends the side search's process, if it has not ended by itself, and frees the lane. */
void lane_free(Lane *lane);

#endif
