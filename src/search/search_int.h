/* What the files of search/ share. */
#ifndef CLEW_SEARCH_INT_H
#define CLEW_SEARCH_INT_H

#include "search/distance.h"
#include "search/pending.h"
#include "search/search.h"
#include "search/tree.h"

enum {
    SPARE_NODES = 1 << 17, /* see rewind_pool in go.c */
    MOST_BARREN = 3,       /* runs in vain: then a branch has to wait */
    CONCRETE_VALUES = 4,   /* that are tried where one has to be fixed */
    DIVING_DEPTH = 256     /* conditions of a path */
};

#define DIVERGED "the program behaved differently when run again with the same inputs (time, addresses, or a Clew error)"
#define FIXED_VALUE "a value was fixed to the one at hand"

/* What auto divides its budget among, see budget.c. */
typedef enum Arm { ARM_RARE, ARM_NEAREST, ARM_GENERATIONS, ARM_NEWEST, ARMS } Arm;

typedef struct Budget {
    Arm arm;
    uint64_t left;         /* tries of the slice at hand */
    uint64_t news;         /* when it began */
    int64_t credits[ARMS]; /* what an arm has coming */
    uint32_t gains[ARMS];  /* what its slices brought, the recent ones counting most */
    bool draining;         /* the tree is too large */
    uint64_t drained;      /* tries that this took */
} Budget;

typedef struct Step {
    uint32_t point, side;
    VmMark mark;
    uint32_t branch; /* that was taken; UINT32_MAX: none */
    uint32_t nodes;  /* the pool's count after the run that came here first: what the state at the mark needs lies below */
    uint64_t rarest; /* branch and n of what the path did up to here; 0: nothing */
} Step;

struct Search {
    const Program *program;
    const Function *function;
    SearchOptions options;
    ExprPool *pool;
    Vm *vm;
    Solver *solver;
    Tree tree;
    Pending pending;
    Order order; /* of the last pick */
    Budget budget;
    bool may_dive;       /* see budget.c */
    bool dives;          /* depth first, … */
    PendingEntries deep; /* … and these points lie too deep for that */
    double started;      /* on clock_seconds */
    Distances distances;
    VmMark first;         /* before anything ran */
    uint32_t first_nodes; /* the pool\'s count after the first run: what that state needs lies below */
    uint32_t told;        /* branches reached, when a run was last told of */
    VmMark resumed;       /* where the run at hand began */
    Summaries *summaries; /* NULL: functions are executed in place */
    Vec(Step) path;       /* of the machine */
    Vec(Expr) asserted, prefix, assumptions;
    Vec(SolveValue) changed, repeated; /* what the solver found last; what is to be repeated */
    Random random;
    Vec(const char *) open; /* per branch */
    Vec(uint32_t) tried;
    Vec(uint8_t) depends;    /* per first outcome of a condition: it depended on an input when it was evaluated */
    Vec(uint32_t) on_path;   /* per branch: how often the current path takes it */
    Vec(uint32_t) unknown;   /* per place: how often the solver gave up there */
    Vec(uint32_t) divergent; /* per place: how often runs that should have come there did not */
    Vec(uint8_t) barren;     /* per branch: how many runs in a row that were to take it ended in an assumption that did not hold */
    Map taken;               /* branch and n -> how many paths took it for the n-th time since one did so earlier than any before … */
    Map earliest;            /* … and at which depth that was */
    uint64_t next_chase, chases;
    PendingEntries further; /* where runs were left for their depth, see depth.c */
    uint32_t left;          /* the point where the last run was left; NO_POINT: none */
    uint32_t depth;         /* how far runs are followed */
    bool undecided;         /* some went on behind a branch that an uninitialised value decides */
    uint64_t quiet_work;    /* the work done when the depth, or the number of news, last grew */
    uint64_t quiet_news;
    uint64_t covered_work; /* the work done when every wanted branch was reached; 0: that is not so yet */
    PendingEntries moved;
    PendingEntries fresh; /* points that the last run has made and that are pending */
    PendingEntries hard;  /* points to be tried again, with all the solver's effort, when nothing else is left */
    uint64_t hard_effort; /* what these took */
    uint32_t spare_nodes; /* what the pool may hold beyond need before it is rewound */
    Vec(SearchLoss) losses;
    Vec(SearchBug) bugs;
    Map known_losses, known_bugs, known_checks;
    /* goals.c */
    Vec(uint8_t) reached, goals; /* per branch: reached by now; still a goal */
    uint32_t goals_left;
    bool distances_stale;
    bool found;                              /* search_stop */
    uint32_t longest;                        /* path, in conditions */
    uint64_t news;                           /* branches, bugs and outcomes of checks so far */
    uint64_t news_effort, news_instructions; /* of solver and machine, when the last of them came */
    SearchStats stats;
    double next_progress;
};

/* goals.c: branches, and what is new */
void search__siblings(const Program *program, uint32_t branch, uint32_t *first, uint32_t *end);
bool search__is_worthwhile(const Search *search, const Point *p); /* could another side show something new? */
uint32_t *search__tries_of(Search *search, const Point *p);
unsigned search__distance(Search *search, const Point *p); /* of another side to a goal, at most PENDING_FAR */
uint32_t search__update_goals(Search *search);             /* after a run; returns how many branches it was the first to reach */
void search__note_check(Search *search, const VmCondition *c);
const char *search__lose(Search *search, uint32_t loc, const char *reason);
bool search__knows_bug(const Search *search, BugKind bug, uint32_t loc);
void search__note_bug(Search *search, BugKind bug, uint32_t loc, const char *function, const char *message);

/* rarity.c: the levels of `auto` */
unsigned search__level_of(Search *search, const Point *p);
void search__note_other(Search *search, Point *p);
uint64_t search__count_branch(Search *search, uint32_t branch, uint64_t before);
void search__start_chase(Search *search);

/* follow.c: the tree follows the machine */
VmStopKind search__run(Search *search);
void search__end_run(Search *search, const VmStop *stop, bool known); /* notes what it was and brought */
void search__leave_path(Search *search, uint32_t depth);
void search__enqueue(Search *search, uint32_t point); /* once more in the order it was picked from */
void search__enqueue_all(Search *search, uint32_t point);
void search__enqueue_new(Search *search, uint32_t point);                 /* generations take all of a run's points when it is over */
void search__give_up(Search *search, uint32_t point, const char *reason); /* reason NULL: nothing is lost */

/* depth.c: how far runs are followed that ask for inputs without an end */
void search__start_depth(Search *search);
void search__leave_further(Search *search, const VmStop *stop); /* the last run was left: makes the point from which it can go on */
void search__end_further(Search *search, uint32_t point);       /* the run that was gone on with has met no other condition */
bool search__deepen(Search *search); /* lets the runs that were left for their depth go on; false: there are none */
void search__lose_further(Search *search);

/* functions.c: functions are summarised */
void search__use_summaries(Search *search);
VmStop search__execute(Search *search); /* one run; VM_RETURNED: it ended where nothing is new */

/* go.c: another way past a point */
void search__assert(Search *search, const Expr *conditions, uint32_t count); /* all that is to be on the solver's stack */
void search__try_point(Search *search, uint32_t point);
void search__forget_expressions(Search *search, uint32_t count); /* all but the first so many */

/* search.c */
void search__show_progress(Search *search);
bool search__may_go_on(Search *search); /* waits for more where that is necessary; false: it is to end */
void search__note_work(Search *search); /* for the race that it is part of */

/* budget.c: the order for the next pick */
Order search__choose_order(Search *search);
bool search__may_dive(const SearchOptions *options);
void search__start_diving(Search *search);
void search__stop_diving(Search *search);

#endif
