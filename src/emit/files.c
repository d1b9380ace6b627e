/* emit: files below the output directory.
 *
 * DIR/manifest lists the files that Clew has written, one a line.  A name is added before its file is first written, so that a call that is cut
 * off leaves nothing behind that a later one would not know.  Nothing else is ever removed. */
#include "emit/emit_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST "manifest"

static char *below(const Suite *suite, const char *path)
{
    return mem_format("%s/%s", suite->root, path);
}

/* A manifest that was tampered with must not make us touch other files. */
static bool is_safe(const char *path)
{
    if (!*path || *path == '/') return false;
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (strncmp(part, "..", 2) == 0 && (part[2] == 0 || part[2] == '/')) return false;
    return true;
}

Status emit__read(const char *path, StrBuf *text, Error *error)
{
    FILE *in = fopen(path, "rb");
    char buffer[65536];
    if (!in) return fail(error, "cannot read %s: %s", path, strerror(errno));
    strbuf_add(text, "");
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;) strbuf_add_bytes(text, buffer, n);
    bool failed = ferror(in);
    fclose(in);
    return failed ? fail(error, "cannot read %s", path) : OK;
}

/* Calls `visit` with each line. */
static void read_manifest(Suite *suite, void (*visit)(Suite *suite, const char *path))
{
    char *path = below(suite, MANIFEST), *rest;
    StrBuf text = {0};
    Error ignored;
    if (emit__read(path, &text, &ignored) == OK) {
        rest = text.text;
        for (char *line; (line = strsep(&rest, "\n")) != NULL;)
            if (is_safe(line)) visit(suite, line);
    }
    free(path);
    strbuf_release(&text);
}

static void know(Suite *suite, const char *path)
{
    if (!names_find(&suite->known, path)) names_put(&suite->known, path, 1);
}

void emit__open_manifest(Suite *suite)
{
    read_manifest(suite, know);
}

static Status add_to_manifest(Suite *suite, const char *path)
{
    if (names_find(&suite->known, path)) return OK;
    char *manifest = below(suite, MANIFEST);
    FILE *out = fopen(manifest, "a");
    bool failed = !out || fprintf(out, "%s\n", path) < 0;
    if (out && fclose(out) != 0) failed = true;
    Status status = failed ? fail(suite->error, "cannot write %s: %s", manifest, strerror(errno)) : OK;
    free(manifest);
    names_put(&suite->known, path, 1);
    return status;
}

static Status make_parents(Suite *suite, char *path)
{
    for (char *slash = strchr(path + strlen(suite->root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        if (failed) return fail(suite->error, "cannot make the directory %s: %s", path, strerror(errno));
        *slash = '/';
    }
    return OK;
}

static bool holds_already(const char *path, const StrBuf *text)
{
    StrBuf now = {0};
    Error ignored;
    struct stat status;
    bool same = stat(path, &status) == 0 && (size_t)status.st_size == text->len && emit__read(path, &now, &ignored) == OK &&
                now.len == text->len && memcmp(now.text, text->text, text->len) == 0;
    strbuf_release(&now);
    return same;
}

/* Aside, and renamed: a file is there whole or not at all. */
static Status replace_file(const char *path, const StrBuf *text, Error *error)
{
    char *aside = mem_format("%s.new", path);
    FILE *out = fopen(aside, "wb");
    bool failed = !out || fwrite(text->text ? text->text : "", 1, text->len, out) != text->len;
    if (out && fclose(out) != 0) failed = true;
    if (!failed && rename(aside, path) != 0) failed = true;
    Status status = failed ? fail(error, "cannot write %s: %s", path, strerror(errno)) : OK;
    if (failed) unlink(aside);
    free(aside);
    return status;
}

Status emit__write(Suite *suite, const char *path, const StrBuf *text)
{
    REQUIRE(is_safe(path), "a generated file lies below the output directory");
    if (add_to_manifest(suite, path) != OK) return FAILED;
    if (!names_find(&suite->written, path)) {
        names_put(&suite->written, path, 1);
        vec_push(&suite->files, mem_strdup(path));
    }
    char *full = below(suite, path);
    Status status = make_parents(suite, full);
    if (status == OK && !holds_already(full, text)) status = replace_file(full, text, suite->error);
    free(full);
    return status;
}

Status emit__write_text(Suite *suite, const char *path, const char *text)
{
    StrBuf buffer = {.text = (char *)(uintptr_t)text, .len = strlen(text)};
    return emit__write(suite, path, &buffer);
}

/* The file, and its directories if they are empty then. */
static void remove_file(const Suite *suite, const char *path)
{
    char *full = below(suite, path);
    unlink(full);
    for (char *slash; (slash = strrchr(full, '/')) != NULL && (size_t)(slash - full) > strlen(suite->root);) {
        *slash = 0;
        if (rmdir(full) != 0) break;
    }
    free(full);
}

static void remove_unwritten(Suite *suite, const char *path)
{
    if (!names_find(&suite->written, path)) remove_file(suite, path);
}

Status emit__close_manifest(Suite *suite)
{
    StrBuf lines = {0};
    read_manifest(suite, remove_unwritten);
    for (uint32_t i = 0; i < suite->files.len; i++) strbuf_addf(&lines, "%s\n", suite->files.data[i]);
    char *path = below(suite, MANIFEST);
    Status status = replace_file(path, &lines, suite->error);
    free(path);
    strbuf_release(&lines);
    return status;
}
