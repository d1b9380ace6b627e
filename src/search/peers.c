/* See peers.h.  Whether a search is idle is a flag in shared memory, which only the search itself sets and only one giver clears: so a search that is idle has
 * no run on the way to it, and when all are idle no run is on the way to any. */
#include "search/peers.h"

#include "base/line.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WAIT_MS = 5 }; /* milliseconds that an idle search waits before it looks at its limits.  A guess. */

typedef struct Shared {
    _Atomic bool idle[MOST_PEERS], gone[MOST_PEERS];
} Shared;

struct Peers {
    Shared *shared;
    uint32_t count;
    int mail[MOST_PEERS][2]; /* of each search: to read from, to write to */
};

typedef struct Head {
    uint32_t count, depth;
} Head;

Peers *peers_new(uint32_t count)
{
    Peers *peers = mem_alloc(sizeof *peers);
    REQUIRE(count <= MOST_PEERS, "too many searches");
    peers->shared = mmap(NULL, sizeof *peers->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(peers->shared != MAP_FAILED, "no memory to share with searches");
    for (; peers->count < count; peers->count++) {
        if (line_pair(peers->mail[peers->count])) continue;
        peers_free(peers);
        return NULL;
    }
    return peers;
}

void peers_free(Peers *peers)
{
    if (!peers) return;
    for (uint32_t i = 0; i < peers->count; i++) {
        close(peers->mail[i][0]);
        close(peers->mail[i][1]);
    }
    munmap(peers->shared, sizeof *peers->shared);
    free(peers);
}

void peers_set_idle(Peers *peers, uint32_t self)
{
    peers->shared->idle[self] = true;
}

void peers_set_gone(Peers *peers, uint32_t which)
{
    peers->shared->gone[which] = true;
}

bool peers_is_one_idle(const Peers *peers)
{
    for (uint32_t i = 0; i < peers->count; i++)
        if (atomic_load_explicit(&peers->shared->idle[i], memory_order_relaxed) && !peers->shared->gone[i]) return true;
    return false;
}

bool peers_are_all_idle(const Peers *peers)
{
    for (uint32_t i = 0; i < peers->count; i++)
        if (!peers->shared->idle[i] && !peers->shared->gone[i]) return false;
    return true;
}

/* ---- runs ---- */

bool peers_give(Peers *peers, const U128 *inputs, uint32_t count, uint32_t depth)
{
    for (uint32_t i = 0; i < peers->count; i++) {
        bool idle = true;
        if (peers->shared->gone[i] || !atomic_compare_exchange_strong(&peers->shared->idle[i], &idle, false)) continue;
        Head head = {count, depth};
        return line_write(peers->mail[i][1], &head, sizeof head) && line_write(peers->mail[i][1], inputs, count * sizeof *inputs);
    }
    return false;
}

bool peers_take(Peers *peers, uint32_t self, bool waits, PeersRun *run)
{
    Head head;
    int mail = peers->mail[self][0];
    vec_clear(&run->inputs);
    if (!line_wait(mail, waits ? WAIT_MS : 0) || !line_read(mail, &head, sizeof head)) return false;
    run->depth = head.depth;
    for (uint32_t i = 0; i < head.count; i++) {
        U128 value;
        if (!line_read(mail, &value, sizeof value)) return false;
        vec_push(&run->inputs, value);
    }
    return true;
}
