/* What save.c and load.c share: numbers of the format, and the ways down a tree (route.c). */
#ifndef CLEW_SUMMARY_SAVE_INT_H
#define CLEW_SUMMARY_SAVE_INT_H

#include "summary/summary_int.h"

enum { FORMAT = 2, HASH_BYTES = 8, MOST_EXPANDED = 10000 /* expressions of what calls inside give */ };
enum { NODE_WRITE = 1, NODE_CLOSED = 2, NODE_GENERAL = 4, NODE_FLAGS = 8 };

typedef struct Range {
    int64_t low, high; /* equal: nothing */
} Range;

typedef struct RouteBase {
    uint64_t key;
    Range read, write; /* found to be inside of the object */
} RouteBase;

typedef struct Change {
    uint32_t base;
    RouteBase old;
} Change;

typedef struct Step {
    uint32_t node, side, bases, changes, bound;
} Step;

typedef struct Route {
    const Tree *tree;
    Vec(Step) steps;
    Vec(RouteBase) bases;
    Vec(Change) changes;
    Vec(Expr) bound; /* variables that have a value here, and what consists of them */
    Map is_bound;
    bool started;
} Route;

void route_release(Route *route);
/* To the next side, each after all that lead to it.  False: there is none. */
bool route_next(Route *route);
/* What is known behind the side that the route has come to. */
void route_enter(Route *route);
uint64_t route_place_key(const Route *route, const Node *node); /* of a node that reads */
uint64_t route_object_key(uint64_t key);                        /* of the object that a cursor of this key is in */

#endif
