/* compile_commands.json: which files a project compiles, where, and with which flags.  Only flags that change the meaning of a file are
 * taken over; what concerns output, optimisation and dependency files is not.  A file that is listed twice (for two targets) counts
 * once, as it is listed first. */
#include "front/front_int.h"

#include <jansson.h>
#include <stdlib.h>

typedef Vec(char *) Strings;

static void split_command(const char *text, Strings *words)
{
    words->data = text_words(text, &words->len);
    words->cap = words->len;
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Flags whose value may be the next word. */
static bool takes_value(const char *flag)
{
    static const char *const flags[] = {"-I",      "-D",         "-U",        "-include", "-imacros", "-isystem",
                                        "-iquote", "-idirafter", "-isysroot", "-x",       "-Xclang",  "-Xpreprocessor"};
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        if (strcmp(flag, flags[i]) == 0) return true;
    return false;
}

static bool is_kept(const char *flag)
{
    static const char *const prefixes[] = {
        "-I",        "-D", "-U", "-std=", "-ansi", "-include", "-imacros",  "-isystem", "-iquote",        "-idirafter",
        "-isysroot", "-f", "-m", "-W",    "-w",    "-pthread", "-nostdinc", "-x",       "-Xpreprocessor", "-pedantic"};
    static const char *const not [] = {"-Wl,",       "-Wa,",          "-flto",         "-fprofile", "-fcoverage", "-ftest-coverage",
                                       "-fsanitize", "-fno-sanitize", "-fdiagnostics", "-Werror",   "-fdump",     "-fuse-ld"};
    for (size_t i = 0; i < COUNT_OF(not ); i++)
        if (starts_with(flag, not [i])) return false;
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (starts_with(flag, prefixes[i])) return true;
    return false;
}

static void select_flags(const Strings *words, Source *source)
{
    Strings kept = {0};
    for (uint32_t i = 1; i < words->len; i++) {
        const char *word = words->data[i];
        bool pair = takes_value(word) && i + 1 < words->len;
        if (is_kept(word)) {
            vec_push(&kept, mem_strdup(word));
            if (pair) vec_push(&kept, mem_strdup(words->data[i + 1]));
        }
        if (pair) i++;
    }
    source->flags = kept.data;
    source->flag_count = kept.len;
}

/* The file behind a path that may be relative to the entry's directory; NULL if there is none. */
static char *real_file(const Source *source)
{
    if (source->path[0] == '/' || !source->directory) return realpath(source->path, NULL);
    char *joined = mem_format("%s/%s", source->directory, source->path), *real = realpath(joined, NULL);
    free(joined);
    return real;
}

static bool same_file(const Source *a, const Source *b)
{
    char *x = real_file(a), *y = real_file(b);
    bool same = x && y ? strcmp(x, y) == 0 : strcmp(a->path, b->path) == 0;
    free(x);
    free(y);
    return same;
}

static void add_source(Sources *sources, Source source)
{
    for (uint32_t i = 0; i < sources->list.len; i++) {
        if (!same_file(&sources->list.data[i], &source)) continue;
        for (uint32_t k = 0; k < source.flag_count; k++) free(source.flags[k]);
        free(source.flags);
        free(source.path);
        free(source.directory);
        return;
    }
    vec_push(&sources->list, source);
}

static bool is_c(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".i") == 0);
}

static Status read_words(json_t *entry, const char *path, size_t number, Strings *words, Error *error)
{
    json_t *arguments = json_object_get(entry, "arguments"), *command = json_object_get(entry, "command");
    if (json_is_string(command) && !json_is_array(arguments)) {
        split_command(json_string_value(command), words);
        return OK;
    }
    if (!json_is_array(arguments)) return fail(error, "%s: entry %zu has neither \"arguments\" nor \"command\"", path, number);
    for (size_t i = 0; i < json_array_size(arguments); i++) {
        const char *word = json_string_value(json_array_get(arguments, i));
        if (!word) return fail(error, "%s: entry %zu: \"arguments\" must be strings", path, number);
        vec_push(words, mem_strdup(word));
    }
    return OK;
}

/* A relative directory is relative to the file that names it. */
static char *directory_of(const char *path, const char *directory)
{
    const char *slash = strrchr(path, '/');
    if (directory && directory[0] == '/') return mem_strdup(directory);
    if (!slash) return directory ? mem_strdup(directory) : NULL;
    if (!directory || !directory[0]) return mem_format("%.*s", (int)(slash - path), path);
    return mem_format("%.*s/%s", (int)(slash - path), path, directory);
}

static Status read_entry(json_t *entry, const char *path, size_t number, Sources *sources, Error *error)
{
    const char *file = json_string_value(json_object_get(entry, "file"));
    if (!file) return fail(error, "%s: entry %zu has no \"file\"", path, number);
    if (!is_c(file)) return OK;
    Strings words = {0};
    Status status = read_words(entry, path, number, &words, error);
    if (status == OK) {
        Source source = {.path = mem_strdup(file)};
        source.directory = directory_of(path, json_string_value(json_object_get(entry, "directory")));
        select_flags(&words, &source);
        add_source(sources, source);
    }
    for (uint32_t i = 0; i < words.len; i++) free(words.data[i]);
    vec_release(&words);
    return status;
}

Status front__read_database(const char *path, Sources *sources, Error *error)
{
    json_error_t where;
    json_t *root = json_load_file(path, 0, &where);
    if (!root) return fail(error, "%s:%d: %s", path, where.line, where.text);
    Status status = OK;
    uint32_t before = sources->list.len;
    if (!json_is_array(root)) status = fail(error, "%s: a compilation database is a JSON array of commands", path);
    for (size_t i = 0; status == OK && i < json_array_size(root); i++)
        status = read_entry(json_array_get(root, i), path, i, sources, error);
    if (status == OK && sources->list.len == before) status = fail(error, "%s lists no C files", path);
    json_decref(root);
    return status;
}
