/* emit: paths, and words for the shell and for make.
 *
 * A generated file names a source by the way from its own (real) directory to the source's (real) path, so that a folder which is kept in
 * the project can be moved with it. */
#include "emit/emit_int.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* "/a/./b/../c" to "/a/c", for a path that does not exist. */
static char *tidy(char *path)
{
    char *out = path;
    for (const char *in = path; *in;) {
        while (*in == '/') in++;
        size_t n = strcspn(in, "/");
        bool up = n == 2 && in[0] == '.' && in[1] == '.';
        if (up)
            while (out > path && *--out != '/') continue;
        else if (n > 0 && !(n == 1 && in[0] == '.')) {
            *out++ = '/';
            memmove(out, in, n);
            out += n;
        }
        in += n;
    }
    if (out == path) *out++ = '/';
    *out = 0;
    return path;
}

static char *join(const char *directory, const char *path)
{
    return path[0] == '/' ? mem_strdup(path) : mem_format("%s/%s", directory, path);
}

char *emit__absolute(const char *directory, const char *path)
{
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here)) strcpy(here, "/");
    char *base = join(here, directory ? directory : "."), *joined = join(base, path), *real = realpath(joined, NULL);
    free(base);
    if (!real) return tidy(joined);
    free(joined);
    return real;
}

char *emit__relative(const char *from, const char *to)
{
    REQUIRE(from[0] == '/' && to[0] == '/', "both paths are absolute");
    size_t same = 0; /* length of the common directories, with the slash after them */
    for (size_t i = 0;; i++) {
        bool from_ends = !from[i] || from[i] == '/', to_ends = !to[i] || to[i] == '/';
        if (from_ends && to_ends) same = i + 1;
        if (!from[i] || !to[i] || from[i] != to[i]) break;
    }
    StrBuf out = {0};
    size_t from_length = strlen(from), to_length = strlen(to);
    for (size_t i = same; i < from_length; i++)
        if (from[i] != '/' && (i == same || from[i - 1] == '/')) strbuf_add(&out, "../");
    strbuf_add(&out, same < to_length ? to + same : ".");
    return out.text;
}

char *emit__source_path(const Decls *decls, uint32_t source)
{
    assert(source < decls->source_count);
    return emit__absolute(decls->sources[source].directory, decls->sources[source].path);
}

bool emit__has_suffix(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    return *word && word[strspn(word, plain)] == 0;
}

void emit__shell_word(StrBuf *out, const char *word)
{
    if (is_plain(word)) {
        strbuf_add(out, word);
        return;
    }
    strbuf_add(out, "'");
    for (; *word; word++) {
        if (*word == '\'') strbuf_add(out, "'\\''");
        else strbuf_add_bytes(out, word, 1);
    }
    strbuf_add(out, "'");
}

void emit__make_word(StrBuf *out, const char *word)
{
    StrBuf quoted = {0};
    emit__shell_word(&quoted, word);
    for (const char *p = quoted.text; *p; p++) {
        if (*p == '$') strbuf_add(out, "$$");
        else if (*p == '#') strbuf_add(out, "\\#");
        else strbuf_add_bytes(out, p, 1);
    }
    strbuf_release(&quoted);
}
