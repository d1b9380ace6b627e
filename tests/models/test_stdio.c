/* Streams: random sequences of operations on two equal files, one through glibc, one through the library.  After every operation the
 * results, the state, the position and (where effects are real) what has reached the file must agree; the last says that buffers are
 * flushed alike. */
#include "test.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

MODEL(fopen);
MODEL(fdopen);
MODEL(freopen);
MODEL(fclose);
MODEL(fflush);
MODEL(fgetc);
MODEL(getc);
MODEL(ungetc);
MODEL(fgets);
MODEL(fread);
MODEL(fputc);
MODEL(putc);
MODEL(fputs);
MODEL(fwrite);
MODEL(fprintf);
MODEL(getline);
MODEL(getdelim);
MODEL(fseek);
MODEL(fseeko);
MODEL(ftell);
MODEL(ftello);
MODEL(rewind);
MODEL(fgetpos);
MODEL(fsetpos);
MODEL(feof);
MODEL(ferror);
MODEL(clearerr);
MODEL(fileno);
MODEL(setvbuf);
MODEL(setbuf);
MODEL(setlinebuf);
MODEL(getw);
MODEL(putw);
MODEL(fmemopen);
MODEL(open_memstream);
MODEL(tmpfile);
MODEL(dprintf);
MODEL(fgetc_unlocked);
MODEL(fputc_unlocked);
MODEL(fgets_unlocked);
MODEL(fread_unlocked);
MODEL(fwrite_unlocked);
MODEL(fputs_unlocked);
extern int model___isoc99_fscanf(FILE *, const char *, ...), model__IO_getc(FILE *), model__IO_putc(int, FILE *);

enum { BIG = 9000 };

typedef struct Pair {
    FILE *expected, *got;
    int expected_fd, got_fd;
    bool real;
    char mode[4];
} Pair;

static bool readable(const Pair *p)
{
    return p->mode[0] == 'r' || p->mode[1] == '+';
}

static bool writable(const Pair *p)
{
    return p->mode[0] != 'r' || p->mode[1] == '+';
}

static bool same_state(const Pair *p);

/* ---- one operation ---- */

static bool same_number(const char *what, int64_t a, int64_t b)
{
    return a == b || differ("%s: glibc %lld, model %lld", what, (long long)a, (long long)b);
}

static bool same_text(const char *what, const char *a, const char *b, size_t n)
{
    return memcmp(a, b, n) == 0 || differ("%s: glibc \"%s\", model \"%s\"", what, shown(a, n), shown(b, n));
}

static bool op_getc(Random *r, Pair *p)
{
    step("getc ");
    switch (below(r, 4)) {
    case 0: return same_number("fgetc", fgetc(p->expected), model_fgetc(p->got));
    case 1: return same_number("getc", getc(p->expected), model_getc(p->got));
    case 2: return same_number("fgetc_unlocked", fgetc_unlocked(p->expected), model_fgetc_unlocked(p->got));
    default: return same_number("_IO_getc", fgetc(p->expected), model__IO_getc(p->got));
    }
}

static bool op_fgets(Random *r, Pair *p)
{
    int n = between(r, 1, one_in(r, 8) ? 600 : 30);
    step("fgets(%d) ", n);
    char a[600], *b = guarded(0, (size_t)n);
    memset(a, '#', sizeof a);
    memset(b, '#', (size_t)n);
    bool x = fgets(a, n, p->expected), y = one_in(r, 2) ? model_fgets(b, n, p->got) : model_fgets_unlocked(b, n, p->got);
    return same_number("fgets", x, y) && same_text("fgets", a, b, (size_t)n);
}

static bool op_fread(Random *r, Pair *p)
{
    size_t size = 1 + below(r, 5), count = below(r, one_in(r, 10) ? BIG / 5 : 20);
    step("fread(%zu*%zu) ", size, count);
    char a[BIG], *b = guarded(0, size * count);
    memset(a, '#', sizeof a);
    memset(b, '#', size * count);
    size_t x = fread(a, size, count, p->expected);
    size_t y = one_in(r, 2) ? model_fread(b, size, count, p->got) : model_fread_unlocked(b, size, count, p->got);
    return same_number("fread", (int64_t)x, (int64_t)y) && same_text("fread", a, b, size * count);
}

static bool op_getline(Random *r, Pair *p)
{
    char *a = NULL, *b = NULL;
    size_t n = 0, m = 0;
    int delimiter = one_in(r, 2) ? '\n' : 'a';
    step("getdelim(%d) ", delimiter);
    ssize_t x = delimiter == '\n' ? getline(&a, &n, p->expected) : getdelim(&a, &n, delimiter, p->expected);
    ssize_t y = delimiter == '\n' ? model_getline(&b, &m, p->got) : model_getdelim(&b, &m, delimiter, p->got);
    bool same = same_number("getline", x, y) && (x < 0 || same_text("getline", a, b, (size_t)x + 1));
    free(a);
    free(b);
    return same;
}

/* The byte just read goes back; or others do, and are read at once, since what the position is meanwhile C leaves open. */
static bool op_ungetc(Random *r, Pair *p)
{
    int c = fgetc(p->expected);
    step("ungetc(%d) ", c);
    if (!same_number("fgetc", c, model_fgetc(p->got))) return false;
    if (one_in(r, 2)) return same_number("ungetc", ungetc(c, p->expected), model_ungetc(c, p->got));
    int count = between(r, 1, 40);
    for (int i = 0; i < count; i++) {
        c = one_in(r, 10) ? EOF : between(r, 0, 255);
        if (!same_number("ungetc", ungetc(c, p->expected), model_ungetc(c, p->got)) || !same_state(p)) return false;
    }
    for (int i = 0; i < count; i++)
        if (!same_number("fgetc", fgetc(p->expected), model_fgetc(p->got))) return false;
    return true;
}

static bool op_fscanf(Random *r, Pair *p)
{
    step("fscanf ");
    (void)r;
    int a = 5, b = 5;
    return same_number("fscanf", fscanf(p->expected, "%d", &a), model___isoc99_fscanf(p->got, "%d", &b)) && same_number("fscanf", a, b);
}

static bool op_getw(Random *r, Pair *p)
{
    step("getw ");
    (void)r;
    return same_number("getw", getw(p->expected), model_getw(p->got));
}

static bool op_putc(Random *r, Pair *p)
{
    int c = one_in(r, 4) ? '\n' : between(r, 0, 255);
    step("putc(%d) ", c);
    switch (below(r, 4)) {
    case 0: return same_number("fputc", fputc(c, p->expected), model_fputc(c, p->got));
    case 1: return same_number("putc", putc(c, p->expected), model_putc(c, p->got));
    case 2: return same_number("fputc_unlocked", fputc_unlocked(c, p->expected), model_fputc_unlocked(c, p->got));
    default: return same_number("_IO_putc", putc(c, p->expected), model__IO_putc(c, p->got));
    }
}

static bool op_fputs(Random *r, Pair *p)
{
    step("fputs ");
    char *text = random_text(r, 0, 30);
    if (*text && one_in(r, 3)) text[below(r, strlen(text))] = '\n';
    int y = one_in(r, 2) ? model_fputs(text, p->got) : model_fputs_unlocked(text, p->got);
    return same_number("fputs", fputs(text, p->expected), y);
}

static bool op_fwrite(Random *r, Pair *p)
{
    size_t size = 1 + below(r, 3), count = below(r, one_in(r, 6) ? BIG / 3 : 30);
    step("fwrite(%zu*%zu) ", size, count);
    char *from = guarded(0, size * count);
    fill_random(r, from, size * count);
    for (size_t i = below(r, 3); i > 0 && count; i--) from[below(r, size * count)] = '\n';
    size_t y = one_in(r, 2) ? model_fwrite(from, size, count, p->got) : model_fwrite_unlocked(from, size, count, p->got);
    return same_number("fwrite", (int64_t)fwrite(from, size, count, p->expected), (int64_t)y);
}

static bool op_fprintf(Random *r, Pair *p)
{
    int value = (int)any_bits(r), width = between(r, 0, one_in(r, 10) ? 3000 : 10);
    step("fprintf(%d,%d) ", width, value);
    const char *end = one_in(r, 2) ? "\n" : "";
    return same_number("fprintf", fprintf(p->expected, "%*d,%s", width, value, end), model_fprintf(p->got, "%*d,%s", width, value, end));
}

static bool op_putw(Random *r, Pair *p)
{
    step("putw ");
    int value = (int)any_bits(r);
    return same_number("putw", putw(value, p->expected), model_putw(value, p->got));
}

static bool op_seek(Random *r, Pair *p)
{
    int whence = (int)below(r, 3);
    long offset = between(r, one_in(r, 6) ? -3000 : -10, one_in(r, 6) ? 6000 : 30);
    if (whence == SEEK_END && offset > 0) offset = -offset;
    step("fseek(%ld,%d) ", offset, whence);
    errno = model_clew__errno = 0;
    int x = one_in(r, 2) ? fseek(p->expected, offset, whence) : fseeko(p->expected, offset, whence);
    int expected_errno = errno, y = one_in(r, 2) ? model_fseek(p->got, offset, whence) : model_fseeko(p->got, offset, whence);
    return same_number("fseek", x, y) && (x == 0 || same_number("fseek's errno", expected_errno, model_clew__errno));
}

static bool op_rewind(Random *r, Pair *p)
{
    step("rewind ");
    (void)r;
    rewind(p->expected);
    model_rewind(p->got);
    return true;
}

static bool op_position(Random *r, Pair *p)
{
    step("fgetpos/fsetpos ");
    (void)r;
    fpos_t a, b;
    if (!same_number("fgetpos", fgetpos(p->expected, &a), model_fgetpos(p->got, &b))) return false;
    return same_number("fsetpos", fsetpos(p->expected, &a), model_fsetpos(p->got, &b));
}

static bool op_flush(Random *r, Pair *p)
{
    step("fflush ");
    (void)r;
    return same_number("fflush", fflush(p->expected), model_fflush(p->got));
}

static bool op_clear(Random *r, Pair *p)
{
    step("clearerr ");
    (void)r;
    clearerr(p->expected);
    model_clearerr(p->got);
    return true;
}

typedef bool (*Operation)(Random *r, Pair *p);
static const Operation reads[] = {op_getc, op_getc, op_fgets, op_fread, op_getline, op_ungetc, op_fscanf, op_getw};
static const Operation writes[] = {op_putc, op_putc, op_fputs, op_fwrite, op_fprintf, op_putw};
static const Operation others[] = {op_seek, op_rewind, op_position, op_flush, op_clear};
/* Between reading and writing C asks for one of these. */
static const Operation turns[] = {op_seek, op_rewind, op_position};

static bool same_file(const Pair *p)
{
    struct stat a, b;
    /* After a seek in a file open for both, glibc's buffer begins at a multiple of its size, and is full earlier. */
    if (!p->real || readable(p)) return true;
    fstat(p->expected_fd, &a);
    fstat(p->got_fd, &b);
    return same_number("size of the file", a.st_size, b.st_size);
}

static bool same_state(const Pair *p)
{
    return same_number("feof", feof(p->expected) != 0, model_feof(p->got) != 0) &&
           same_number("ferror", ferror(p->expected) != 0, model_ferror(p->got) != 0) && same_file(p);
}

static bool run_operations(Random *r, Pair *p, int count)
{
    bool writing = false;
    for (int i = 0; i < count; i++) {
        Operation operation;
        uint64_t what = below(r, 10);
        if (what < 7) {
            bool write = writable(p) && (!readable(p) || one_in(r, 2));
            if (write != writing && readable(p) && writable(p) && !turns[below(r, 3)](r, p)) return false;
            writing = write;
            operation = write ? writes[below(r, 6)] : reads[below(r, 8)];
        } else {
            operation = others[below(r, 5)];
        }
        if (!operation(r, p) || !same_state(p)) return false;
        if (one_in(r, 3)) step("ftell ");
        else continue;
        if (!same_number("ftell", ftell(p->expected), model_ftell(p->got))) return false;
    }
    return true;
}

/* ---- trials ---- */

static size_t initial_content(Random *r, char *bytes)
{
    size_t n = one_in(r, 4) ? below(r, BIG) : below(r, 60);
    fill_random(r, bytes, n);
    for (size_t i = 0; i < n; i += 1 + below(r, 40)) bytes[i] = '\n';
    return n;
}

static int file_with(const char *bytes, size_t n)
{
    int fd = memfd_create("models-test", 0);
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n) {
        perror("memfd");
        exit(2);
    }
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void choose_mode(Random *r, Pair *p)
{
    static const char *modes[] = {"r", "w", "a", "r+", "w+", "a+"};
    strcpy(p->mode, modes[below(r, 6)]);
    step("mode %s: ", p->mode);
}

static void choose_buffering(Random *r, Pair *p, char *a, char *b)
{
    int mode = one_in(r, 3) ? _IOLBF : one_in(r, 2) ? _IONBF : _IOFBF;
    size_t size = 128 + below(r, 270);
    if (one_in(r, 2)) return;
    step("setvbuf(%d,%zu) ", mode, size);
    setvbuf(p->expected, mode == _IONBF ? NULL : a, mode, mode == _IONBF ? 0 : size);
    model_setvbuf(p->got, mode == _IONBF ? NULL : b, mode, mode == _IONBF ? 0 : size);
}

static bool same_contents(int a, int b)
{
    size_t n, m;
    char *x = read_whole(a, &n), *y = read_whole(b, &m);
    bool same = same_number("size in the end", (int64_t)n, (int64_t)m) && same_text("contents", x, y, n);
    free(x);
    free(y);
    return same;
}

static bool with_files(Random *r, bool by_path)
{
    static char bytes[BIG], a[400], b[400];
    size_t n = initial_content(r, bytes);
    Pair p = {.expected_fd = file_with(bytes, n), .got_fd = file_with(bytes, n), .real = true};
    choose_mode(r, &p);
    char expected_path[64], got_path[64];
    sprintf(expected_path, "/proc/self/fd/%d", p.expected_fd);
    sprintf(got_path, "/proc/self/fd/%d", p.got_fd);
    p.expected = by_path ? fopen(expected_path, p.mode) : fdopen(dup(p.expected_fd), p.mode);
    p.got = by_path ? model_fopen(got_path, p.mode) : model_fdopen(dup(p.got_fd), p.mode);
    choose_buffering(r, &p, a, b);
    bool same = run_operations(r, &p, between(r, 1, 25));
    same = same_number("fclose", fclose(p.expected), model_fclose(p.got)) && same;
    same = same && same_contents(p.expected_fd, p.got_fd);
    close(p.expected_fd);
    close(p.got_fd);
    return same;
}

static bool trial_fopen(Random *r)
{
    return with_files(r, true);
}

static bool trial_fdopen(Random *r)
{
    return with_files(r, false);
}

/* Exploring: the file is one of inputs for the library; whatever it writes stays in memory. */
static bool explored(Random *r, bool all_symbolic)
{
    static char bytes[BIG], a[400], b[400];
    static unsigned serial;
    size_t n = initial_content(r, bytes);
    Pair p = {.expected_fd = file_with(bytes, n), .got_fd = -1};
    char path[64], name[64];
    sprintf(path, "/proc/self/fd/%d", p.expected_fd);
    sprintf(name, "input-%u", serial++);
    choose_mode(r, &p);
    host = (Host){.all_symbolic = all_symbolic,
                  .symbolic_path = name,
                  .symbolic_bytes = (unsigned char *)guarded_copy(3, bytes, n),
                  .symbolic_size = n};
    p.expected = fopen(path, p.mode);
    p.got = model_fopen(name, p.mode);
    choose_buffering(r, &p, a, b);
    bool same = run_operations(r, &p, between(r, 1, 25));
    same = same_number("fclose", fclose(p.expected), model_fclose(p.got)) && same;
    size_t size;
    char *contents = read_whole(p.expected_fd, &size), *again = malloc(size + 1);
    FILE *f = model_fopen(name, "r");
    size_t got = model_fread(again, 1, size + 1, f);
    model_fclose(f);
    same = same && same_number("size in the end", (int64_t)size, (int64_t)got) && same_text("contents", contents, again, size);
    free(contents);
    free(again);
    close(p.expected_fd);
    return same;
}

static bool trial_symbolic_file(Random *r)
{
    return explored(r, one_in(r, 2));
}

static bool trial_freopen(Random *r)
{
    static char bytes[BIG];
    size_t n = initial_content(r, bytes);
    Pair p = {.expected_fd = file_with(bytes, n), .got_fd = file_with(bytes, n), .real = true};
    char expected_path[64], got_path[64];
    sprintf(expected_path, "/proc/self/fd/%d", p.expected_fd);
    sprintf(got_path, "/proc/self/fd/%d", p.got_fd);
    p.expected = fopen(expected_path, "r+");
    p.got = model_fopen(got_path, "r+");
    strcpy(p.mode, "r+");
    bool same = run_operations(r, &p, between(r, 0, 5));
    choose_mode(r, &p);
    int expected_number = fileno(p.expected), got_number = model_fileno(p.got);
    p.expected = freopen(expected_path, p.mode, p.expected);
    p.got = model_freopen(got_path, p.mode, p.got);
    same = same && same_number("number kept", fileno(p.expected) == expected_number, model_fileno(p.got) == got_number);
    same = same && run_operations(r, &p, between(r, 0, 8));
    fclose(p.expected);
    model_fclose(p.got);
    same = same && same_contents(p.expected_fd, p.got_fd);
    close(p.expected_fd);
    close(p.got_fd);
    return same;
}

static bool trial_tmpfile(Random *r)
{
    Pair p = {.expected = tmpfile(), .got = model_tmpfile(), .mode = "w+"};
    bool same = run_operations(r, &p, 10);
    fclose(p.expected);
    model_fclose(p.got);
    return same;
}

static bool trial_open_memstream(Random *r)
{
    char *a = NULL, *b = NULL;
    size_t n = 0, m = 0;
    Pair p = {.expected = open_memstream(&a, &n), .got = model_open_memstream(&b, &m), .mode = "w"};
    bool same = true;
    for (int i = between(r, 0, 12); i > 0 && same; i--) {
        same = writes[below(r, 6)](r, &p);
        if (same && one_in(r, 3)) {
            fflush(p.expected);
            model_fflush(p.got);
            same = same_number("length", (int64_t)n, (int64_t)m) && same_text("text", a, b, n + 1);
        }
    }
    fclose(p.expected);
    model_fclose(p.got);
    same = same && same_number("length", (int64_t)n, (int64_t)m) && same_text("text", a, b, n + 1);
    free(a);
    free(b);
    return same;
}

static bool trial_fmemopen(Random *r)
{
    size_t size = 1 + below(r, 50);
    char a[64], b[64];
    memset(a, 0, sizeof a);
    fill_random(r, a, size);
    if (one_in(r, 2)) a[below(r, size)] = 0;
    memcpy(b, a, sizeof a);
    Pair p = {.mode = "r"};
    choose_mode(r, &p);
    p.expected = fmemopen(a, size, p.mode);
    p.got = model_fmemopen(b, size, p.mode);
    bool same = true;
    for (int i = between(r, 0, 6); i > 0 && same; i--) {
        if (readable(&p) && p.mode[0] == 'r' && !writable(&p)) {
            same = reads[below(r, 4)](r, &p);
        } else {
            int c = between(r, 1, 255);
            same = same_number("fputc", fputc(c, p.expected), model_fputc(c, p.got)) && op_flush(r, &p);
        }
    }
    fclose(p.expected);
    model_fclose(p.got);
    return same && same_text("memory", a, b, sizeof a);
}

static bool trial_dprintf(Random *r)
{
    int a = file_with("", 0), b = file_with("", 0), width = between(r, 0, one_in(r, 10) ? 3000 : 20);
    char *text = random_text(r, 0, 30);
    bool same = same_number("dprintf", dprintf(a, "%*d %s", width, 7, text), model_dprintf(b, "%*d %s", width, 7, text)) &&
                same_contents(a, b);
    close(a);
    close(b);
    return same;
}

/* Modes that cannot be, files that are not there, descriptors that do not allow it. */
static bool trial_failures(Random *r)
{
    static const char *modes[] = {"", "x", "rw", "r", "w", "rb+", "+r", "r,ccs=x", "re", "wx"},
                      *paths[] = {"/nonexistent/x", "/", "/proc/self/mem/x", "/dev/null", ""};
    const char *mode = modes[below(r, 10)], *path = paths[below(r, 5)];
    errno = model_clew__errno = 0;
    if (!strcmp(mode, "r,ccs=x")) mode = "r";
    FILE *a = fopen(path, mode);
    int expected_errno = errno;
    FILE *b = model_fopen(path, mode);
    bool same = same_number("fopen", !a, !b) && (a || same_number("fopen's errno", expected_errno, model_clew__errno));
    if (a) fclose(a);
    if (b) model_fclose(b);
    int fd = open("/dev/null", one_in(r, 2) ? O_RDONLY : O_WRONLY);
    a = fdopen(fd, mode);
    expected_errno = errno;
    b = model_fdopen(fd, mode);
    same = same && same_number("fdopen", !a, !b) && (a || same_number("fdopen's errno", expected_errno, model_clew__errno));
    if (a) {
        int c = between(r, 0, 1) ? fputc('x', a) : fgetc(a);
        (void)c;
        fclose(a);
    }
    if (b) model_fclose(b);
    if (!a) close(fd);
    return same || differ("\"%s\" \"%s\"", path, mode);
}

const Trial stdio_trials[] = {TRIAL(fopen),          TRIAL(fdopen),   TRIAL(symbolic_file), TRIAL(freopen),  SLOW_TRIAL(tmpfile, 5),
                              TRIAL(open_memstream), TRIAL(fmemopen), TRIAL(dprintf),       TRIAL(failures), {NULL, NULL, 0}};
