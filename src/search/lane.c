/* See lane.h. */
#include "search/lane.h"

#include "base/line.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MS = 20 }; /* milliseconds between two calls of goes_on.  A guess: they are hardly felt by a user who waits for the end. */

struct Lane {
    uint8_t *reached; /* shared */
    size_t size;      /* of it */
    pid_t pid;        /* of the side search; 0: this is the side search */
    int line;         /* to the other process; -1: the lane is over */
};

typedef struct Head {
    LaneNote note;
    uint64_t size; /* of what follows */
} Head;

/* ---- starting and ending ---- */

Lane *lane_start(uint32_t branch_count, bool *is_side)
{
    int ends[2];
    pid_t parent = getpid();
    Lane *lane = mem_alloc(sizeof *lane);
    *is_side = false;
    lane->size = branch_count + 1;
    lane->reached = mmap(NULL, lane->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(lane->reached != MAP_FAILED, "no memory to share with a search");
    lane->line = -1;
    fflush(NULL);
    if (!line_pair(ends)) {
        lane_free(lane);
        return NULL;
    }
    lane->pid = fork();
    *is_side = lane->pid == 0;
    close(ends[*is_side ? 0 : 1]);
    lane->line = ends[*is_side ? 1 : 0];
    if (*is_side) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
    } else if (lane->pid < 0) {
        lane->pid = 0;
        lane_free(lane);
        return NULL;
    }
    return lane;
}

static void end_lane(Lane *lane)
{
    if (lane->line >= 0) close(lane->line);
    lane->line = -1;
    if (!lane->pid) return;
    kill(lane->pid, SIGKILL);
    while (waitpid(lane->pid, NULL, 0) < 0 && errno == EINTR) continue;
    lane->pid = 0;
}

void lane_free(Lane *lane)
{
    if (!lane) return;
    end_lane(lane);
    munmap(lane->reached, lane->size);
    free(lane);
}

bool lane_is_side(const Lane *lane)
{
    return lane->pid == 0 && lane->line >= 0;
}

bool lane_is_over(const Lane *lane)
{
    return lane->line < 0;
}

uint8_t *lane_reached(Lane *lane)
{
    return lane->reached;
}

/* ---- messages ---- */

void lane_send(Lane *lane, const LaneNote *note, const StrBuf *more)
{
    Head head = {*note, more->len};
    if (lane->line < 0) return;
    if (line_write(lane->line, &head, sizeof head))
        line_write(lane->line, more->text, more->len); /* lane_receive notices a process that has died */
}

static bool wait_for_message(const Lane *lane, bool (*goes_on)(void *data), void *data)
{
    while (!line_wait(lane->line, goes_on ? LOOK_MS : -1))
        if (goes_on && !goes_on(data)) return false;
    return true;
}

bool lane_receive(Lane *lane, LaneNote *note, StrBuf *more, bool (*goes_on)(void *data), void *data)
{
    Head head;
    bool is_side = lane_is_side(lane);
    strbuf_clear(more);
    if (lane->line >= 0 && wait_for_message(lane, goes_on, data) && line_read(lane->line, &head, sizeof head)) {
        char *bytes = mem_alloc(head.size + 1);
        bool whole = line_read(lane->line, bytes, head.size);
        strbuf_add_bytes(more, bytes, head.size);
        free(bytes);
        *note = head.note;
        if (whole) return true;
    }
    if (is_side) _exit(1); /* nobody waits any more */
    end_lane(lane);
    return false;
}
