/* ledger: the output folder.
 *
 * A folder may be written to if it is not there yet, is empty, or is that of an earlier campaign: it holds ledger.db (whether that is Clew's is asked in store.c)
 * and nothing that Clew does not make.  Names that begin with a dot are nobody's business here (.gitignore).  So `--out .` in a project is an error and
 * not a mess. */
#include "ledger/ledger_int.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the modules make in the folder itself. */
static const char *const OWN[] = {LEDGER_DATABASE, LEDGER_JOURNAL, LEDGER_JSON, LEDGER_JSON_ASIDE, "contracts.json", "tests",  "cmocka",
                                  "testcomp",      "ktest",        "corpus",    "report",          "proofs",         "replay", "manifest"};

char *ledger__file(const char *directory, const char *name)
{
    return mem_format("%s/%s", directory, name);
}

static bool is_own(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(OWN); i++)
        if (strcmp(name, OWN[i]) == 0) return true;
    return false;
}

static Status refuse(const char *directory, const char *name, bool has_ledger, Error *error)
{
    if (has_ledger)
        return fail(error, "%s holds '%s', which is not Clew's: choose another directory with --out, or move that away", directory, name);
    return fail(error, "%s holds other files than Clew's ('%s'): choose another directory with --out, an empty or a new one", directory,
                name);
}

static Status look_at(DIR *listing, const char *directory, Error *error)
{
    char *stranger = NULL, *any = NULL;
    bool has_ledger = false;
    Status status = OK;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        const char *name = entry->d_name;
        if (name[0] == '.') continue;
        if (strcmp(name, LEDGER_DATABASE) == 0) has_ledger = true;
        char **kept = is_own(name) ? &any : &stranger;
        if (!*kept || strcmp(name, *kept) < 0) ledger_set_text(kept, name); /* the first by name: the message is always the same */
    }
    if (stranger) status = refuse(directory, stranger, has_ledger, error);
    else if (any && !has_ledger) status = refuse(directory, any, false, error);
    free(stranger);
    free(any);
    return status;
}

static Status make(const char *directory, Error *error)
{
    char *path = mem_strdup(directory);
    Status status = OK;
    for (char *slash = path; status == OK && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) *slash = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST && errno != EISDIR)
            status = fail(error, "cannot make the directory %s: %s", path, strerror(errno));
        if (slash) *slash = '/';
    }
    free(path);
    return status;
}

Status ledger__prepare_directory(const char *directory, Error *error)
{
    if (!directory[0]) return fail(error, "the name of the output directory is empty: give one with --out");
    if (make(directory, error) != OK) return FAILED;
    DIR *listing = opendir(directory);
    if (!listing && errno == ENOTDIR) return fail(error, "%s is not a directory: choose another name with --out", directory);
    if (!listing) return fail(error, "cannot read the directory %s: %s", directory, strerror(errno));
    Status status = look_at(listing, directory, error);
    closedir(listing);
    return status;
}
