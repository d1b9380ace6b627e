/* Which files a directory or a compilation database holds, and which of them look like tests, examples or the code of others.
 *
 * A directory with a compile_commands.json, of its own or in its folder build, is what that file lists.  Any other directory is searched to the
 * bottom for .c files; hidden folders, folders that a build system or Clew has filled, and links are not entered. */
#include "front/project_int.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 16, MOST_FILES = 20000 }; /* guesses: no project that people read is deeper or larger */

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n > k && strcmp(path + n - k, ending) == 0;
}

/* ---- the walk ---- */

static bool has_file(const char *directory, const char *name)
{
    char *path = mem_format("%s/%s", directory, name);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

/* Not the sources of anybody: what CMake, Meson or Clew has made. */
static bool is_made(const char *directory)
{
    static const char *const marks[] = {"CMakeCache.txt", "meson-info", "ledger.db"};
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (has_file(directory, marks[i])) return true;
    return ends_with(directory, "/CMakeFiles");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void walk(ProjectFiles *files, const char *directory, uint32_t depth);

static void walk_entry(ProjectFiles *files, char *path, uint32_t depth)
{
    struct stat info;
    bool known = lstat(path, &info) == 0, is_file = known && S_ISREG(info.st_mode);
    if (known && S_ISDIR(info.st_mode) && !is_made(path)) walk(files, path, depth + 1);
    if (is_file && ends_with(path, ".h")) vec_push(&files->headers, mem_strdup(path));
    if (is_file && ends_with(path, ".c") && files->sources.list.len < MOST_FILES)
        vec_push(&files->sources.list, ((Source){.path = mem_strdup(path), .found = true}));
    free(path);
}

static void walk(ProjectFiles *files, const char *directory, uint32_t depth)
{
    DIR *stream = depth < DEEPEST ? opendir(directory) : NULL;
    if (!stream) return;
    Vec(char *) names = {0};
    bool here = strcmp(directory, ".") == 0;
    for (struct dirent *entry; (entry = readdir(stream));)
        if (entry->d_name[0] != '.') vec_push(&names, here ? mem_strdup(entry->d_name) : mem_format("%s/%s", directory, entry->d_name));
    closedir(stream);
    if (names.len) qsort(names.data, names.len, sizeof *names.data, by_name);
    for (uint32_t i = 0; i < names.len; i++) walk_entry(files, names.data[i], depth);
    vec_release(&names);
}

static char *database_in(const char *directory)
{
    static const char *const places[] = {"compile_commands.json", "build/compile_commands.json"};
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (has_file(directory, places[i])) return mem_format("%s/%s", directory, places[i]);
    return NULL;
}

static Status add_database(ProjectFiles *files, const char *path, Error *error)
{
    uint32_t first = files->sources.list.len;
    if (front__read_database(path, &files->sources, error) != OK) return FAILED;
    for (uint32_t i = first; i < files->sources.list.len; i++) files->sources.list.data[i].found = true;
    files->database = true;
    return OK;
}

static Status add_directory(ProjectFiles *files, const char *directory, Error *error)
{
    char *path = mem_strdup(directory), *database = database_in(directory);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--) path[n - 1] = 0;
    Status status = OK;
    if (database) status = add_database(files, database, error);
    else walk(files, path, 0);
    free(database);
    free(path);
    return status;
}

Status front__project_files(const FrontOptions *options, ProjectFiles *files, Error *error)
{
    for (uint32_t i = 0; i < options->file_count; i++) {
        const char *path = options->files[i];
        struct stat info;
        if (stat(path, &info) != 0) return fail(error, "cannot open %s: %s", path, strerror(errno));
        FrontOptions one = {.files = &options->files[i], .file_count = 1};
        Status status = S_ISDIR(info.st_mode)      ? add_directory(files, path, error)
                        : ends_with(path, ".json") ? add_database(files, path, error)
                                                   : front__collect_sources(&one, &files->sources, error);
        if (status != OK) return FAILED;
    }
    return OK;
}

void front__project_files_release(ProjectFiles *files)
{
    for (uint32_t i = 0; i < files->headers.len; i++) free(files->headers.data[i]);
    vec_release(&files->headers);
    front__release_sources(&files->sources);
}

/* ---- names that say what a file is for ---- */

static const char *const folders[] = {"test",     "tests",      "testing", "testsuite", "unittest",   "unittests",    "unit_tests",
                                      "example",  "examples",   "sample",  "samples",   "demo",       "demos",        "bench",
                                      "benches",  "benchmark",  "fuzz",    "fuzzing",   "fuzzer",     "fuzzers",      "ossfuzz",
                                      "oss-fuzz", "benchmarks", "doc",     "docs",      "contrib",    "third_party",  "thirdparty",
                                      "3rdparty", "vendor",     "vendors", "external",  "deps",       "submodules",   "cmake",
                                      "scripts",  "old",        "attic",   "misc",      "playground", "test_package", "t"};
static const char *const words[] = {"test",      "tests", "unittest", "example", "examples", "sample",    "demo", "bench",
                                    "benchmark", "fuzz",  "fuzzer",   "smoke",   "tester",   "profiling", "unit"};

static bool is_among(const char *text, size_t n, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == n && strncasecmp(text, list[i], n) == 0) return true;
    return false;
}

bool front__in_side_folder(const char *path)
{
    for (const char *slash; (slash = strchr(path, '/')); path = slash + 1)
        if (is_among(path, (size_t)(slash - path), folders, COUNT_OF(folders))) return true;
    return false;
}

bool front__is_side_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return is_among(name, strcspn(name, "."), words, COUNT_OF(words));
}

/* "example2.c", "test_parser.c", "run-tests.c": one of the words, without digits, stands in the name. */
bool front__has_side_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *at = slash ? slash + 1 : path;
    while (*at && *at != '.') {
        size_t n = 0;
        while (isalpha((unsigned char)at[n])) n++;
        if (is_among(at, n, words, COUNT_OF(words))) return true;
        at += n ? n : 1;
    }
    return false;
}
