#include "base/line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HIGH_DESCRIPTOR = 800 }; /* programs under test hardly have so many files open.  A guess. */

int line_move_up(int descriptor)
{
    int high = fcntl(descriptor, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
    if (high < 0) return descriptor;
    close(descriptor);
    return high;
}

bool line_pair(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    for (int i = 0; i < 2; i++) ends[i] = line_move_up(ends[i]);
    return true;
}

bool line_write(int line, const void *bytes, size_t n)
{
    for (const char *from = bytes; n > 0;) {
        ssize_t k = send(line, from, n, MSG_NOSIGNAL);
        if (k < 0 && errno == ENOTSOCK) k = write(line, from, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        from += k;
        n -= (size_t)k;
    }
    return true;
}

bool line_read(int line, void *bytes, size_t n)
{
    for (char *to = bytes; n > 0;) {
        ssize_t k = read(line, to, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        to += k;
        n -= (size_t)k;
    }
    return true;
}

bool line_wait(int line, int milliseconds)
{
    struct pollfd wait = {.fd = line, .events = POLLIN};
    return poll(&wait, 1, milliseconds) > 0;
}
