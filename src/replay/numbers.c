/* Numbers of outcomes: which counter of a counted program belongs to which branch of the ledger.
 *
 * The key is everything that both sides know: the function's name (as it stands in the source: linking renames the second static function
 * of one name to `name.1`, tests rename main), the file, line and column, the instruction's ordinal in the function and the outcome.  The ordinal
 * alone would do for a function compiled twice from the same text; with the place a text that has changed since, or that differs
 * between two files that include it, is noticed and not counted.
 *
 * Files are compared by their real paths.  A ledger read in another directory than the one it was made in may have paths that lead nowhere
 * from here; those are compared by their ends. */
#include "replay/replay_int.h"
#include "front/front.h"

#include <stdlib.h>

/* ---- files ---- */

static uint32_t add_file(Numbers *n, const char *path)
{
    const uint32_t *known = names_find(&n->file_numbers, path);
    if (known) return *known;
    vec_push(&n->files, mem_strdup(path));
    names_put(&n->file_numbers, path, n->files.len - 1);
    return n->files.len - 1;
}

static const char *without_dots(const char *path)
{
    for (;;) {
        if (strncmp(path, "./", 2) == 0) path += 2;
        else if (strncmp(path, "../", 3) == 0) path += 3;
        else return path;
    }
}

static uint32_t ledger_file(Numbers *n, const char *path)
{
    const uint32_t *known = names_find(&n->spellings, path);
    if (known) return *known;
    char *full = realpath(path, NULL);
    if (!full && path[0]) n->has_unresolved = true;
    uint32_t file = add_file(n, full ? full : without_dots(path));
    free(full);
    names_put(&n->spellings, path, file);
    return file;
}

static bool ends_with(const char *path, const char *end)
{
    size_t a = strlen(path), b = strlen(end);
    return b && a > b && path[a - b - 1] == '/' && strcmp(path + a - b, end) == 0;
}

static uint32_t find_file(const Numbers *n, const char *path)
{
    const uint32_t *known = names_find(&n->file_numbers, path);
    if (known) return *known;
    for (uint32_t i = 0; n->has_unresolved && i < n->files.len; i++)
        if (n->files.data[i][0] != '/' && ends_with(path, n->files.data[i])) return i;
    return UINT32_MAX;
}

uint32_t replay__file(Numbers *n, const char *path)
{
    const uint32_t *known = names_find(&n->spellings, path);
    if (known) return *known;
    char *full = realpath(path, NULL);
    uint32_t file = find_file(n, full ? full : without_dots(path));
    free(full);
    names_put(&n->spellings, path, file);
    return file;
}

/* ---- keys ---- */

static void make_key(StrBuf *key, const char *function, uint32_t file, uint32_t line, uint32_t column, uint32_t ordinal, uint32_t which)
{
    strbuf_clear(key);
    strbuf_add_bytes(key, function, strcspn(function, "."));
    strbuf_addf(key, " %u %u %u %u %u", file, line, column, ordinal, which);
}

static uint32_t add_number(Numbers *n, const StrBuf *key, uint32_t file, uint32_t branch)
{
    const uint32_t *known = names_find(&n->keys, key->text);
    if (known) return *known;
    names_put(&n->keys, key->text, n->count);
    vec_push(&n->branch_of, branch);
    vec_push(&n->file_of, file);
    vec_push(&n->nested, false);
    return n->count++;
}

void replay__number(Numbers *n, const Ledger *ledger)
{
    StrBuf key = {0};
    n->ledger = ledger;
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        const LedgerBranch *b = &ledger->branches.data[i];
        uint32_t file = ledger_file(n, b->file ? b->file : "");
        make_key(&key, b->function ? b->function : "", file, b->line, b->column, b->ordinal, b->which);
        vec_push(&n->of_branch, add_number(n, &key, file, i));
    }
    strbuf_release(&key);
}

void replay__release_numbers(Numbers *n)
{
    for (uint32_t i = 0; i < n->files.len; i++) free(n->files.data[i]);
    vec_release(&n->files);
    vec_release(&n->of_branch);
    vec_release(&n->branch_of);
    vec_release(&n->file_of);
    vec_release(&n->nested);
    names_release(&n->keys);
    names_release(&n->file_numbers);
    names_release(&n->spellings);
}

uint32_t replay__number_of(void *numbers, const FrontOutcome *outcome)
{
    Numbers *n = numbers;
    if (strcmp(outcome->function, "main") == 0) return UINT32_MAX; /* the test's own */
    bool is_main = strncmp(outcome->function, PROGRAM_MAIN, strlen(PROGRAM_MAIN)) == 0;
    uint32_t file = replay__file(n, outcome->file);
    if (file == UINT32_MAX) return UINT32_MAX;
    StrBuf key = {0};
    make_key(&key, is_main ? "main" : outcome->function, file, outcome->line, outcome->column, outcome->ordinal, outcome->which);
    const uint32_t *known = names_find(&n->keys, key.text);
    strbuf_release(&key);
    return known ? *known : UINT32_MAX;
}

/* ---- sets ---- */

static uint32_t words_of(const Numbers *n)
{
    return n->count / 64 + 1;
}

static void make_room(const Numbers *n, OutcomeSet *set)
{
    if (!set->bits) set->bits = mem_alloc(words_of(n) * sizeof *set->bits);
}

void replay__see(const Numbers *n, OutcomeSet *set, uint32_t number)
{
    assert(number < n->count);
    make_room(n, set);
    set->bits[number / 64] |= (uint64_t)1 << (number % 64);
}

void replay__see_all(const Numbers *n, OutcomeSet *set, const OutcomeSet *other)
{
    if (!other->bits) return;
    make_room(n, set);
    for (uint32_t i = 0; i < words_of(n); i++) set->bits[i] |= other->bits[i];
}
