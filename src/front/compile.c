/* Sources: which files there are, and turning those in C into bitcode by running clang-19, as many at a time as there are processors.  The
 * compiler's messages go to stderr untouched.  Results are files in a scratch directory that lives as long as the Sources. */
#include "front/front_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_NOT_FOUND = 127, EXIT_NO_DIRECTORY = 126 };

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), k = strlen(suffix);
    return n > k && strcmp(path + n - k, suffix) == 0;
}

bool front__is_header(const char *path)
{
    return has_suffix(path, ".h");
}

static void add_file(Sources *sources, const char *path)
{
    Source source = {.path = mem_strdup(path), .is_bitcode = has_suffix(path, ".bc") || has_suffix(path, ".ll")};
    if (source.is_bitcode) source.bitcode = mem_strdup(path);
    vec_push(&sources->list, source);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static Status add_directory(Sources *sources, const char *path, Error *error)
{
    char *database = mem_format("%s/compile_commands.json", path);
    bool has_database = access(database, F_OK) == 0;
    Status status = has_database ? front__read_database(database, sources, error) : OK;
    free(database);
    if (has_database) return status;
    DIR *directory = opendir(path);
    if (!directory) return fail(error, "cannot read directory %s: %s", path, strerror(errno));
    Vec(char *) names = {0};
    for (struct dirent *entry; (entry = readdir(directory));)
        if (has_suffix(entry->d_name, ".c")) vec_push(&names, mem_format("%s/%s", path, entry->d_name));
    closedir(directory);
    if (names.len) qsort(names.data, names.len, sizeof *names.data, by_name);
    for (uint32_t i = 0; i < names.len; i++) {
        add_file(sources, names.data[i]);
        free(names.data[i]);
    }
    if (!names.len) status = fail(error, "directory %s has neither compile_commands.json nor .c files; name the files to test", path);
    vec_release(&names);
    return status;
}

static Status add_path(Sources *sources, const char *path, Error *error)
{
    struct stat info;
    if (stat(path, &info) != 0) return fail(error, "cannot open %s: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode)) return add_directory(sources, path, error);
    if (has_suffix(path, ".json")) return front__read_database(path, sources, error);
    const char *known[] = {".c", ".h", ".i", ".bc", ".ll"};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (has_suffix(path, known[i])) {
            add_file(sources, path);
            return OK;
        }
    return fail(error, "%s is not a kind of file Clew reads; give .c, .h, .i, .bc or .ll files, a directory, or compile_commands.json",
                path);
}

Status front__collect_sources(const FrontOptions *options, Sources *sources, Error *error)
{
    if (options->project) {
        front__project_sources(options->project, sources);
        return OK;
    }
    if (!options->file_count) return fail(error, "no input files; name at least one .c file");
    for (uint32_t i = 0; i < options->file_count; i++)
        if (add_path(sources, options->files[i], error) != OK) return FAILED;
    return OK;
}

/* ---- running the compiler ---- */

/* Flags that concern linking are the caller's business; optimisation would remove the branches that are to be tested.  How many words the
 * flag has, if it is one of those. */
uint32_t front__dropped_words(const char *flag)
{
    static const char *const pairs[] = {"-l", "-L", "-o", "-Xlinker", "-T"};
    static const char *const prefixes[] = {"-l", "-L", "-Wl,", "-O"};
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        if (strcmp(flag, pairs[i]) == 0) return 2;
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (strncmp(flag, prefixes[i], strlen(prefixes[i])) == 0) return 1;
    return strcmp(flag, "-c") == 0;
}

const char *const front__old_style[] = {"implicit-function-declaration",
                                        "implicit-int",
                                        "int-conversion",
                                        "incompatible-pointer-types",
                                        "incompatible-function-pointer-types",
                                        "return-mismatch",
                                        NULL};

static void allow_old_style(Words *words)
{
    static const char *const flags[] = {"-Wno-error=implicit-function-declaration",
                                        "-Wno-error=implicit-int",
                                        "-Wno-error=int-conversion",
                                        "-Wno-error=incompatible-pointer-types",
                                        "-Wno-error=incompatible-function-pointer-types",
                                        "-Wno-error=return-mismatch"};
    static_assert(COUNT_OF(flags) + 1 == COUNT_OF(front__old_style), "one for each");
    for (size_t i = 0; i < COUNT_OF(flags); i++) vec_push(words, flags[i]);
}

/* Warnings are shown to those who ask for some. */
static bool wants_warnings(const FrontOptions *options)
{
    for (uint32_t i = 0; i < options->flag_count; i++)
        if (strncmp(options->flags[i], "-W", 2) == 0) return true;
    return options->verbose;
}

static const char *harness_of(const FrontOptions *options, uint32_t source)
{
    for (uint32_t i = 0; i < options->harness_count; i++)
        if (options->harnesses[i].source == source) return options->harnesses[i].path;
    return NULL;
}

/* A harness, and functions that compute a verifier's conditions, see what the source declares.  So the compiler gets one text, which includes the source under
 * its own name and goes on with them: the source's lines keep their file and their numbers. */
static void compiler_command(const FrontOptions *options, const Source *source, const char *harness, Words *words)
{
    static const char *const before[] = {COMPILER, "-D__NO_CTYPE"};
    static const char *const after[] = {"-O0",
                                        "-Xclang",
                                        "-disable-O0-optnone",
                                        "-Xclang",
                                        "-disable-llvm-passes", /* else functions that ask for it are inlined, and branches copied */
                                        "-g",
                                        "-fno-discard-value-names",
                                        "-ffine-grained-bitfield-accesses", /* else neighbours are read as one integer, of 200 bits even */
                                        "-Wno-unused-command-line-argument",
                                        "-emit-llvm",
                                        "-c",
                                        "-o"};
    for (size_t i = 0; i < COUNT_OF(before); i++) vec_push(words, before[i]);
    allow_old_style(words);
    for (uint32_t i = 0; i < source->flag_count; i++) vec_push(words, source->flags[i]);
    for (uint32_t i = 0; i < options->flag_count;) {
        uint32_t dropped = front__dropped_words(options->flags[i]);
        if (!dropped) vec_push(words, options->flags[i]);
        i += dropped ? dropped : 1;
    }
    if (options->include_dir) {
        vec_push(words, "-idirafter");
        vec_push(words, options->include_dir);
    }
    if (!wants_warnings(options)) vec_push(words, "-w");
    for (size_t i = 0; i < COUNT_OF(after); i++) vec_push(words, after[i]);
    vec_push(words, source->bitcode);
    const char *const parts[] = {source->path, source->conditions, harness};
    const char *last = harness ? harness : source->conditions ? source->conditions : source->path;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (!parts[i] || parts[i] == last) continue;
        vec_push(words, "-include");
        vec_push(words, parts[i]);
    }
    if (front__is_header(last)) {
        vec_push(words, "-x");
        vec_push(words, "c");
    }
    vec_push(words, last);
}

static void print_command(const Words *words)
{
    for (uint32_t i = 0; i < words->len; i++) fprintf(stderr, "%s%s", i ? " " : "", words->data[i]);
    fputc('\n', stderr);
}

/* The compiler's messages of a source with a harness go to a file first, if the caller wants to know of its errors. */
static char *messages_path(const Source *source)
{
    return mem_format("%s.messages", source->bitcode);
}

static void redirect_messages(const Source *source)
{
    char *path = messages_path(source);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0) dup2(file, STDERR_FILENO);
    free(path);
}

static pid_t start_compiler(const FrontOptions *options, const Source *source, const char *harness)
{
    Words words = {0};
    compiler_command(options, source, harness, &words);
    if (options->verbose) print_command(&words);
    vec_push(&words, NULL);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (harness && options->on_fault) redirect_messages(source);
        if (source->directory && chdir(source->directory) != 0) _exit(EXIT_NO_DIRECTORY);
        execvp(words.data[0], (char **)words.data);
        _exit(EXIT_NOT_FOUND);
    }
    vec_release(&words);
    return child;
}

static Status explain(const Source *source, int status, Error *error)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_FOUND)
        return fail(error, "cannot run " COMPILER " to compile %s; install it (Debian: apt install " COMPILER ")", source->path);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_DIRECTORY && source->directory)
        return fail(error, "cannot compile %s: its directory %s does not exist", source->path, source->directory);
    if (WIFSIGNALED(status)) return fail(error, "the compiler died of signal %d on %s", WTERMSIG(status), source->path);
    return fail(error,
                "cannot compile %s; the compiler's messages are above (missing -I or -D flags can be given to clew as "
                "to a compiler)",
                source->path);
}

/* "PATH:LINE:COLUMN: error: TEXT" where PATH is the harness; returns whether there was one. */
static bool tell_fault(const FrontOptions *options, uint32_t source, const char *harness, char *line)
{
    size_t n = strlen(harness);
    char *text = strstr(line, "error: ");
    if (!text || strncmp(line, harness, n) != 0 || line[n] != ':') return false;
    text[strcspn(text, "\n")] = 0;
    options->on_fault(options->on_fault_data, source, (uint32_t)strtoul(line + n + 1, NULL, 10), text + strlen("error: "));
    return true;
}

/* Returns true if the compiler objects to the harness; else its messages are printed as if they had never been in a file. */
static bool tell_faults(const FrontOptions *options, const Source *source, uint32_t index, bool failed)
{
    const char *harness = harness_of(options, index);
    if (!harness || !options->on_fault) return false;
    char *path = messages_path(source), *line = NULL;
    FILE *file = fopen(path, "r");
    size_t capacity = 0;
    bool found = false;
    while (failed && file && getline(&line, &capacity, file) >= 0) found |= tell_fault(options, index, harness, line);
    if (file) rewind(file);
    while (!found && file && getline(&line, &capacity, file) >= 0) fputs(line, stderr);
    if (file) fclose(file);
    unlink(path);
    free(line);
    free(path);
    return found;
}

typedef struct Jobs {
    pid_t *children; /* by source; 0: not running */
    uint32_t running;
} Jobs;

static Status wait_for_one(const FrontOptions *options, const Sources *sources, Jobs *jobs, Error *error)
{
    /* Only our own children are waited for: the caller may have others. */
    for (;;) {
        for (uint32_t i = 0; i < sources->list.len; i++) {
            int status;
            if (!jobs->children[i]) continue;
            pid_t done = waitpid(jobs->children[i], &status, jobs->running > 1 ? WNOHANG : 0);
            if (done == 0 || (done < 0 && errno == EINTR)) continue;
            jobs->children[i] = 0;
            jobs->running--;
            if (done < 0) return fail(error, "lost the compiler of %s: %s", sources->list.data[i].path, strerror(errno));
            bool failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
            if (tell_faults(options, &sources->list.data[i], i, failed))
                return fail(error, "the code that calls functions of %s does not compile", sources->list.data[i].path);
            return explain(&sources->list.data[i], status, error);
        }
        usleep(500);
    }
}

static Status write_conditions(const FrontOptions *options, Sources *sources, uint32_t i, Error *error)
{
    StrBuf text = {0};
    Status status = OK;
    Source *source = &sources->list.data[i];
    if (front__write_conditions(options->results, i, &text)) {
        source->conditions = mem_format("%s/%u_conditions.c", sources->scratch, i);
        FILE *out = fopen(source->conditions, "w");
        bool written = out && fwrite(text.text, 1, text.len, out) == text.len;
        if (out) written &= fclose(out) == 0;
        if (!written) status = fail(error, "cannot write %s: %s", source->conditions, strerror(errno));
    }
    strbuf_release(&text);
    return status;
}

static Status start_one(const FrontOptions *options, Sources *sources, uint32_t i, Jobs *jobs, Error *error)
{
    Source *source = &sources->list.data[i];
    if (write_conditions(options, sources, i, error) != OK) return FAILED;
    source->bitcode = mem_format("%s/%u.bc", sources->scratch, i);
    pid_t child = start_compiler(options, source, harness_of(options, i));
    if (child < 0) return fail(error, "cannot start the compiler for %s: %s", source->path, strerror(errno));
    jobs->children[i] = child;
    jobs->running++;
    return OK;
}

/* ---- paths: a compilation database makes the compiler run elsewhere, so what the user named from here must be named in full ---- */

static char *absolute(const char *path)
{
    char *full = path[0] == '/' ? NULL : realpath(path, NULL);
    return full ? full : mem_strdup(path);
}

static bool names_a_path(const char *flag)
{
    static const char *const flags[] = {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"};
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        if (strcmp(flag, flags[i]) == 0) return true;
    return false;
}

static FrontOptions with_absolute_paths(const FrontOptions *options)
{
    FrontOptions full = *options;
    full.include_dir = options->include_dir ? absolute(options->include_dir) : NULL;
    full.flags = mem_alloc(options->flag_count * sizeof *full.flags);
    for (uint32_t i = 0; i < options->flag_count; i++) {
        const char *flag = options->flags[i];
        if (strncmp(flag, "-I", 2) == 0 && flag[2]) {
            char *path = absolute(flag + 2);
            full.flags[i] = mem_format("-I%s", path);
            free(path);
        } else {
            full.flags[i] = i && names_a_path(options->flags[i - 1]) ? absolute(flag) : mem_strdup(flag);
        }
    }
    return full;
}

static void release_options(FrontOptions *options)
{
    for (uint32_t i = 0; i < options->flag_count; i++) free((char *)options->flags[i]);
    free(options->flags);
    free((char *)options->include_dir);
}

Status front__compile(const FrontOptions *options, Sources *sources, Error *error)
{
    FrontOptions full = with_absolute_paths(options);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t most = processors > 0 ? (uint32_t)processors : 1, n = sources->list.len;
    Jobs jobs = {.children = mem_alloc(n * sizeof *jobs.children)};
    Status status = OK;
    for (uint32_t i = 0; i < n && status == OK; i++) {
        if (sources->list.data[i].is_bitcode) continue;
        if (!sources->scratch) status = scratch_new(&sources->scratch, error);
        while (status == OK && jobs.running >= most) status = wait_for_one(&full, sources, &jobs, error);
        if (status == OK) status = start_one(&full, sources, i, &jobs, error);
    }
    while (jobs.running) {
        Error other;
        if (wait_for_one(&full, sources, &jobs, status == OK ? error : &other) != OK) status = FAILED;
    }
    free(jobs.children);
    release_options(&full);
    return status;
}

void front__release_sources(Sources *sources)
{
    for (uint32_t i = 0; i < sources->list.len; i++) {
        Source *source = &sources->list.data[i];
        if (source->bitcode && !source->is_bitcode) unlink(source->bitcode);
        for (uint32_t k = 0; k < source->flag_count; k++) free(source->flags[k]);
        free(source->flags);
        free(source->path);
        free(source->directory);
        free(source->bitcode);
        if (source->conditions) unlink(source->conditions);
        free(source->conditions);
    }
    if (sources->scratch) rmdir(sources->scratch);
    free(sources->scratch);
    vec_release(&sources->list);
}
