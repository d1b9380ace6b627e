/* clew test
 * branches: 38 of 40
 * infeasible: 33 false
 * infeasible: 64 true
 * covered: at least 23
 * bug: assertion 52
 *
 * Three nodes of a ring elect a leader by passing numbers on; the numbers and the order in which the nodes run are inputs.
 * What makes it hard is that an election ends only after the greatest number went round, and that some steps need elections in a row. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum { NODES = 3, EMPTY = -1 };

static int id[NODES], box[NODES], started[NODES], leader[NODES];
static int elections, history[3];

static int new_election(void)
{
    for (int i = 0; i < NODES; i++) {
        id[i] = __VERIFIER_nondet_int() & 0xff;
        box[i] = EMPTY;
        started[i] = 0;
        leader[i] = 0;
    }
    return id[0] != id[1] && id[1] != id[2] && id[0] != id[2];
}

static void send(int from, int number)
{
    int to = (from + 1) % NODES;
    /* A node sends its own number first and after that only greater ones, so what it sends grows. */
    if (box[to] == EMPTY || box[to] < number) box[to] = number;
}

static void node(int self)
{
    if (!started[self]) {
        started[self] = 1;
        send(self, id[self]);
        return;
    }
    int message = box[self];
    if (message == EMPTY) return;
    box[self] = EMPTY;
    if (message == id[self]) leader[self] = 1;
    else if (message > id[self]) send(self, message);
}

static void reach_error(void)
{
    assert(0);
}

int main(void)
{
    while (!new_election()) continue;
    while (1) {
        int self = __VERIFIER_nondet_int() & 3;
        if (self == NODES) continue;
        node(self);
        int leaders = leader[0] + leader[1] + leader[2];
        /* Only the greatest number goes all the way round. */
        if (leaders > 1) return 1;
        if (leaders == 0) continue;
        history[elections % 3] = id[self];
        elections++;
        if (elections >= 3 && history[0] == 17 && history[1] == 42) {
            if (history[2] == 99) reach_error();
            elections = 0;
        }
        if (elections == 12) elections = 0;
        while (!new_election()) continue;
    }
}
