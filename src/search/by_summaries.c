/* The technique that has a tree and a machine of its own: a side search (lane.h) in which calls are completed by what is known of the functions
 * (functions.c, summary/).  Here both ends of the lane are: the technique, which gives the side search its turns, and what the side search does between turns. */
#include "search/search_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define LATE_SECONDS 0.2 /* seconds after the deadline at which the main search stops waiting for the side search.  A guess. */

/* ---- what both tell each other ---- */

typedef struct ToldBug {
    BugKind bug;
    uint32_t loc;
    const char *function; /* the program's: the same in both processes */
    uint64_t length;      /* of the message that follows */
} ToldBug;

static void write_bugs(Search *search, StrBuf *out)
{
    for (; search->told_bugs < search->bugs.len; search->told_bugs++) {
        const SearchBug *b = &search->bugs.data[search->told_bugs];
        if (b->elsewhere) continue;
        ToldBug told = {b->bug, b->loc, b->function, strlen(b->message)};
        strbuf_add_bytes(out, &told, sizeof told);
        strbuf_add_bytes(out, b->message, told.length);
    }
}

static void read_bugs(Search *search, const StrBuf *in)
{
    ToldBug told;
    for (size_t at = 0; at < in->len; at += sizeof told + told.length) {
        memcpy(&told, in->text + at, sizeof told);
        if (search__knows_bug(search, told.bug, told.loc)) continue;
        char *message = strndup(in->text + at + sizeof told, told.length);
        search__note_bug(search, told.bug, told.loc, told.function, message, true);
        free(message);
    }
}

static void tell(Search *search, LaneNote note)
{
    StrBuf bugs = {0};
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    note.runs = search->stats.runs;
    note.paths = search->stats.paths;
    note.instructions = vm_stats(search->vm)->instructions;
    note.queries = search_solve_stats(search)->checks;
    note.nanoseconds = search_solve_stats(search)->total_nanoseconds;
    note.peak_rss_kib = (uint64_t)usage.ru_maxrss;
    write_bugs(search, &bugs);
    lane_send(search->options.lane, &note, &bugs);
    strbuf_release(&bugs);
}

/* ---- the side search ---- */

bool search__is_side(const Search *search)
{
    return search->options.lane && lane_is_side(search->options.lane);
}

/* Waits for the next turn. */
static void take_turn(Search *search)
{
    StrBuf bugs = {0};
    LaneNote note;
    lane_receive(search->options.lane, &note, &bugs, NULL, NULL);
    search->elsewhere = (LaneNote){.runs = note.runs, .finish = note.finish};
    search->turn_end = note.work;
    read_bugs(search, &bugs);
    strbuf_release(&bugs);
}

void search__wait_for_first_turn(Search *search)
{
    take_turn(search);
    if (search->elsewhere.finish) _exit(0); /* it was not needed */
}

bool search__has_turn(Search *search)
{
    if (search__is_side(search) && search_work(search) >= search->turn_end && !search->elsewhere.finish) {
        fflush(NULL); /* what it has found is told before the main search goes on */
        tell(search, (LaneNote){.work = search_work(search)});
        take_turn(search);
    }
    return !search->elsewhere.finish;
}

void search_end_side(Search *search)
{
    REQUIRE(search__is_side(search), "only a side search ends this way");
    fflush(NULL);
    tell(search, (LaneNote){.work = search_work(search),
                            .ended = true,
                            .complete = search_complete(search),
                            .found = search->stats.end == SEARCH_END_TARGET});
    _exit(0);
}

/* ---- the technique ---- */

/* The main search waits for the side search no longer than for itself. */
static bool goes_on(void *data)
{
    const SearchOptions *options = &((const Search *)data)->options;
    if (options->grant && options->grant->finish) return false;
    return options->deadline <= 0 || clock_seconds() < options->deadline + LATE_SECONDS;
}

static uint32_t count_reached(const Search *search)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->program->branch_count; i++) count += search->reached[i];
    return count;
}

static void give_turn(Search *search, uint64_t work, bool finish)
{
    StrBuf bugs = {0};
    LaneNote note;
    uint32_t before = count_reached(search);
    tell(search, (LaneNote){.work = search->elsewhere.work + work, .finish = finish});
    if (lane_receive(search->options.lane, &note, &bugs, goes_on, search)) search->elsewhere = note;
    else search->elsewhere.ended = true;
    read_bugs(search, &bugs);
    strbuf_release(&bugs);
    search->found |= search->elsewhere.found;
    uint32_t fresh = count_reached(search) - before;
    if (!fresh) return;
    search->seen_count = UINT32_MAX; /* the goals are other ones now */
    search__update_goals(search);
    search->news += fresh;
    search->stats.last_news = search->stats.runs;
}

static void *start(Search *search)
{
    return search->options.lane && !search__is_side(search) ? search : NULL;
}

static Proposal propose(void *data, uint64_t work, PendingEntry *point)
{
    Search *search = data;
    (void)point;
    if (search->elsewhere.ended) return PROPOSES_NOTHING;
    give_turn(search, work, false);
    return HAS_WORKED;
}

void search__end_lane(Search *search)
{
    if (search->options.lane && !search__is_side(search) && !search->elsewhere.ended) give_turn(search, 0, true);
}

static void release(void *data)
{
    (void)data;
}

const Technique technique_summaries = {.start = start, .propose = propose, .free = release, .tree = OWN_TREE};
