/* The local tier: repairs the model of the path where it fails.
 *
 * One round takes a false condition and walks from it to the inputs a few times (walk.c); every walk gives a move, which is tried by
 * evaluating what depends on it.  The best move is made: best is the lowest sum, over the false conditions, of a weight and of the
 * distance from being true.  If none is an improvement, the conditions that are false gain weight, and the best one is made
 * nevertheless; models seen before are not visited again.  Most queries of a path need one round.
 *
 * A condition over a byte alone is not searched for but looked up (domain.c): if no value of that byte satisfies all that is asked of it
 * alone, the tier gives up at once and says so. */
#include "base/arith.h"
#include "solve/trial.h"

#include <stdlib.h>

enum { WALKS = 5, SEEN = 256, MOST_IDLE = 8, SAMPLES = 8 };

struct Local {
    Trial trial;
    Vec(double) weights;  /* by condition */
    Vec(Assignment) best; /* the best move of a round */
    uint64_t seen[SEEN];  /* hashes of models */
};

Local *local_new(ExprPool *pool, uint64_t seed)
{
    Local *local = mem_alloc(sizeof *local);
    trial_init(&local->trial, pool, seed);
    return local;
}

void local_free(Local *local)
{
    if (!local) return;
    trial_release(&local->trial);
    vec_release(&local->weights);
    vec_release(&local->best);
    free(local);
}

void local_forget(Local *local, uint32_t count)
{
    trial_forget(&local->trial, count);
}

static double score(Local *local)
{
    Trial *trial = &local->trial;
    double total = 0;
    for (uint32_t i = 0; i < trial->wrong.len; i++) {
        uint32_t condition = trial->wrong.data[i];
        double distance = trial_distance(trial, trial->dag.roots.data[condition], true);
        total += local->weights.data[condition] * (1 + distance / (distance + 64));
    }
    return total;
}

/* ---- models seen before ---- */

static uint64_t hash_assignment(uint32_t var, U128 value)
{
    return hash_mix(hash_mix((uint64_t)value + 0x9e3779b97f4a7c15u * (var + 1)) ^ (uint64_t)(value >> 64));
}

/* The model's hash is the sum over what differs from the start, so a move changes it by what it changes. */
static uint64_t hash_after(const Trial *trial, uint64_t hash)
{
    for (uint32_t i = 0; i < trial->move.len; i++) {
        uint32_t var = trial->move.data[i].var;
        hash += hash_assignment(var, trial->move.data[i].value) - hash_assignment(var, trial->values[var]);
    }
    return hash;
}

static bool is_seen(Local *local, uint64_t hash)
{
    uint64_t *slot = &local->seen[hash % SEEN];
    if (*slot == hash) return true;
    *slot = hash;
    return false;
}

/* ---- rounds ---- */

typedef struct Round {
    double best_score;
    uint64_t hash, best_hash;
    bool empty_byte; /* found a byte without a possible value */
} Round;

static void keep_best(Local *local, Round *round, double value, uint64_t hash)
{
    if (value >= round->best_score) return;
    round->best_score = value;
    round->best_hash = hash;
    vec_clear(&local->best);
    for (uint32_t i = 0; i < local->trial.move.len; i++) vec_push(&local->best, local->trial.move.data[i]);
}

/* Tries the move of the search; true if it solves the query. */
static bool try_move(Local *local, Round *round)
{
    Trial *trial = &local->trial;
    uint64_t hash = hash_after(trial, round->hash);
    if (is_seen(local, hash)) return false;
    trial_apply(trial, trial->move.data, trial->move.len);
    if (!trial->wrong.len) return true;
    keep_best(local, round, score(local), hash);
    trial_undo(trial);
    return false;
}

/* A condition over one byte: values that satisfy everything asked of the byte alone, some of them if they are many. */
static bool try_byte(Local *local, uint32_t var, Round *round)
{
    Trial *trial = &local->trial;
    ByteSet set = domain_of_byte(trial, var);
    unsigned left = byte_set_count(&set), samples = SAMPLES;
    round->empty_byte = left == 0;
    for (unsigned value = 0; value < 256 && left && samples; value++) {
        if (!byte_set_has(&set, value)) continue;
        if (random_below(&trial->random, left--) >= samples) continue;
        samples--;
        if (value == trial->values[var]) continue;
        vec_clear(&trial->move);
        vec_push(&trial->move, ((Assignment){var, value}));
        if (try_move(local, round)) return true;
    }
    return false;
}

static uint32_t choose_condition(Local *local, unsigned number)
{
    Trial *trial = &local->trial;
    uint32_t count = trial->wrong.len;
    assert(count > 0 && trial->trail.len == 0);
    if (number == 0) return trial->wrong.data[count - 1];
    return trial->wrong.data[random_below(&trial->random, count)];
}

/* True if the query is solved; else the best move is made if it is an improvement, or nevertheless now and then. */
static bool make_round(Local *local, Round *round, unsigned number, bool *improved)
{
    Trial *trial = &local->trial;
    uint32_t condition = choose_condition(local, number), root = trial->dag.roots.data[condition], only = trial->only[root];
    bool is_byte = only != MANY_VARIABLES && only != NO_VARIABLE && trial->dag.nodes[only].width <= 8;
    double before = score(local);
    round->best_score = 1e300;
    vec_clear(&local->best);
    for (unsigned style = 0; style < (is_byte ? 1 : WALKS); style++)
        if (trial_walk(trial, root, 1, style) && try_move(local, round)) return true;
    if (is_byte && try_byte(local, only, round)) return true;
    *improved = round->best_score < before;
    if (!*improved)
        for (uint32_t i = 0; i < trial->wrong.len; i++) local->weights.data[trial->wrong.data[i]] += 1;
    if (!local->best.len) return false;
    trial_apply(trial, local->best.data, local->best.len);
    trial_keep(trial);
    round->hash = round->best_hash;
    return !trial->wrong.len;
}

static const char *run(Local *local)
{
    Trial *trial = &local->trial;
    Round round = {.hash = 1};
    vec_clear(&local->weights);
    for (uint32_t i = 0; i < trial->dag.roots.len; i++) vec_push(&local->weights, 1.0);
    memset(local->seen, 0, sizeof local->seen);
    is_seen(local, round.hash);
    unsigned idle = 0;
    for (unsigned number = 0; number == 0 || !trial_is_over(trial); number++) {
        bool improved = false;
        if (make_round(local, &round, number, &improved)) return NULL;
        if (round.empty_byte) return "no value of one byte satisfies what is asked of it alone";
        idle = local->best.len ? 0 : idle + 1;
        if (idle > MOST_IDLE) return "local search found nothing left to change";
    }
    return "local search spent its effort";
}

void local_solve(Local *local, const Query *query, Outcome *outcome)
{
    Trial *trial = &local->trial;
    outcome->answer = SOLVE_UNKNOWN;
    if (!trial_begin(trial, query)) {
        outcome->reason = "too large for the effort of local search";
        outcome->spent = query->effort < 10 ? query->effort : query->effort / 4;
        return;
    }
    outcome->reason = trial->wrong.len ? run(local) : NULL;
    outcome->spent = trial->spent;
    if (!outcome->reason) trial_answer(trial, query, outcome);
}
