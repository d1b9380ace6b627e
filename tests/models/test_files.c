/* Descriptors and files by name: random sequences on a real directory through glibc, and on the same names in memory through the
 * library. */
#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

MODEL(open);
MODEL(close);
MODEL(read);
MODEL(write);
MODEL(pread);
MODEL(pwrite);
MODEL(lseek);
MODEL(dup);
MODEL(dup2);
MODEL(ftruncate);
MODEL(unlink);
MODEL(rename);
MODEL(remove);
MODEL(access);
MODEL(isatty);
MODEL(stat);
MODEL(fstat);
MODEL(creat);
MODEL(mkstemp);

enum { SLOTS = 4, NAMES = 3, MAX = 50 };

typedef struct World {
    char directory[64], explored[64]; /* glibc's; the library's, which stays empty */
    int expected[SLOTS], got[SLOTS];  /* -1: closed */
} World;

static const char *path_in(const char *directory, int name)
{
    static char paths[4][96];
    static int which;
    char *path = paths[which++ % 4];
    sprintf(path, "%s/%c", directory, 'a' + name);
    return path;
}

static const char *path_of(const World *w, int name)
{
    return path_in(w->directory, name);
}

static const char *explored_path_of(const World *w, int name)
{
    return path_in(w->explored, name);
}

static bool same(const char *what, int64_t a, int expected_errno, int64_t b)
{
    if (a != b)
        return differ("%s: glibc %lld (errno %d), model %lld (errno %d)", what, (long long)a, expected_errno, (long long)b,
                      model_clew__errno);
    return a >= 0 || expected_errno == model_clew__errno || differ("%s: errno %d, model's %d", what, expected_errno, model_clew__errno);
}

static bool op_open(Random *r, World *w, int slot)
{
    static const int modes[] = {O_RDONLY, O_WRONLY, O_RDWR};
    int name = (int)below(r, NAMES), flags = modes[below(r, 3)];
    if (w->expected[slot] >= 0) {
        close(w->expected[slot]);
        model_close(w->got[slot]);
    }
    if (one_in(r, 2)) flags |= O_CREAT;
    if (one_in(r, 5)) flags |= O_EXCL;
    if (one_in(r, 4) && (flags & O_ACCMODE) != O_RDONLY) flags |= O_TRUNC;
    if (one_in(r, 5)) flags |= O_APPEND;
    if ((flags & O_EXCL) && !(flags & O_CREAT)) flags &= ~O_EXCL;
    step("%d=open(%c,%x) ", slot, 'a' + name, (unsigned)flags);
    errno = model_clew__errno = 0;
    w->expected[slot] = open(path_of(w, name), flags, 0600);
    int expected_errno = errno;
    w->got[slot] = model_open(explored_path_of(w, name), flags, 0600);
    return same("open", w->expected[slot] < 0 ? -1 : 0, expected_errno, w->got[slot] < 0 ? -1 : 0);
}

static bool op_read(Random *r, World *w, int slot)
{
    char a[MAX], *b = guarded(0, MAX);
    size_t n = below(r, MAX);
    bool at = one_in(r, 3);
    off_t offset = between(r, -1, 60);
    memset(a, 0, MAX);
    memset(b, 0, MAX);
    step("%s(%d,%zu) ", at ? "pread" : "read", slot, n);
    ssize_t x = at ? pread(w->expected[slot], a, n, offset) : read(w->expected[slot], a, n);
    int expected_errno = errno;
    ssize_t y = at ? model_pread(w->got[slot], b, n, offset) : model_read(w->got[slot], b, n);
    return same("read", x, expected_errno, y) &&
           (memcmp(a, b, MAX) == 0 || differ("read \"%s\", model \"%s\"", shown(a, MAX), shown(b, MAX)));
}

static bool op_write(Random *r, World *w, int slot)
{
    size_t n = below(r, MAX);
    char *bytes = guarded(0, n);
    bool at = one_in(r, 3);
    off_t offset = between(r, -1, 60);
    fill_random(r, bytes, n);
    step("%s(%d,%zu) ", at ? "pwrite" : "write", slot, n);
    ssize_t x = at ? pwrite(w->expected[slot], bytes, n, offset) : write(w->expected[slot], bytes, n);
    int expected_errno = errno;
    ssize_t y = at ? model_pwrite(w->got[slot], bytes, n, offset) : model_write(w->got[slot], bytes, n);
    return same("write", x, expected_errno, y);
}

static bool op_seek(Random *r, World *w, int slot)
{
    off_t offset = between(r, -20, 70);
    int whence = between(r, 0, 2);
    step("lseek(%d,%ld,%d) ", slot, (long)offset, whence);
    off_t x = lseek(w->expected[slot], offset, whence);
    int expected_errno = errno;
    return same("lseek", x, expected_errno, model_lseek(w->got[slot], offset, whence));
}

static bool op_truncate(Random *r, World *w, int slot)
{
    off_t size = between(r, 0, 80);
    step("ftruncate(%d,%ld) ", slot, (long)size);
    int x = ftruncate(w->expected[slot], size), expected_errno = errno;
    return same("ftruncate", x, expected_errno, model_ftruncate(w->got[slot], size));
}

static bool op_stat(Random *r, World *w, int slot)
{
    struct stat a, b;
    (void)r;
    a.st_size = b.st_size = 0;
    a.st_mode = b.st_mode = 0;
    step("fstat(%d) ", slot);
    int x = fstat(w->expected[slot], &a), expected_errno = errno;
    return same("fstat", x, expected_errno, model_fstat(w->got[slot], &b)) && same("size", a.st_size, 0, b.st_size) &&
           same("kind", a.st_mode & S_IFMT, 0, b.st_mode & S_IFMT);
}

static bool op_dup(Random *r, World *w, int slot)
{
    int to = (int)below(r, SLOTS);
    if (to == slot || w->expected[slot] < 0) return true;
    step("%d=dup(%d) ", to, slot);
    if (w->expected[to] >= 0 && one_in(r, 2))
        return same("dup2", dup2(w->expected[slot], w->expected[to]) - w->expected[to], errno,
                    model_dup2(w->got[slot], w->got[to]) - w->got[to]);
    if (w->expected[to] >= 0) {
        close(w->expected[to]);
        model_close(w->got[to]);
    }
    w->expected[to] = dup(w->expected[slot]);
    w->got[to] = model_dup(w->got[slot]);
    return same("dup", w->expected[to] >= 0, 0, w->got[to] >= 0);
}

static bool op_close(Random *r, World *w, int slot)
{
    (void)r;
    if (w->expected[slot] < 0) return true;
    step("close(%d) ", slot);
    int x = close(w->expected[slot]), y = model_close(w->got[slot]);
    w->expected[slot] = w->got[slot] = -1;
    return same("close", x, 0, y);
}

static bool op_name(Random *r, World *w, int slot)
{
    int name = (int)below(r, NAMES), other = (int)below(r, NAMES), x, y, expected_errno;
    (void)slot;
    errno = model_clew__errno = 0;
    switch (below(r, 5)) {
    case 0:
        step("unlink(%c) ", 'a' + name);
        x = unlink(path_of(w, name)), expected_errno = errno;
        y = model_unlink(explored_path_of(w, name));
        break;
    case 1:
        step("remove(%c) ", 'a' + name);
        x = remove(path_of(w, name)), expected_errno = errno;
        y = model_remove(explored_path_of(w, name));
        break;
    case 2:
        step("rename(%c,%c) ", 'a' + name, 'a' + other);
        x = rename(path_of(w, name), path_of(w, other)), expected_errno = errno;
        y = model_rename(explored_path_of(w, name), explored_path_of(w, other));
        break;
    case 3:
        step("access(%c) ", 'a' + name);
        x = access(path_of(w, name), R_OK), expected_errno = errno;
        y = model_access(explored_path_of(w, name), R_OK);
        break;
    default: {
        struct stat a, b;
        a.st_size = b.st_size = 0;
        step("stat(%c) ", 'a' + name);
        x = stat(path_of(w, name), &a), expected_errno = errno;
        y = model_stat(explored_path_of(w, name), &b);
        if (!same("size", a.st_size, 0, b.st_size)) return false;
    }
    }
    return same("by name", x, expected_errno, y);
}

typedef bool (*Operation)(Random *r, World *w, int slot);

static void clean(World *w)
{
    for (int i = 0; i < SLOTS; i++)
        if (w->expected[i] >= 0) {
            close(w->expected[i]);
            model_close(w->got[i]);
        }
    for (int i = 0; i < NAMES; i++) {
        unlink(path_of(w, i));
        model_unlink(explored_path_of(w, i));
    }
}

static char directories[2][64];

static void remove_directories(void)
{
    rmdir(directories[0]);
    rmdir(directories[1]);
}

static bool sequence(Random *r)
{
    static const Operation operations[] = {op_open,     op_open, op_read, op_read,  op_write, op_write, op_seek,
                                           op_truncate, op_stat, op_dup,  op_close, op_name,  op_name};
    static char directory[] = "/tmp/models-test-XXXXXX", explored[] = "/tmp/models-test-XXXXXX";
    static bool ready;
    World w = {.expected = {-1, -1, -1, -1}, .got = {-1, -1, -1, -1}};
    if (!ready) {
        if (!mkdtemp(directory) || !mkdtemp(explored)) return differ("mkdtemp");
        ready = true;
        atexit(remove_directories);
    }
    strcpy(w.directory, strcpy(directories[0], directory));
    strcpy(w.explored, strcpy(directories[1], explored));
    bool ok = true;
    for (int i = between(r, 1, 30); i > 0 && ok; i--) {
        errno = model_clew__errno = 0;
        ok = operations[below(r, 13)](r, &w, (int)below(r, SLOTS));
    }
    clean(&w);
    return ok;
}

static bool trial_explored_files(Random *r)
{
    host.real = 0;
    return sequence(r);
}

/* Real effects: the library on files of its own. */
static bool trial_real_files(Random *r)
{
    char template[] = "/tmp/models-test-XXXXXX", text[32] = "", again[32] = "";
    int fd = model_mkstemp(template), value = (int)below(r, 1000000);
    if (fd < 0 || strstr(template, "XXXXXX")) return differ("mkstemp");
    int n = sprintf(text, "%d", value);
    bool ok = model_write(fd, text, (size_t)n) == n && model_lseek(fd, 0, SEEK_SET) == 0 && model_read(fd, again, sizeof again) == n &&
              strcmp(text, again) == 0 && model_close(fd) == 0 && model_access(template, R_OK) == 0;
    int in_glibc = open(template, O_RDONLY);
    memset(again, 0, sizeof again);
    ok = ok && read(in_glibc, again, sizeof again) == n && strcmp(text, again) == 0;
    close(in_glibc);
    ok = ok && model_unlink(template) == 0 && access(template, F_OK) < 0;
    return ok || differ("%d", value);
}

/* While exploring: a file that exists is read where it lies, and writing to it leaves it alone. */
static bool trial_existing_file(Random *r)
{
    char path[] = "/tmp/models-test-XXXXXX", bytes[200], got[400];
    int fd = mkstemp(path);
    size_t n = below(r, sizeof bytes);
    fill_random(r, bytes, n);
    bool ok = write(fd, bytes, n) == (ssize_t)n;
    host.real = 0;
    int reader = model_open(path, O_RDONLY);
    ok = ok && reader >= 0 && model_read(reader, got, n / 2) == (ssize_t)(n / 2) &&
         model_read(reader, got + n / 2, sizeof got - n) == (ssize_t)(n - n / 2) && memcmp(bytes, got, n) == 0;
    int writer = model_open(path, O_RDWR | O_APPEND);
    ok = ok && writer >= 0 && model_write(writer, "more", 4) == 4 && model_lseek(writer, 0, SEEK_SET) == 0 &&
         model_read(writer, got, sizeof got) == (ssize_t)n + 4 && memcmp(got, bytes, n) == 0 && memcmp(got + n, "more", 4) == 0;
    model_close(reader);
    model_close(writer);
    ok = ok && model_unlink(path) == 0 && model_open(path, O_RDONLY) < 0 && model_clew__errno == ENOENT;
    struct stat status;
    ok = ok && stat(path, &status) == 0 && status.st_size == (off_t)n;
    unlink(path);
    close(fd);
    return ok || differ("%zu bytes", n);
}

static bool trial_isatty(Random *r)
{
    int fd = between(r, -1, 5);
    errno = model_clew__errno = 0;
    int x = isatty(fd), expected_errno = errno;
    return (x == model_isatty(fd) && (x || expected_errno == model_clew__errno)) || differ("%d", fd);
}

const Trial files_trials[] = {
    TRIAL(explored_files), SLOW_TRIAL(real_files, 20), SLOW_TRIAL(existing_file, 20), TRIAL(isatty), {NULL, NULL, 0}};
