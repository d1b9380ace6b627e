/* See peers.h.  Whether a search is idle is a flag in shared memory, which only the search itself sets and only one giver clears: so a search that is idle has
 * no run on the way to it, and when all are idle no run is on the way to any. */
#include "search/peers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HIGH_DESCRIPTOR = 1200, /* where a guest does not close it by chance */
    WAIT_MS = 5             /* that an idle search waits before it looks at its limits.  A guess. */
};

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

static int move_up(int descriptor)
{
    int high = fcntl(descriptor, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
    if (high < 0) return descriptor;
    close(descriptor);
    return high;
}

Peers *peers_new(uint32_t count)
{
    Peers *peers = mem_alloc(sizeof *peers);
    REQUIRE(count <= MOST_PEERS, "too many searches");
    peers->shared = mmap(NULL, sizeof *peers->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(peers->shared != MAP_FAILED, "no memory to share with searches");
    for (; peers->count < count; peers->count++) {
        int *ends = peers->mail[peers->count];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
            peers_free(peers);
            return NULL;
        }
        for (int i = 0; i < 2; i++) ends[i] = move_up(ends[i]);
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

static void write_all(int to, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n > 0) {
        ssize_t k = send(to, from, n, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) return;
        from += k;
        n -= (size_t)k;
    }
}

bool peers_give(Peers *peers, const U128 *inputs, uint32_t count, uint32_t depth)
{
    for (uint32_t i = 0; i < peers->count; i++) {
        bool idle = true;
        if (peers->shared->gone[i] || !atomic_compare_exchange_strong(&peers->shared->idle[i], &idle, false)) continue;
        Head head = {count, depth};
        write_all(peers->mail[i][1], &head, sizeof head);
        write_all(peers->mail[i][1], inputs, count * sizeof *inputs);
        return true;
    }
    return false;
}

static bool read_all(int from, void *bytes, size_t n)
{
    char *to = bytes;
    while (n > 0) {
        ssize_t k = recv(from, to, n, 0);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        to += k;
        n -= (size_t)k;
    }
    return true;
}

bool peers_take(Peers *peers, uint32_t self, bool waits, PeersRun *run)
{
    struct pollfd mail = {.fd = peers->mail[self][0], .events = POLLIN};
    Head head;
    vec_clear(&run->inputs);
    if (poll(&mail, 1, waits ? WAIT_MS : 0) <= 0 || !read_all(mail.fd, &head, sizeof head)) return false;
    run->depth = head.depth;
    for (uint32_t i = 0; i < head.count; i++) {
        U128 value;
        if (!read_all(mail.fd, &value, sizeof value)) return false;
        vec_push(&run->inputs, value);
    }
    return true;
}
