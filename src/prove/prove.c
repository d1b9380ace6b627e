/* From sources to certificates: what the analysis says is claimed, what the checker accepts is proved. */
#include "prove/prove.h"
#include "analyse/analyse.h"
#include "prove/prove_int.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define AMBIGUOUS UINT32_MAX

enum {
    ANALYSIS_WORK = 20000000,   /* instructions for one analysis; guess */
    EXPLORE_WORK = 20000000,    /* the same for one exploration, with all that it is asked; guess */
    EXPLORE_SHARE = 250,        /* of the work for backward analysis, in its units for each instruction; guess */
    WORK_A_SECOND = 2000000,    /* instructions that are surely done in a second; guess */
    BACKWARD_EFFORT = 20000000, /* of one question of the backward analysis, about 20 ms; guess */
    WORK_A_UNIT = 1000000,      /* units of work, about a nanosecond each, in one of clew-check's */
    CHECKER_SHARE = 30,         /* how many times the work of the backward analysis clew-check may do in all.  A guess. */
    UNITS_A_NODE = 4,           /* clew-check needs about so many for a node of a certificate, measured on keyword_chain.c */
    PART_OF_EXPLORATION = 4,    /* of that, what one certificate of an exploration may take; guess */
    MOST_REFUSED = 3,           /* certificates of explorations that may be refused in all, since each may cost that much; guess */
    PART_OF_BUDGET = 2          /* one certificate may take this part of what is left for clew-check.  A guess. */
};

typedef struct Proving {
    const ProveOptions *options;
    ProveBranch *branches;
    BackwardAnswer *answers;  /* per branch: of its last round */
    bool *rejected;           /* per branch: clew-check did not accept what was claimed of it */
    bool supported;           /* backward analysis follows the program */
    uint32_t count, *numbers; /* per branch: its number in the program + 1; 0: there is no such branch, or several */
    char *folder;
    Program *program;
    Vec(uint32_t) entries;
    uint64_t hash;
    uint32_t next;             /* number of the next certificate */
    uint64_t checked;          /* clew-check's work so far, in its units */
    uint32_t refused;          /* certificates of explorations of which nothing was accepted */
    bool unfinished;           /* clew-check spent its budget before it had judged the whole certificate */
    Numbers dropped, accepted; /* nodes and branches of the certificate that is being judged */
    ProveStats *stats;
} Proving;

/* ---- files ---- */

static Status prepare_folder(const char *folder, Error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return fail(error, "cannot make the directory %s: %s", folder, strerror(errno));
    DIR *listing = opendir(folder);
    if (!listing) return fail(error, "cannot read the directory %s: %s", folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) { /* certificates of an earlier campaign */
        if (entry->d_name[0] == '.') continue;
        char *path = mem_format("%s/%s", folder, entry->d_name);
        unlink(path);
        free(path);
    }
    closedir(listing);
    return OK;
}

Status prove__hash_file(const char *path, uint64_t *hash, Error *error)
{
    FILE *in = fopen(path, "rb");
    if (!in) return fail(error, "cannot read %s: %s", path, strerror(errno));
    *hash = 14695981039346656037u; /* FNV-1a */
    for (int c; (c = getc(in)) != EOF;) *hash = (*hash ^ (unsigned char)c) * 1099511628211u;
    fclose(in);
    return OK;
}

static Status write_file(const char *path, const StrBuf *text, Error *error)
{
    FILE *out = fopen(path, "w");
    bool good = out && fwrite(text->text, 1, text->len, out) == text->len;
    if (out && fclose(out) != 0) good = false;
    return good ? OK : fail(error, "cannot write %s: %s", path, strerror(errno));
}

/* ---- the program ---- */

static Status load(Proving *p, Error *error)
{
    FrontOptions front = p->options->front;
    char *bitcode = mem_format("%s/program.bc", p->folder);
    front.harnesses = NULL;
    front.harness_count = 0;
    front.models_dir = NULL;
    front.entry = p->options->whole ? "main" : NULL;
    front.bitcode_out = bitcode;
    Status status = front_load(&front, &p->program, NULL, error);
    if (status == OK) status = prove__hash_file(bitcode, &p->hash, error);
    free(bitcode);
    return status;
}

/* "f.3" is the function f of one source where another source has an f, too. */
static size_t plain_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1) ? (size_t)(dot - name) : strlen(name);
}

static bool same_function(const char *a, const char *b)
{
    return plain_length(a) == plain_length(b) && strncmp(a, b, plain_length(a)) == 0;
}

/* Every function of this name is called from outside; false: there is none. */
static bool add_entry(Proving *p, const char *name)
{
    bool found = false;
    for (uint32_t f = 0; f < p->program->function_count; f++) {
        if (!p->program->functions[f].defined || !same_function(p->program->functions[f].name, name)) continue;
        vec_push(&p->entries, f);
        found = true;
    }
    return found;
}

static void find_branches(Proving *p)
{
    for (uint32_t i = 0; i < p->program->branch_count; i++) {
        const Branch *b = &p->program->branches[i];
        const Loc *loc = &p->program->locs[b->loc];
        for (uint32_t k = 0; k < p->count; k++) {
            const ProveBranch *wanted = &p->branches[k];
            bool same = wanted->ordinal == b->ordinal && wanted->which == b->which && wanted->line == loc->line &&
                        wanted->column == loc->column && strcmp(wanted->file, loc->file ? loc->file : "") == 0 &&
                        same_function(wanted->function, p->program->functions[b->function].name);
            if (same) p->numbers[k] = p->numbers[k] ? AMBIGUOUS : i + 1;
        }
    }
    for (uint32_t k = 0; k < p->count; k++)
        if (p->numbers[k] == AMBIGUOUS) p->numbers[k] = 0;
}

/* The branch is in the program, was not proved yet, and nobody has reached it since. */
static bool is_wanted(const Proving *p, uint32_t k)
{
    const ProveOptions *o = p->options;
    return p->numbers[k] && !p->branches[k].proof && !(o->is_reached && o->is_reached(o->data, p->branches[k].id));
}

/* ---- certificates ---- */

static void accept(void *data, uint32_t id)
{
    Proving *p = data;
    vec_push(&p->accepted, id);
    for (uint32_t k = 0; k < p->count; k++)
        if (p->branches[k].id == id && !p->branches[k].proof) {
            p->branches[k].proof = mem_format("proofs/%u.json", p->next);
            p->stats->accepted++;
            if (p->options->on_proved) p->options->on_proved(p->options->data, &p->branches[k]);
        }
}

static void drop(void *data, uint32_t node)
{
    Proving *p = data;
    vec_push(&p->dropped, node);
}

/* Lets the checker judge the certificate; the branches that it accepts are proved.  What it does not accept is removed, so that all that a certificate says
 * holds. */
static Status judge(Proving *p, const StrBuf *text, uint32_t claimed, uint64_t budget, Error *error)
{
    char *path = mem_format("%s/%u.json", p->folder, p->next);
    Status status = write_file(path, text, error);
    double started = clock_seconds();
    uint32_t before = p->stats->accepted;
    vec_clear(&p->dropped);
    vec_clear(&p->accepted);
    CheckerTold told = {.data = p, .accepted = accept, .dropped = drop};
    if (status == OK) status = prove__run_checker(path, budget, p->options->deadline, &told, error);
    p->checked += told.work;
    p->unfinished = told.unfinished;
    p->stats->check_seconds += clock_seconds() - started;
    p->stats->claimed += claimed;
    p->stats->certificates++;
    if (p->stats->accepted == before) unlink(path); /* it proves nothing */
    else if (status == OK && (p->dropped.len || p->accepted.len < claimed)) status = prove__prune(path, &p->dropped, &p->accepted, error);
    p->next++;
    free(path);
    return status;
}

/* What clew-check may spend on one certificate: a part of what the budget or the time leaves, so that one that is hard does not cost the others. */
static uint64_t checker_budget(const Proving *p)
{
    const ProveOptions *o = p->options;
    uint64_t left = UINT64_MAX;
    if (o->work) left = CHECKER_SHARE * (o->work / WORK_A_UNIT);
    left = left > p->checked ? left - p->checked : 0;
    double seconds = o->deadline ? o->deadline - clock_seconds() : 0;
    if (seconds > 0 && seconds * 1000 < (double)left) left = (uint64_t)(seconds * 1000);
    return left / PART_OF_BUDGET + 1;
}

/* One certificate for all branches that the analysis finds impossible and that have no proof yet. */
static Status claim(Proving *p, Analysis *analysis, uint64_t budget, Error *error)
{
    Vec(uint32_t) claimed = {0}, ids = {0};
    for (uint32_t k = 0; k < p->count; k++) {
        if (!is_wanted(p, k)) continue;
        if (analysis_takes(analysis, p->numbers[k] - 1)) continue;
        vec_push(&claimed, p->numbers[k] - 1);
        vec_push(&ids, p->branches[k].id);
    }
    Status status = OK;
    if (claimed.len) {
        StrBuf text = {0};
        analysis_certificate(analysis, claimed.data, ids.data, claimed.len, p->hash, &text);
        status = judge(p, &text, claimed.len, budget, error);
        strbuf_release(&text);
    }
    vec_release(&claimed);
    vec_release(&ids);
    return status;
}

static bool is_over(const Proving *p)
{
    if (p->options->deadline && clock_seconds() > p->options->deadline) return true;
    for (uint32_t k = 0; k < p->count; k++)
        if (is_wanted(p, k)) return false;
    return true;
}

/* ---- the order of attempts ---- */

/* An analysis without contexts and partitions knows what holds in every state at a location. */
static Analysis *analyse_way(Proving *p, uint32_t call_depth, bool partition, bool exclude_overflow)
{
    AnalyseOptions options = {.entries = p->entries.data,
                              .entry_count = p->entries.len,
                              .whole = p->options->whole,
                              .call_depth = call_depth,
                              .partition = partition,
                              .exclude_overflow = exclude_overflow,
                              .work = ANALYSIS_WORK};
    double left = p->options->deadline ? p->options->deadline - clock_seconds() : 0;
    if (left > 0 && left * WORK_A_SECOND < ANALYSIS_WORK) options.work = (uint64_t)(left * WORK_A_SECOND) + 1;
    double started = clock_seconds();
    Analysis *analysis = analyse(p->program, &options);
    p->stats->analyse_seconds += clock_seconds() - started;
    return analysis;
}

static Status try_analyses(Proving *p, Error *error)
{
    static const struct {
        uint32_t call_depth;
        bool partition, exclude_overflow;
    } ways[] = {{1, false, false}, {3, false, false}, {1, true, false}, {1, false, true}, {1, true, true}};
    Status status = OK;
    for (size_t i = 0; status == OK && i < COUNT_OF(ways) && !is_over(p); i++) {
        Analysis *analysis = analyse_way(p, ways[i].call_depth, ways[i].partition, ways[i].exclude_overflow);
        if (!analysis) continue;
        status = claim(p, analysis, checker_budget(p), error);
        analysis_free(analysis);
    }
    return status;
}

/* States one by one, for the branches that are left: each has a certificate of its own, which others may share. */
static Status explore_way(Proving *p, bool divide, bool exclude_overflow, Error *error)
{
    AnalyseOptions options = {.entries = p->entries.data,
                              .entry_count = p->entries.len,
                              .whole = p->options->whole,
                              .divide = divide,
                              .exclude_overflow = exclude_overflow,
                              .work = EXPLORE_WORK};
    double left = p->options->deadline ? p->options->deadline - clock_seconds() : 0, started = clock_seconds();
    if (p->options->work && p->options->work / EXPLORE_SHARE < options.work) options.work = p->options->work / EXPLORE_SHARE;
    if (left > 0 && left * WORK_A_SECOND / 4 < (double)options.work) options.work = (uint64_t)(left * WORK_A_SECOND / 4) + 1;
    Analysis *analysis = explore(p->program, &options);
    Numbers untaken = {0};
    Status status = OK;
    for (uint32_t k = 0; analysis && k < p->count; k++)
        if (is_wanted(p, k) && !analysis_takes(analysis, p->numbers[k] - 1)) vec_push(&untaken, k);
    p->stats->analyse_seconds += clock_seconds() - started;
    for (uint32_t i = 0; i < untaken.len && status == OK && !is_over(p) && p->refused < MOST_REFUSED; i++) {
        uint32_t before = p->stats->accepted;
        if (!is_wanted(p, untaken.data[i]) || !explore_focus(analysis, p->numbers[untaken.data[i]] - 1)) continue;
        status = claim(p, analysis, checker_budget(p) / PART_OF_EXPLORATION, error);
        p->refused += p->stats->accepted == before;
    }
    vec_release(&untaken);
    if (analysis) analysis_free(analysis);
    return status;
}

static Status try_exploring(Proving *p, Error *error)
{
    Status status = is_over(p) ? OK : explore_way(p, false, false, error);
    if (status == OK && !is_over(p)) status = explore_way(p, true, false, error);
    if (status == OK && !is_over(p)) status = explore_way(p, true, true, error);
    return status;
}

static bool was_accepted(const Proving *p, uint32_t id)
{
    for (uint32_t i = 0; i < p->accepted.len; i++)
        if (p->accepted.data[i] == id) return true;
    return false;
}

static Status claim_backward(Proving *p, Backward *b, const uint32_t *claimed, const uint32_t *ids, uint32_t count, Error *error);

/* The branches of a certificate that have no proof yet, in two certificates. */
static Status claim_halves(Proving *p, Backward *b, const uint32_t *claimed, const uint32_t *ids, uint32_t count, Error *error)
{
    Vec(uint32_t) left = {0}, left_ids = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (was_accepted(p, ids[i])) continue;
        vec_push(&left, claimed[i]);
        vec_push(&left_ids, ids[i]);
    }
    uint32_t half = (left.len + 1) / 2;
    Status status = half ? claim_backward(p, b, left.data, left_ids.data, half, error) : OK;
    if (status == OK && half < left.len) status = claim_backward(p, b, left.data + half, left_ids.data + half, left.len - half, error);
    vec_release(&left);
    vec_release(&left_ids);
    return status;
}

/* One certificate for branches that were proved.  If clew-check's budget is not enough for it, or does not seem to be, they are divided among two, in which they
 * have only the R-states that they need. */
static Status claim_backward(Proving *p, Backward *b, const uint32_t *claimed, const uint32_t *ids, uint32_t count, Error *error)
{
    StrBuf text = {0};
    Status status = OK;
    uint64_t budget = checker_budget(p), nodes = backward_certificate(b, claimed, ids, count, p->hash, &text);
    vec_clear(&p->accepted);
    p->unfinished = count > 1 && nodes * UNITS_A_NODE > budget;
    if (!p->unfinished) status = judge(p, &text, count, budget, error);
    strbuf_release(&text);
    if (status == OK && p->unfinished && count > 1) return claim_halves(p, b, claimed, ids, count, error);
    if (status == OK) backward_forget_nodes(b, p->dropped.data, p->dropped.len);
    return status;
}

/* Every branch that is left once, with so much work for each; one certificate for all that were proved. */
static Status go_backward(Proving *p, Backward *b, uint64_t work, Error *error)
{
    Vec(uint32_t) claimed = {0}, ids = {0};
    Status status = OK;
    double started = clock_seconds();
    for (uint32_t k = 0; k < p->count && !(p->options->deadline && clock_seconds() > p->options->deadline); k++) {
        if (!is_wanted(p, k) || p->answers[k] == BACKWARD_OPEN) continue;
        if (p->options->work && backward_work(b) > p->options->work) break;
        p->answers[k] = backward_prove(b, p->numbers[k] - 1, work);
        if (p->answers[k] != BACKWARD_PROVED) continue;
        vec_push(&claimed, p->numbers[k] - 1);
        vec_push(&ids, p->branches[k].id);
    }
    p->stats->backward_seconds += clock_seconds() - started;
    if (claimed.len) status = claim_backward(p, b, claimed.data, ids.data, claimed.len, error);
    for (uint32_t k = 0; k < p->count; k++) { /* what the checker did not accept is not claimed again */
        if (p->answers[k] != BACKWARD_PROVED) continue;
        p->answers[k] = BACKWARD_OPEN;
        p->rejected[k] = !p->branches[k].proof;
    }
    vec_release(&claimed);
    vec_release(&ids);
    return status;
}

/* Is there a branch left of which the backward analysis has not come to an end? */
static bool has_unfinished(const Proving *p)
{
    for (uint32_t k = 0; k < p->count; k++)
        if (is_wanted(p, k) && p->answers[k] == BACKWARD_UNFINISHED) return true;
    return false;
}

/* First what the abstract interpreter sees at once, then backward analysis with more and more work for each branch, and between its rounds analyses that
 * tell more states apart. */
static Status try_all(Proving *p, Error *error)
{
    /* Units of work, about a nanosecond each, for one branch: each round has about four times as many as the one before.  A guess. */
    static const uint64_t rounds[] = {4000000, 16000000, 60000000, 250000000, 1000000000};
    Analysis *analysis = analyse_way(p, 0, false, false);
    Status status = analysis ? claim(p, analysis, checker_budget(p), error) : OK;
    BackwardOptions options = {.entries = p->entries.data,
                               .entry_count = p->entries.len,
                               .whole = p->options->whole,
                               .analysis = analysis,
                               .effort = BACKWARD_EFFORT,
                               .deadline = p->options->deadline};
    Backward *b = status == OK && !is_over(p) ? backward_new(p->program, &options) : NULL;
    p->supported = b != NULL;
    for (size_t i = 0; b && status == OK && i < COUNT_OF(rounds) && !is_over(p) && has_unfinished(p); i++) {
        status = go_backward(p, b, rounds[i], error);
        if (i == 1 && status == OK) status = try_analyses(p, error);
        if (i == 1 && status == OK) status = try_exploring(p, error);
    }
    if (!b && status == OK && !is_over(p)) status = try_analyses(p, error);
    if (b) backward_free(b);
    if (analysis) analysis_free(analysis);
    return status;
}

static const char *why_not(const Proving *p, uint32_t k)
{
    if (!p->numbers[k]) return "the program without Clew's library has no such branch, or several at this place";
    if (p->rejected[k]) return "clew-check did not accept the proof that was found (see --time)";
    if (!p->supported) return "the program uses something that proofs do not follow (docs/proofs.md)";
    if (p->answers[k] == BACKWARD_UNFINISHED) return "the budget for proofs was spent before (--time, --work)";
    return "it could not be excluded for all inputs, and all that code outside may do";
}

Status prove_branches(const ProveOptions *options, ProveBranch *branches, uint32_t count, ProveStats *stats, Error *error)
{
    Proving p = {.options = options, .branches = branches, .count = count, .stats = stats, .next = 1};
    p.folder = mem_format("%s/proofs", options->directory);
    p.numbers = mem_alloc((count + 1) * sizeof *p.numbers);
    p.answers = mem_alloc((count + 1) * sizeof *p.answers);
    p.rejected = mem_alloc((count + 1) * sizeof *p.rejected);
    for (uint32_t k = 0; k < count; k++) p.answers[k] = BACKWARD_UNFINISHED;
    *stats = (ProveStats){0};
    Status status = prepare_folder(p.folder, error);
    if (status == OK) status = load(&p, error);
    if (status == OK) {
        bool complete = !options->whole || add_entry(&p, "main"); /* a unit that is not found would be missing in the contract */
        for (uint32_t i = 0; !options->whole && i < options->unit_count; i++) complete &= add_entry(&p, options->units[i]);
        find_branches(&p);
        if (complete && p.entries.len && (!options->whole || p.entries.len == 1)) status = try_all(&p, error);
    }
    for (uint32_t k = 0; k < count; k++) branches[k].why = branches[k].proof ? NULL : why_not(&p, k);
    if (p.program) program_free(p.program);
    free(p.numbers);
    free(p.rejected);
    free(p.answers);
    vec_release(&p.entries);
    vec_release(&p.dropped);
    vec_release(&p.accepted);
    free(p.folder);
    return status;
}
