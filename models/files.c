/* Files by name: attributes, removal, renaming.  While exploring, files in memory hide the real ones, and nothing real changes. */
#include "fd_int.h"
#include "hidden.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void invent(struct stat *status, mode_t mode, int64_t size)
{
    bytes_fill(status, 0, sizeof *status);
    status->st_mode = mode;
    status->st_nlink = 1;
    status->st_size = size;
    status->st_blksize = 4096;
    status->st_blocks = (size + 511) / 512;
}

static int stat_description(const Description *d, struct stat *status)
{
    switch (d->kind) {
    case KIND_SYMBOLIC: invent(status, S_IFREG | 0644, (int64_t)d->size); return 0;
    case KIND_MEMORY: invent(status, S_IFREG | 0644, (int64_t)d->node->size); return 0;
    case KIND_CONSOLE: invent(status, S_IFIFO | 0600, 0); return 0;
    case KIND_STDIN: return clew__fstatat(0, "", status, AT_EMPTY_PATH);
    default: return clew__fstatat(AT_FDCWD, d->path, status, 0);
    }
}

static int stat_path(int directory, const char *path, struct stat *status, int flags)
{
    if (clew__real_effects()) return clew__fstatat(directory, path, status, flags);
    size_t size;
    path = clew__fd_path(path);
    Node *node = clew__node_find(path);
    if (node && !node->exists) return -ENOENT;
    if (node) {
        invent(status, S_IFREG | 0644, (int64_t)node->size);
        return 0;
    }
    if (*path && clew__symbolic_file(path, &size)) {
        invent(status, S_IFREG | 0644, (int64_t)size);
        return 0;
    }
    return clew__fstatat(directory, path, status, flags);
}

static int stat_fd(int fd, struct stat *status)
{
    Description *d = clew__real_effects() ? NULL : clew__fd_description(fd);
    return d ? stat_description(d, status) : clew__fstatat(fd, "", status, AT_EMPTY_PATH);
}

#define STAT(suffix) \
    int stat##suffix(const char *restrict path, struct stat##suffix *restrict status) \
    { \
        return (int)checked(stat_path(AT_FDCWD, path, (struct stat *)status, 0)); \
    } \
    int lstat##suffix(const char *restrict path, struct stat##suffix *restrict status) \
    { \
        return (int)checked(stat_path(AT_FDCWD, path, (struct stat *)status, AT_SYMLINK_NOFOLLOW)); \
    } \
    int fstat##suffix(int fd, struct stat##suffix *status) \
    { \
        return (int)checked(stat_fd(fd, (struct stat *)status)); \
    } \
    int fstatat##suffix(int directory, const char *restrict path, struct stat##suffix *restrict status, int flags) \
    { \
        if ((flags & AT_EMPTY_PATH) && !*path) return (int)checked(stat_fd(directory, (struct stat *)status)); \
        return (int)checked(stat_path(directory, path, (struct stat *)status, flags)); \
    }
STAT()
STAT(64)

int access(const char *path, int mode)
{
    struct stat status;
    if (clew__real_effects()) return (int)checked(clew__access(path, mode));
    size_t size;
    path = clew__fd_path(path);
    Node *node = clew__node_find(path);
    if (node || clew__symbolic_file(path, &size)) {
        int error = stat_path(AT_FDCWD, path, &status, 0);
        if (error == 0 && (mode & X_OK)) error = -EACCES;
        return (int)checked(error);
    }
    return (int)checked(clew__access(path, mode));
}

/* While exploring, a node that does not exist stands for the removed file. */
int clew__fd_unlink(const char *path)
{
    if (clew__real_effects()) return clew__unlink(path);
    struct stat status;
    int error = stat_path(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW);
    if (error < 0) return error;
    if (S_ISDIR(status.st_mode)) return -EISDIR;
    Node *node = clew__node_find(path);
    Node *tombstone = clew__node_add(path);
    if (!tombstone) return -ENOMEM;
    tombstone->exists = false;
    if (node) clew__node_forget(node);
    return 0;
}

int unlink(const char *path)
{
    return (int)checked(clew__fd_unlink(path));
}

int remove(const char *path)
{
    int error = clew__fd_unlink(path);
    if (error == -EISDIR || error == -EPERM) error = clew__real_effects() ? clew__rmdir(path) : -EACCES;
    return (int)checked(error);
}

/* The source's node takes the new name; a tombstone stays behind. */
static int rename_explored(const char *from, const char *to)
{
    int fd = clew__fd_openat(AT_FDCWD, from, O_RDWR, 0);
    if (fd < 0) return fd;
    Description *d = clew__fd_description(fd);
    Node *source = d->kind == KIND_MEMORY ? d->node : NULL;
    clew__fd_close(fd);
    if (!source) return -EACCES;
    if (text_equal(clew__node_name(from), clew__node_name(to))) return 0;
    int target = clew__fd_openat(AT_FDCWD, to, O_WRONLY | O_CREAT, 0); /* not cut: it may be open, and lives on then */
    if (target < 0) return target;
    clew__fd_close(target);
    size_t n = text_length(clew__node_name(to)) + 1;
    char *name = clew__malloc(n);
    Node *tombstone = clew__node_add(from);
    if (!name || !tombstone) return -ENOMEM;
    tombstone->exists = false;
    bytes_copy(name, clew__node_name(to), n);
    clew__node_forget(clew__node_find(to));
    clew__free(source->path);
    source->path = name;
    return 0;
}

int rename(const char *from, const char *to)
{
    return (int)checked(clew__real_effects() ? clew__rename(from, to) : rename_explored(from, to));
}

/* ---- names for new files ---- */

static int make_unique(char *template, int suffix, int flags)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    static uint64_t seed;
    size_t n = text_length(template);
    if (suffix < 0 || n < 6 + (size_t)suffix) return -EINVAL;
    char *x = template + n - 6 - (size_t)suffix;
    for (int i = 0; i < 6; i++)
        if (x[i] != 'X') return -EINVAL;
    for (int attempt = 0; attempt < 1000; attempt++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t value = seed;
        if (clew__real_effects()) value ^= (uint64_t)clew__time_ns(0) * 0x9e3779b97f4a7c15u + (uint64_t)clew__getpid();
        value >>= 8;
        for (int i = 0; i < 6; i++, value /= 62) x[i] = letters[value % 62];
        int fd = clew__fd_openat(AT_FDCWD, template, O_RDWR | O_CREAT | O_EXCL | (flags & ~O_ACCMODE), 0600);
        if (fd != -EEXIST) return fd;
    }
    return -EEXIST;
}

int mkstemp(char *template)
{
    return (int)checked(make_unique(template, 0, 0));
}

int mkstemp64(char *template)
{
    return (int)checked(make_unique(template, 0, 0));
}

int mkstemps(char *template, int suffix)
{
    return (int)checked(make_unique(template, suffix, 0));
}

int mkostemp(char *template, int flags)
{
    return (int)checked(make_unique(template, 0, flags));
}
