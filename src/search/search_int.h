/* What the files of search/ share. */
#ifndef CLEW_SEARCH_INT_H
#define CLEW_SEARCH_INT_H

#include "search/distance.h"
#include "search/search.h"
#include "search/technique.h"
#include "search/tree.h"

enum {
    SPARE_NODES = 1 << 17, /* see rewind_pool in go.c */
    MOST_BARREN = 3,       /* runs in vain: then a branch has to wait */
    CONCRETE_VALUES = 4    /* that are tried where one has to be fixed */
};

#define DIVERGED "the program behaved differently when run again with the same inputs (time, addresses, or a Clew error)"
#define FIXED_VALUE "a value was fixed to the one at hand"

enum { NOBODY = UINT32_MAX };
typedef enum TechniqueKind {
#define TECHNIQUE(NAME, table, text, help) TECHNIQUE_##NAME,
#include "search/techniques.def"
#undef TECHNIQUE
    TECHNIQUES
} TechniqueKind;

/* What a technique has had, and what came of it: see schedule.c. */
typedef struct Account {
    void *self; /* NULL: it is not used */
    bool dry;   /* it knows of nothing to try */
    uint64_t by_right;
    SearchTechnique all;
    uint64_t worth;   /* of its news: the sum of what work had been done when they came */
    uint64_t decided; /* runs, and questions that have no answer */
} Account;

typedef struct Schedule {
    Account accounts[TECHNIQUES];
    uint32_t current;       /* who has the slice at hand; NOBODY: none was dealt out yet */
    bool by_right;          /* … for which reason, */
    uint64_t end;           /* … and up to which work */
    uint64_t work;          /* that is charged */
    uint64_t dealt[2];      /* by merit, by right */
    uint64_t news, decided; /* when the slice began */
    uint64_t quiet_from;    /* how much work had been done when the last slice with news ended */
    uint64_t drained;
    PendingEntries adopted;
} Schedule;

typedef struct Step {
    uint32_t point, side;
    VmMark mark;
    uint32_t branch; /* that was taken; UINT32_MAX: none */
    uint32_t nodes;  /* the pool's count after the run that came here first: what the state at the mark needs lies below */
    uint64_t rarest; /* branch and n of what the path did up to here; 0: nothing */
} Step;

/* A state that a run was in where it asked for an input (visited.c). */
typedef struct SeenState {
    uint64_t rest;  /* of its number: the first half is the key */
    uint32_t depth; /* inputs, or conditions if these were more, at least */
} SeenState;

/* How far the machine's path was compared with the tree. */
typedef struct Walk {
    uint32_t depth, side; /* the side of the last condition that was compared */
    bool is_outside;      /* it is not in the tree */
    bool is_foreign;      /* it is another search's business (divide.c) */
} Walk;

enum { STATE_WORK = 1 /* of a word that is looked at to compare states */ };

struct Search {
    const Program *program;
    const Function *function;
    SearchOptions options;
    ExprPool *pool;
    Vm *vm;
    Solver *solver;
    Tree tree;
    Schedule schedule;
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
    bool counts_rarity;      /* somebody looks at these */
    Map visited;             /* first half of a state's number -> states */
    Vec(SeenState) states;
    Walk walk;
    bool rehearses;         /* what the machine executes is no run (by_sequences.c) */
    PendingEntries further; /* where runs were left for their depth, see depth.c */
    uint32_t left;          /* the point where the last run was left; NO_POINT: none */
    uint32_t depth;         /* how far runs are followed */
    bool undecided;         /* some went on behind a branch that an uninitialised value decides */
    uint64_t quiet_work;    /* the work done when the depth, or the number of news, last grew */
    uint64_t quiet_news;
    bool ends_quietly;     /* on_quiet said so */
    uint64_t covered_work; /* the work done when every wanted branch was reached; 0: that is not so yet */
    PendingEntries fresh;  /* points that the last run has made and that are pending */
    uint32_t fresh_side;   /* the first side that it has made; 0: none */
    PendingEntries hard;  /* points at which the solver gave up; it is asked again, with all its effort, when nothing else is left to try */
    uint64_t hard_effort; /* what these took */
    uint32_t spare_nodes; /* how many expressions that nothing needs the pool may hold before they are forgotten */
    Vec(SearchLoss) losses;
    Vec(SearchBug) bugs;
    Map known_losses, known_bugs, known_checks;
    /* goals.c */
    uint8_t *reached;     /* per branch: reached by now; in a main search also by its side search, which marks them there, too */
    uint8_t *own_reached; /* that array, if it is not the lane's */
    Vec(uint8_t) goals;   /* per branch: still a goal */
    uint32_t goals_left, seen_count /* branches that the machine had come to */;
    uint64_t goals_version;                  /* differs whenever the goals do */
    bool found;                              /* search_stop */
    uint32_t longest;                        /* path, in conditions */
    uint64_t news;                           /* branches, bugs and outcomes of checks so far */
    uint64_t news_effort, news_instructions; /* of solver and machine, when the last of them came */
    SearchStats stats;
    double next_progress;
    LaneNote elsewhere; /* what the other search of a lane has done */
    uint64_t turn_end;  /* of the side search: the work at which its turn ends */
    PeersRun given;     /* by another search, see divide.c */
    uint32_t own_depth; /* of a run that was given: where the points begin that are to be tried here */
    bool is_idle;       /* it has told the others that nothing is pending here */
    uint32_t told_bugs; /* that the other search of a lane was told of */
};

/* goals.c: branches, and what is new */
void search__siblings(const Program *program, uint32_t branch, uint32_t *first, uint32_t *end);
bool search__is_worthwhile(const Search *search, const Point *p); /* could another side show something new? */
uint32_t *search__tries_of(Search *search, const Point *p);
void search__note_other(Search *search, Point *p); /* the other outcome at a new point */
uint32_t search__update_goals(Search *search);     /* after a run; returns how many branches it was the first to reach */
void search__note_check(Search *search, const VmCondition *c);
const char *search__lose(Search *search, uint32_t loc, const char *reason);
bool search__knows_bug(const Search *search, BugKind bug, uint32_t loc);
void search__note_bug(Search *search, BugKind bug, uint32_t loc, const char *function, const char *message, bool elsewhere);

/* by_sequences.c */
void search__note_sequence(Search *search); /* the last run brought something new */
bool search__note_end(Search *search);      /* the program asks for an input in a rehearsal; always false: the rehearsal goes on */

/* seeds.c */
void search__run_seeds(Search *search); /* after the first run */

/* by_loops.c */
/* There was so much work (UINT64_MAX: nothing else is left to do): attempts that waited for it can be made.  False: none did. */
bool search__retry_loops(Search *search, uint64_t work);
void search__note_base(Search *search); /* the last run brought something new */

/* by_rarity.c */
uint64_t search__count_branch(Search *search, uint32_t branch, uint64_t before);

/* follow.c: the tree follows the machine */
VmStopKind search__run(Search *search);
void search__end_run(Search *search, const VmStop *stop, bool known); /* notes what it was and brought */
void search__leave_path(Search *search, uint32_t depth);
void search__give_up(Search *search, uint32_t point, const char *reason); /* reason NULL: nothing is lost */

/* depth.c: how far runs are followed that ask for inputs without an end */
void search__start_depth(Search *search);
void search__leave_further(Search *search, const VmStop *stop); /* the last run was left: makes the point from which it can go on */
void search__end_further(Search *search, uint32_t point);       /* the run that was gone on with has met no other condition */
void search__set_patience(Search *search, uint32_t path);       /* for the next run, which may be left only once its path is so long */
bool search__deepen(Search *search); /* lets the runs that were left for their depth go on; false: there are none */
void search__lose_further(Search *search);

/* visited.c: states that runs were in before */
void search__start_visited(Search *search); /* before the machine is made */
void search__start_walk(Search *search);    /* a run begins */
bool search__is_visited(void *search, Vm *vm);
void search__forget_states(Search *search,
                           uint32_t first); /* states from number `first` on count as not seen, because another search goes on from them */

/* functions.c: functions are summarised */
void search__use_summaries(Search *search);
VmStop search__execute(Search *search); /* one run; VM_RETURNED: it ended where nothing is new */

/* divide.c: what is pending is divided among several searches.  True: nothing is pending here, but something may be elsewhere. */
bool search__divide(Search *search);

/* by_summaries.c: a side search works in turns with the main one */
bool search__is_side(const Search *search);
void search__wait_for_first_turn(Search *search); /* in the side search; ends the process if it was not needed */
bool search__has_turn(Search *search);            /* in the side search waits for the next turn if this one is over; false: it is to end */
void search__end_lane(Search *search);            /* in the main search: makes the side search tell what it knows and end */

/* go.c: another way past a point */
void search__assert(Search *search, const Expr *conditions, uint32_t count); /* all that is to be on the solver's stack */
void search__try_point(Search *search, uint32_t point);
void search__set_inputs(Search *search);                         /* gives the model the values that the solver has found */
void search__rewind_pool(Search *search, uint32_t needed);       /* forgets expressions from that number on, if they are many */
void search__forget_expressions(Search *search, uint32_t count); /* all but the first so many */

/* search.c */
void search__show_progress(Search *search);
bool search__may_go_on(Search *search); /* waits for more where that is necessary; false: it is to end */

/* schedule.c: whose proposal is tried next */
void schedule_start(Search *search);
void schedule_free(Search *search);
Proposal schedule_pick(Search *search, uint32_t *point); /* what the technique proposes that has the slice at hand */
void schedule_interrupt(Search *search);                 /* what follows is no technique's proposal */
bool schedule_has_points(Search *search);                /* is there a point to be tried now? */
void schedule_note_run(Search *search, const PendingEntry *points, uint32_t count, uint32_t score);
void schedule_again(Search *search, uint32_t point);    /* the technique that proposed it gets it back */
bool schedule_tell_all(Search *search, uint32_t point); /* it can be tried now; false: no technique in use tries points */
const char *schedule_name(uint32_t technique);

#endif
