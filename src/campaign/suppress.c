/* --suppress FILE: bugs that are known, and that the exit status and the list of bugs are not to speak of.
 *
 *     # a comment
 *     out-of-bounds  src/parse.c:read_name     the kind of a bug, its file, its function
 *     *              *:hash_*                  each may have * and ?
 *
 * A file is compared from its end, by whole names of folders: parse.c and src/parse.c both mean /home/me/src/parse.c.  Nothing is found, tested or
 * confirmed in another way because of such a file; only what is told differs.  An entry that matches no bug is told, so that the file does not outlive
 * the bugs. */
#include "campaign/campaign_int.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

static Status read_line(Campaign *c, const char *path, uint32_t number, const char *line, Error *error)
{
    uint32_t count;
    char **words = text_words(line, &count);
    char *colon = count == 2 ? strrchr(words[1], ':') : NULL;
    bool comment = count == 0 || words[0][0] == '#', good = colon && colon > words[1] && colon[1];
    if (!comment && good) {
        Suppression entry = {.path = path, .line = number, .kind = mem_strdup(words[0]), .function = mem_strdup(colon + 1)};
        entry.file = strndup(words[1], (size_t)(colon - words[1]));
        vec_push(&c->suppressions, entry);
    }
    for (uint32_t i = 0; i < count; i++) free(words[i]);
    free(words);
    return comment || good ? OK
                           : fail(error, "%s:%u: expected `KIND FILE:FUNCTION`, as in `out-of-bounds src/parse.c:read_*`", path, number);
}

static Status read_file(Campaign *c, const char *path, Error *error)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    Status status = OK;
    if (!in) return fail(error, "cannot read the file of --suppress, %s: %s", path, strerror(errno));
    for (uint32_t number = 1; status == OK && getline(&line, &capacity, in) >= 0; number++) {
        line[strcspn(line, "#\n")] = 0;
        status = read_line(c, path, number, line, error);
    }
    if (status == OK && ferror(in)) status = fail(error, "cannot read the file of --suppress, %s", path);
    free(line);
    fclose(in);
    return status;
}

Status campaign__read_suppressions(Campaign *c, Error *error)
{
    for (uint32_t i = 0; i < c->options->suppressions.len; i++)
        if (read_file(c, c->options->suppressions.data[i], error) != OK) return FAILED;
    return OK;
}

static bool is_file(const char *pattern, const char *file)
{
    for (const char *end = file; end; end = strchr(end, '/') ? strchr(end, '/') + 1 : NULL)
        if (fnmatch(pattern, end, 0) == 0) return true;
    return false;
}

static bool matches(const Suppression *entry, const LedgerBug *bug)
{
    return !bug->precondition && bug->kind && bug->file && bug->function && fnmatch(entry->kind, bug->kind, 0) == 0 &&
           fnmatch(entry->function, bug->function, 0) == 0 && is_file(entry->file, bug->file);
}

static void tell_unmatched(const Campaign *c, const Suppression *entry)
{
    report_clear(c->report);
    fprintf(stderr, "clew: %s:%u: no bug that was found is of the kind '%s' in '%s:%s'; the line can go\n", entry->path, entry->line,
            entry->kind, entry->file, entry->function);
}

void campaign__suppress(Campaign *c)
{
    Ledger *ledger = c->ledger;
    for (uint32_t i = 0; i < ledger->bugs.len; i++) ledger->bugs.data[i].suppressed = false;
    for (uint32_t k = 0; k < c->suppressions.len; k++) {
        bool any = false;
        for (uint32_t i = 0; i < ledger->bugs.len; i++) {
            if (!matches(&c->suppressions.data[k], &ledger->bugs.data[i])) continue;
            ledger->bugs.data[i].suppressed = any = true;
        }
        if (!any) tell_unmatched(c, &c->suppressions.data[k]);
    }
}

void campaign__release_suppressions(Campaign *c)
{
    for (uint32_t i = 0; i < c->suppressions.len; i++) {
        free(c->suppressions.data[i].kind);
        free(c->suppressions.data[i].file);
        free(c->suppressions.data[i].function);
    }
    vec_release(&c->suppressions);
}
