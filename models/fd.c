/* Descriptors: open, read, write, seek, close.  In a real run every call passes through; see fd_int.h for what happens otherwise. */
#include "fd_int.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { TABLE = 256 };

static Description in = {.kind = KIND_STDIN, .flags = O_RDONLY, .references = 1};
static Description out = {.kind = KIND_CONSOLE, .flags = O_WRONLY, .references = 1, .console = 1};
static Description err = {.kind = KIND_CONSOLE, .flags = O_WRONLY, .references = 1, .console = 2};
static Description *table[TABLE] = {&in, &out, &err};
static bool stdin_known;
static Node *nodes;

/* ---- nodes ---- */

const char *clew__node_name(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        for (path += 2; *path == '/'; path++) continue;
    return path;
}

Node *clew__node_find(const char *path)
{
    path = clew__node_name(path);
    for (Node *node = nodes; node; node = node->next)
        if (text_equal(node->path, path)) return node;
    return NULL;
}

static char *copy_of(const char *text)
{
    size_t n = text_length(text) + 1;
    char *copy = clew__malloc(n);
    if (copy) bytes_copy(copy, text, n);
    return copy;
}

Node *clew__node_add(const char *path)
{
    Node *node = clew__malloc(sizeof *node);
    if (!node) return NULL;
    *node = (Node){.path = path ? copy_of(clew__node_name(path)) : NULL, .exists = true};
    if (node->path) {
        node->next = nodes;
        nodes = node;
    }
    return node;
}

static void node_free_unused(Node *node)
{
    if (node->path || node->references > 0) return;
    clew__free(node->data);
    clew__free(node);
}

void clew__node_forget(Node *node)
{
    for (Node **link = &nodes; *link; link = &(*link)->next) {
        if (*link != node) continue;
        *link = node->next;
        break;
    }
    clew__free(node->path);
    node->path = NULL;
    node_free_unused(node);
}

int clew__node_resize(Node *node, size_t size)
{
    if (size > node->capacity) {
        size_t capacity = node->capacity ? node->capacity : 256;
        while (capacity < size) capacity *= 2;
        unsigned char *data = clew__realloc(node->data, capacity);
        if (!data) return -ENOSPC;
        node->data = data;
        node->capacity = capacity;
    }
    if (size > node->size) bytes_fill(node->data + node->size, 0, size - node->size);
    node->size = size;
    return 0;
}

/* ---- the table ---- */

Description *clew__fd_description(int fd)
{
    if (!stdin_known) {
        stdin_known = true;
        in.bytes = clew__symbolic_file("-", &in.size);
        if (in.bytes) in.kind = KIND_SYMBOLIC;
    }
    return fd >= 0 && fd < TABLE ? table[fd] : NULL;
}

int clew__fd_install(Description *description)
{
    if (!description) return -ENOMEM;
    for (int fd = 0; fd < TABLE; fd++) {
        if (table[fd]) continue;
        table[fd] = description;
        return fd;
    }
    return -EMFILE;
}

Description *clew__fd_describe(FileKind kind, int flags, const char *path)
{
    Description *description = clew__malloc(sizeof *description);
    if (!description) return NULL;
    *description = (Description){.kind = kind, .flags = flags, .references = 1, .path = path ? copy_of(path) : NULL};
    return description;
}

static bool readable(const Description *d)
{
    return (d->flags & O_ACCMODE) != O_WRONLY;
}

static bool writable(const Description *d)
{
    return (d->flags & O_ACCMODE) != O_RDONLY;
}

/* ---- open ---- */

static int open_memory(Node *node, int flags)
{
    if (!node) return -ENOMEM;
    if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY) node->size = 0;
    node->exists = true;
    Description *description = clew__fd_describe(KIND_MEMORY, flags, node->path);
    if (!description) return -ENOMEM;
    description->node = node;
    node->references++;
    return clew__fd_install(description);
}

static int open_known_node(Node *node, int flags)
{
    if (node->exists && (flags & O_CREAT) && (flags & O_EXCL)) return -EEXIST;
    if (!node->exists) {
        if (!(flags & O_CREAT)) return -ENOENT;
        node->size = 0;
    }
    return open_memory(node, flags);
}

static int open_symbolic(const char *path, int flags, const unsigned char *bytes, size_t size)
{
    if ((flags & O_CREAT) && (flags & O_EXCL)) return -EEXIST;
    if ((flags & O_ACCMODE) == O_RDONLY) {
        Description *description = clew__fd_describe(KIND_SYMBOLIC, flags, path);
        if (!description) return -ENOMEM;
        description->bytes = bytes;
        description->size = size;
        return clew__fd_install(description);
    }
    Node *node = clew__node_add(path);
    if (node && !(flags & O_TRUNC)) {
        if (clew__node_resize(node, size) < 0) return -ENOSPC;
        bytes_copy(node->data, bytes, size);
    }
    return open_memory(node, flags);
}

static int load_real(Node *node, int real)
{
    for (;;) {
        size_t at = node->size;
        if (clew__node_resize(node, at + 4096) < 0) return -ENOSPC;
        ssize_t n = clew__pread(real, node->data + at, 4096, (int64_t)at);
        node->size = at + (n > 0 ? (size_t)n : 0);
        if (n <= 0) return (int)n;
    }
}

static int open_real_for_writing(const char *path, int flags, int real)
{
    struct stat status;
    if (clew__fstatat(real, "", &status, AT_EMPTY_PATH) == 0 && !S_ISREG(status.st_mode)) {
        if (S_ISDIR(status.st_mode)) return -EISDIR;
        return clew__fd_install(clew__fd_describe(KIND_SINK, flags, path));
    }
    Node *node = clew__node_add(path);
    if (!node) return -ENOMEM;
    int error = flags & O_TRUNC ? 0 : load_real(node, real);
    return error < 0 ? error : open_memory(node, flags);
}

/* A file that does not exist can be created if its directory does. */
static int create(const char *path, int flags)
{
    const char *slash = NULL;
    for (const char *p = path; *p; p++)
        if (*p == '/') slash = p;
    if (!*path) return -ENOENT;
    if (slash && slash != path) {
        struct stat status;
        char *directory = copy_of(path);
        if (!directory) return -ENOMEM;
        directory[slash - path] = 0;
        int error = clew__fstatat(AT_FDCWD, directory, &status, 0);
        clew__free(directory);
        if (error < 0) return error;
        if (!S_ISDIR(status.st_mode)) return -ENOTDIR;
    }
    return open_memory(clew__node_add(path), flags);
}

/* A path that depends on inputs may be the name of a symbolic file: so each name is asked for, before the machine makes the path a constant. */
const char *clew__fd_path(const char *path)
{
    const char *name;
    for (unsigned i = 0; (name = clew__symbolic_name(i)) != NULL; i++)
        if (text_equal(path, name)) return name;
    return path;
}

static int open_explored(int directory, const char *path, int flags)
{
    size_t size;
    path = clew__fd_path(path);
    if (flags & O_TMPFILE & ~O_DIRECTORY) return open_memory(clew__node_add(NULL), flags & ~O_TMPFILE);
    clew__fd_description(0);
    Node *node = clew__node_find(path);
    if (node) return open_known_node(node, flags);
    const unsigned char *bytes = clew__symbolic_file(path, &size);
    if (bytes) return open_symbolic(path, flags, bytes, size);
    int real = clew__openat(directory, path, O_RDONLY | (flags & (O_DIRECTORY | O_NOFOLLOW)), 0);
    if (real == -ENOENT && (flags & O_CREAT)) return create(path, flags);
    if (real < 0) return real;
    int result;
    if ((flags & O_CREAT) && (flags & O_EXCL)) result = -EEXIST;
    else if ((flags & O_ACCMODE) == O_RDONLY) result = clew__fd_install(clew__fd_describe(KIND_REAL, flags, path));
    else result = open_real_for_writing(path, flags, real);
    clew__close(real);
    return result;
}

int clew__fd_openat(int directory, const char *path, int flags, int mode)
{
    if (clew__real_effects()) return clew__openat(directory, path, flags, mode);
    return open_explored(directory, path, flags);
}

/* ---- close, dup ---- */

static void drop(Description *description)
{
    if (--description->references > 0 || description == &in || description == &out || description == &err) return;
    if (description->node) {
        description->node->references--;
        node_free_unused(description->node);
    }
    clew__free(description->path);
    clew__free(description);
}

/* A real descriptor that native code gave to the program.  The standard ones, once the program has closed them, are Clew's. */
static bool is_own(int fd)
{
    return fd > 2;
}

int clew__fd_close(int fd)
{
    if (clew__real_effects()) return clew__close(fd);
    Description *description = clew__fd_description(fd);
    if (!description) return is_own(fd) ? clew__close(fd) : -EBADF;
    table[fd] = NULL;
    drop(description);
    return 0;
}

static int duplicate(int fd)
{
    if (clew__real_effects()) return clew__dup(fd);
    Description *description = clew__fd_description(fd);
    if (!description) return -EBADF;
    int copy = clew__fd_install(description);
    if (copy >= 0) description->references++;
    return copy;
}

static int duplicate_to(int fd, int wanted, int flags, bool same_is_error)
{
    if (fd == wanted && same_is_error) return -EINVAL;
    if (clew__real_effects()) {
        if (fd == wanted) return clew__fd_flags(fd) < 0 ? -EBADF : fd;
        return clew__dup3(fd, wanted, flags);
    }
    Description *description = clew__fd_description(fd);
    if (!description || wanted < 0 || wanted >= TABLE) return -EBADF;
    if (fd == wanted) return fd;
    description->references++;
    if (table[wanted]) drop(table[wanted]);
    table[wanted] = description;
    return wanted;
}

int clew__fd_move(int fd, int wanted)
{
    int result = duplicate_to(fd, wanted, 0, false);
    if (result >= 0 && result != fd) clew__fd_close(fd);
    return result;
}

/* ---- read ---- */

static ssize_t read_bytes(void *to, const unsigned char *bytes, size_t size, int64_t offset, size_t n)
{
    if (offset < 0 || (size_t)offset >= size) return 0;
    size_t left = size - (size_t)offset;
    if (n > left) n = left;
    bytes_copy(to, bytes + offset, n);
    return (ssize_t)n;
}

static ssize_t read_real(const Description *d, void *buffer, size_t n, int64_t offset)
{
    int real = clew__open(d->path, O_RDONLY, 0);
    if (real < 0) return real;
    ssize_t result = clew__pread(real, buffer, n, offset);
    clew__close(real);
    return result;
}

static ssize_t read_at(const Description *d, void *buffer, size_t n, int64_t offset)
{
    ssize_t result;
    if (!readable(d)) return -EBADF;
    switch (d->kind) {
    case KIND_SYMBOLIC: return read_bytes(buffer, d->bytes, d->size, offset, n);
    case KIND_MEMORY: return read_bytes(buffer, d->node->data, d->node->size, offset, n);
    case KIND_REAL: return read_real(d, buffer, n, offset);
    case KIND_STDIN: result = clew__pread(0, buffer, n, offset); return result < 0 ? 0 : result;
    default: return 0;
    }
}

ssize_t clew__fd_read(int fd, void *buffer, size_t n)
{
    if (clew__real_effects()) return clew__read(fd, buffer, n);
    Description *description = clew__fd_description(fd);
    if (!description) return is_own(fd) ? clew__read(fd, buffer, n) : -EBADF;
    ssize_t result = read_at(description, buffer, n, description->offset);
    if (result > 0) description->offset += result;
    return result;
}

bool clew__fd_window(int fd, const unsigned char **bytes, size_t *n)
{
    if (clew__real_effects()) return false;
    Description *d = clew__fd_description(fd);
    if (!d || d->kind != KIND_SYMBOLIC) return false;
    bool left = d->offset < (int64_t)d->size;
    *bytes = d->bytes + d->offset;
    *n = left ? d->size - (size_t)d->offset : 0;
    if (left) d->offset = (int64_t)d->size;
    return true;
}

/* ---- write ---- */

static ssize_t write_memory(Node *node, const void *buffer, size_t n, int64_t offset)
{
    size_t end = (size_t)offset + n;
    if (n == 0) return 0;
    if (end > node->size && clew__node_resize(node, end) < 0) return -ENOSPC;
    bytes_copy(node->data + offset, buffer, n);
    return (ssize_t)n;
}

ssize_t clew__fd_write(int fd, const void *buffer, size_t n)
{
    if (clew__real_effects()) return clew__write(fd, buffer, n);
    Description *d = clew__fd_description(fd);
    if (!d || !writable(d)) return -EBADF;
    if (d->kind == KIND_CONSOLE) return clew__write(d->console, buffer, n);
    if (d->kind == KIND_SINK) return (ssize_t)n;
    if (d->flags & O_APPEND) d->offset = (int64_t)d->node->size;
    ssize_t result = write_memory(d->node, buffer, n, d->offset);
    if (result > 0) d->offset += result;
    return result;
}

ssize_t clew__fd_pread(int fd, void *buffer, size_t n, int64_t offset)
{
    if (offset < 0) return -EINVAL;
    if (clew__real_effects()) return clew__pread(fd, buffer, n, offset);
    Description *d = clew__fd_description(fd);
    if (!d) return -EBADF;
    return d->kind == KIND_CONSOLE ? -ESPIPE : read_at(d, buffer, n, offset);
}

static ssize_t pwrite_any(int fd, const void *buffer, size_t n, int64_t offset)
{
    if (offset < 0) return -EINVAL;
    if (clew__real_effects()) return clew__pwrite(fd, buffer, n, offset);
    Description *d = clew__fd_description(fd);
    if (!d || !writable(d)) return -EBADF;
    if (d->kind != KIND_MEMORY) return d->kind == KIND_SINK ? (ssize_t)n : -ESPIPE;
    return write_memory(d->node, buffer, n, d->flags & O_APPEND ? (int64_t)d->node->size : offset);
}

/* ---- seek and the rest that streams need ---- */

static int64_t size_of(const Description *d)
{
    struct stat status;
    int error;
    switch (d->kind) {
    case KIND_SYMBOLIC: return (int64_t)d->size;
    case KIND_MEMORY: return (int64_t)d->node->size;
    case KIND_REAL: error = clew__fstatat(AT_FDCWD, d->path, &status, 0); break;
    case KIND_STDIN: error = clew__fstatat(0, "", &status, AT_EMPTY_PATH); break;
    default: return 0;
    }
    return error < 0 ? error : status.st_size;
}

int64_t clew__fd_seek(int fd, int64_t offset, int whence)
{
    if (clew__real_effects()) return clew__seek(fd, offset, whence);
    Description *d = clew__fd_description(fd);
    if (!d) return -EBADF;
    if (d->kind == KIND_CONSOLE) return -ESPIPE;
    int64_t base = 0;
    if (whence == SEEK_CUR) base = d->offset;
    else if (whence == SEEK_END) base = size_of(d);
    else if (whence != SEEK_SET) return -EINVAL;
    if (base < 0) return base;
    if (base + offset < 0) return -EINVAL;
    return d->offset = base + offset;
}

int clew__fd_isatty(int fd)
{
    if (clew__real_effects()) return clew__isatty(fd);
    return clew__fd_description(fd) ? -ENOTTY : -EBADF;
}

int clew__fd_truncate(int fd, int64_t size)
{
    if (clew__real_effects()) return clew__ftruncate(fd, size);
    Description *d = clew__fd_description(fd);
    if (!d) return -EBADF;
    if (!writable(d) || d->kind != KIND_MEMORY || size < 0) return -EINVAL;
    return clew__node_resize(d->node, (size_t)size);
}

bool clew__fd_is_console(int fd)
{
    if (clew__real_effects()) return false;
    Description *d = clew__fd_description(fd);
    return d && d->kind == KIND_CONSOLE;
}

int64_t clew__fd_block_size(int fd)
{
    struct stat status;
    if (!clew__real_effects()) return 4096;
    int error = clew__fstatat(fd, "", &status, AT_EMPTY_PATH);
    return error < 0 ? error : status.st_blksize;
}

int clew__fd_flags(int fd)
{
    if (clew__real_effects()) return clew__fcntl(fd, F_GETFL, 0);
    Description *d = clew__fd_description(fd);
    return d ? d->flags : -EBADF;
}

int clew__fd_set_append(int fd)
{
    int flags = clew__fd_flags(fd);
    if (flags < 0 || (flags & O_APPEND)) return flags < 0 ? flags : 0;
    if (clew__real_effects()) return clew__fcntl(fd, F_SETFL, flags | O_APPEND);
    clew__fd_description(fd)->flags |= O_APPEND;
    return 0;
}

/* ---- the public names ---- */

#define OPEN(name) \
    int name(const char *path, int flags, ...) \
    { \
        va_list args; \
        va_start(args, flags); \
        int mode = flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(args, int) : 0; \
        va_end(args); \
        return (int)checked(clew__fd_openat(AT_FDCWD, path, flags, mode)); \
    }
#define OPENAT(name) \
    int name(int directory, const char *path, int flags, ...) \
    { \
        va_list args; \
        va_start(args, flags); \
        int mode = flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(args, int) : 0; \
        va_end(args); \
        return (int)checked(clew__fd_openat(directory, path, flags, mode)); \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int creat(const char *path, mode_t mode)
{
    return (int)checked(clew__fd_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, (int)mode));
}

int creat64(const char *path, mode_t mode)
{
    return (int)checked(clew__fd_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, (int)mode));
}

int close(int fd)
{
    return (int)checked(clew__fd_close(fd));
}

ssize_t read(int fd, void *buffer, size_t n)
{
    return checked(clew__fd_read(fd, buffer, n));
}

ssize_t write(int fd, const void *buffer, size_t n)
{
    return checked(clew__fd_write(fd, buffer, n));
}

ssize_t pread(int fd, void *buffer, size_t n, off_t offset)
{
    return checked(clew__fd_pread(fd, buffer, n, offset));
}

ssize_t pread64(int fd, void *buffer, size_t n, off64_t offset)
{
    return checked(clew__fd_pread(fd, buffer, n, offset));
}

ssize_t pwrite(int fd, const void *buffer, size_t n, off_t offset)
{
    return checked(pwrite_any(fd, buffer, n, offset));
}

ssize_t pwrite64(int fd, const void *buffer, size_t n, off64_t offset)
{
    return checked(pwrite_any(fd, buffer, n, offset));
}

off_t lseek(int fd, off_t offset, int whence)
{
    return checked(clew__fd_seek(fd, offset, whence));
}

off64_t lseek64(int fd, off64_t offset, int whence)
{
    return checked(clew__fd_seek(fd, offset, whence));
}

int dup(int fd)
{
    return (int)checked(duplicate(fd));
}

int dup2(int fd, int wanted)
{
    return (int)checked(duplicate_to(fd, wanted, 0, false));
}

int dup3(int fd, int wanted, int flags)
{
    return (int)checked(duplicate_to(fd, wanted, flags, true));
}

int isatty(int fd)
{
    int result = clew__fd_isatty(fd);
    if (result > 0) return 1;
    clew__errno = result < 0 ? -result : ENOTTY;
    return 0;
}

int ftruncate(int fd, off_t size)
{
    return (int)checked(clew__fd_truncate(fd, size));
}

int ftruncate64(int fd, off64_t size)
{
    return (int)checked(clew__fd_truncate(fd, size));
}
