/* tree: the points of all paths known so far at which there is still something to do, and those above them.
 *
 * A point is a condition met on a path; its sides are the conditions that runs through it have met there (two for a branch, more for a
 * switch or a symbolic address).  Points are freed as soon as nothing is left to do at or below them, so an exhaustive search holds
 * one path. */
#ifndef CLEW_TREE_H
#define CLEW_TREE_H

#include "base/base.h"
#include "expr/expr.h"

#define NO_POINT UINT32_MAX

typedef struct Side {
    Expr condition;
    uint32_t next;  /* of the same point; 0: none */
    uint32_t child; /* the next point on this side; NO_POINT: none (left) */
    uint8_t score;  /* how many branches the first run by it was the first to reach (technique.h) */
    bool exhausted; /* all paths on it are known */
    bool implied;   /* no path that comes to the point can go another way: the condition says nothing */
    bool in_real;   /* all paths on it end in a real function: those on other sides do not fulfil the condition */
} Side;

typedef struct Point {
    uint32_t parent, side; /* the side of the parent on which it lies; NO_POINT at the root */
    uint32_t sides;        /* newest first */
    uint32_t side_count;
    uint32_t depth;
    uint32_t children; /* points directly below that are not freed */
    uint32_t branch;   /* of the first side; UINT32_MAX: none */
    Expr selector;     /* the value by which a switch chooses its case; 0: the point is no switch */
    uint32_t other;    /* the other outcome of a conditional, UINT32_MAX: none; and how often the path would have it with this one */
    uint32_t times;
    uint64_t rarest; /* of what the path did before it came here, when it did (see search.c) */
    uint32_t loc;
    uint32_t inputs;   /* that the path had asked for before */
    uint32_t serial;   /* differs between points that had the same place one after the other */
    uint8_t kind, bug; /* ConditionKind, BugKind */
    uint8_t ended;     /* runs that were to pass it and ended in a real function before */
    bool ends;         /* one of its sides is in_real */
    bool pending;      /* another side is still to be looked for */
    bool waiting;      /* … when nothing else is left */
    bool hard;         /* the solver gave up on it with little effort */
    bool further;      /* no condition yet: the run was left here, and can be gone on with (depth.c) */
    bool foreign;      /* its other sides are another search's business (divide.c) */
    bool on_path;      /* of the machine's current path */
    bool live;
} Point;

/* A point as it waits somewhere to be tried: stale if another point has its place by now.  `sides`: how many it had when it was put there. */
typedef struct PendingEntry {
    uint32_t point, serial, depth, sides;
} PendingEntry;
typedef Vec(PendingEntry) PendingEntries;

typedef struct Tree {
    Vec(Point) points;
    Vec(Side) sides; /* [0] is none */
    Vec(uint32_t) free_points, free_sides;
    uint32_t root;
    bool exhausted; /* all paths are known */
    uint64_t made;
    uint32_t pending; /* points that are */
} Tree;

void tree_init(Tree *tree);
void tree_release(Tree *tree);
static inline PendingEntry tree_entry(const Tree *tree, uint32_t point)
{
    const Point *p = &tree->points.data[point];
    return (PendingEntry){point, p->serial, p->depth, p->side_count};
}
static inline bool tree_is_there(const Tree *tree, PendingEntry entry)
{
    const Point *p = &tree->points.data[entry.point];
    return p->live && p->serial == entry.serial;
}
/* Is it still to be tried? */
static inline bool tree_is_due(const Tree *tree, PendingEntry entry)
{
    const Point *p = &tree->points.data[entry.point];
    return tree_is_there(tree, entry) && p->pending && !p->waiting;
}
/* The point below a side (of `parent`; NO_POINT: the root), made if there is none. */
uint32_t tree_child(Tree *tree, uint32_t parent, uint32_t side, bool *is_new);
/* The side with that condition; made if there is none. */
uint32_t tree_side(Tree *tree, uint32_t point, Expr condition, bool *is_new);
/* Another side of the point is to be looked for; or not any more. */
void tree_set_pending(Tree *tree, uint32_t point, bool pending);
uint32_t tree_live(const Tree *tree);         /* points */
Expr tree_newest_condition(const Tree *tree); /* of live points; 0: none */
/* Frees the point and those above it while there is nothing left to do. */
void tree_prune(Tree *tree, uint32_t point);

#endif
