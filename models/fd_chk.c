/* Descriptors with the object's size known: -D_FORTIFY_SOURCE. */
#include "hidden.h"

#include <fcntl.h>

ssize_t __read_chk(int fd, void *buffer, size_t n, size_t object)
{
    if (n > object) clew__chk_fail();
    return checked(clew__fd_read(fd, buffer, n));
}

ssize_t __pread_chk(int fd, void *buffer, size_t n, off_t offset, size_t object)
{
    if (n > object) clew__chk_fail();
    return checked(clew__fd_pread(fd, buffer, n, offset));
}

ssize_t __pread64_chk(int fd, void *buffer, size_t n, off64_t offset, size_t object)
{
    if (n > object) clew__chk_fail();
    return checked(clew__fd_pread(fd, buffer, n, offset));
}

#define OPEN(name) \
    int name(const char *path, int flags) \
    { \
        return (int)checked(clew__fd_openat(AT_FDCWD, path, flags, 0)); \
    }
#define OPENAT(name) \
    int name(int directory, const char *path, int flags) \
    { \
        return (int)checked(clew__fd_openat(directory, path, flags, 0)); \
    }
OPEN(__open_2)
OPEN(__open64_2)
OPENAT(__openat_2)
OPENAT(__openat64_2)
