/* Uses spread from functions to those that call them, until nothing changes; then verdicts: which parameter is the length of which pointer,
 * and what is a string.  Everything that spreads only grows (flags are set, scores and reach rise), so this ends. */
#include "front/declare_int.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- names ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcasecmp(text + n - k, end) == 0;
}

static bool is_length_word(const char *name)
{
    static const char *const words[] = {"n",     "len", "length", "size", "count", "num",   "sz",  "cap",      "capacity", "nb",
                                        "nmemb", "max", "nr",     "cnt",  "argc",  "bytes", "cnt", "elements", "nelem",    "nitems"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcasecmp(name, words[i]) == 0) return true;
    return false;
}

bool declare__is_length_name(const char *name)
{
    static const char *const ends[] = {"len", "length", "size",      "count", "_n",   "_num",
                                       "_sz", "_cap",   "_capacity", "_cnt",  "_max", "_bytes"};
    static const char *const starts[] = {"n_", "num_", "len_", "size_", "count_", "max_", "nb_"};
    if (is_length_word(name)) return true;
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        if (ends_with(name, ends[i])) return true;
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (strncasecmp(name, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

/* data_len, datalen, n_data, ndata, num_data for data. */
static bool is_named_after(const char *name, const char *pointer)
{
    size_t n = strlen(pointer), k = strlen(name);
    if (n == 0 || k <= n) return false;
    if (strncmp(name, pointer, n) == 0) return is_length_word(name + n + (name[n] == '_'));
    if (strcmp(name + k - n, pointer) != 0) return false;
    char start[16];
    size_t left = k - n - (name[k - n - 1] == '_');
    if (left == 0 || left >= sizeof start) return false;
    memcpy(start, name, left);
    start[left] = 0;
    return is_length_word(start);
}

/* What is left of the name of a length: "assoc" of assoc_len; "" of len.  At most as long as the name. */
static void stem_of(const char *name, char *stem)
{
    static const char *const ends[] = {"length", "len", "size", "count", "num", "sz", "capacity", "cap", "cnt", "max", "bytes", "n"};
    static const char *const starts[] = {"n_", "num_", "len_", "size_", "count_", "max_", "nb_"};
    strcpy(stem, is_length_word(name) ? "" : name);
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (strncasecmp(stem, starts[i], strlen(starts[i])) == 0)
            memmove(stem, stem + strlen(starts[i]), strlen(stem + strlen(starts[i])) + 1);
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        if (ends_with(stem, ends[i])) stem[strlen(stem) - strlen(ends[i])] = 0;
    while (*stem && stem[strlen(stem) - 1] == '_') stem[strlen(stem) - 1] = 0;
}

/* "msg" of "message", "str" of "string", "s" of "src": the same first letter, and the others in this order. */
static bool abbreviates(const char *part, const char *whole)
{
    if (!*part || tolower((unsigned char)*part) != tolower((unsigned char)*whole)) return false;
    for (; *whole && *part; whole++) part += tolower((unsigned char)*part) == tolower((unsigned char)*whole);
    return !*part;
}

/* A length whose name says what it is the length of belongs to no pointer of another name, next to it or not. */
static bool may_be_of(const char *length, const char *pointer)
{
    static const char *const any[] = {"",    "max",   "min",   "total", "buf",  "buffer", "data", "mem",  "array",
                                      "arr", "block", "chunk", "byte",  "elem", "item",   "text", "list", "vec"};
    bool found = false;
    char *stem = mem_alloc(strlen(length) + 1);
    stem_of(length, stem);
    for (size_t i = 0; i < COUNT_OF(any); i++) found |= strcasecmp(stem, any[i]) == 0;
    found |= abbreviates(stem, pointer) || abbreviates(pointer, stem);
    free(stem);
    return found;
}

static bool is_number(const CType *type)
{
    return type->kind == C_INT || (type->kind == C_CHAR && !type->is_signed);
}

static bool is_same(const CType *a, const CType *b)
{
    if (a->kind == C_VOID || a->kind == C_CHAR) return b->kind == C_VOID || b->kind == C_CHAR;
    return strcmp(a->plain, b->plain) == 0;
}

/* a, b, n: arrays of one kind may share a length. */
static bool shares_length(const CFunction *function, uint32_t first, uint32_t last)
{
    for (uint32_t i = first + 1; i < last; i++) {
        const CType *type = function->params[i].type;
        if (type->kind != C_POINTER || !is_same(function->params[first].type->of, type->of)) return false;
    }
    return true;
}

static bool follows_pointer(const CFunction *function, uint32_t n)
{
    return n > 0 && function->params[n - 1].type->kind == C_POINTER;
}

/* (src, dst, src_size, room): as many lengths follow as there were pointers, and parameter n has the same place among those as p among these. */
static bool are_parallel(const CFunction *function, uint32_t p, uint32_t n)
{
    uint32_t first = p, count = 0;
    while (first > 0 && function->params[first - 1].type->kind == C_POINTER) first--;
    while (first + count < function->param_count && function->params[first + count].type->kind == C_POINTER) count++;
    if (count < 2 || n != p + count || first + 2 * count > function->param_count) return false;
    for (uint32_t i = first + count; i < first + 2 * count; i++)
        if (!is_number(function->params[i].type) || !declare__is_length_name(function->params[i].name)) return false;
    return true;
}

/* How much name and place of parameter n say for its being the length of parameter p. */
static Score score_name(const CFunction *function, uint32_t p, uint32_t n)
{
    const char *name = function->params[n].name;
    if (is_named_after(name, function->params[p].name) || are_parallel(function, p, n)) return SCORE_NAME;
    if (!declare__is_length_name(name) || !may_be_of(name, function->params[p].name)) return SCORE_NONE;
    if (n == p + 1 || (n + 1 == p && !follows_pointer(function, n))) return SCORE_NEXT;
    return n > p && shares_length(function, p, n) ? SCORE_PLACE : SCORE_NONE;
}

static void score_names(const CFunction *function, Facts *facts)
{
    for (uint32_t p = 0; p < facts->param_roots; p++) {
        Root *root = &facts->roots[p];
        const CUse *use = &root->use;
        bool just_freed = use->freed && !use->dereferenced;
        bool array = use->indexed || ((root->is_char || root->is_void) && !just_freed);
        if (function->params[p].type->kind != C_POINTER || !array) continue;
        for (uint32_t n = 0; n < facts->param_roots; n++) {
            Score score = is_number(function->params[n].type) && !(root->indices >> n & 1) ? score_name(function, p, n) : SCORE_NONE;
            if (root->score[n] < score) root->score[n] = (uint8_t)score;
        }
    }
}

/* ---- verdicts ---- */

/* Does the length in parameter n come with another pointer than p? */
static bool is_owned(const CFunction *function, uint32_t p, uint32_t n)
{
    if (is_named_after(function->params[n].name, function->params[p].name)) return false;
    for (uint32_t q = 0; q < function->param_count; q++) {
        if (q == p || function->params[q].type->kind != C_POINTER) continue;
        if (is_named_after(function->params[n].name, function->params[q].name)) return true;
        if (q + 1 == n && !(p < q && shares_length(function, p, n))) return true;
    }
    return false;
}

/* Is the number named after another pointer than p? */
static bool is_of_another(const CFunction *function, uint32_t p, uint32_t n)
{
    if (is_named_after(function->params[n].name, function->params[p].name)) return false;
    for (uint32_t q = 0; q < function->param_count; q++)
        if (q != p && function->params[q].type->kind == C_POINTER && is_named_after(function->params[n].name, function->params[q].name))
            return true;
    return false;
}

/* Does code show that it is the length of another parameter?  Then a name next to it is not enough. */
static bool is_shown_for_another(const Facts *facts, uint32_t p, uint32_t n)
{
    for (uint32_t q = 0; q < facts->param_roots; q++)
        if (q != p && facts->roots[q].score[n] >= SCORE_TEST) return true;
    return false;
}

/* How good a length parameter n is for the pointer.  What the code shows comes first, but a name that says whose length it is outweighs what the code shows of
 * another pointer's length: a copy of `src_len` bytes to `dst` does not make that the size of `dst`, where there is a `dst_len`. */
static uint32_t rank(const CFunction *function, const Facts *facts, uint32_t root_number, uint32_t n)
{
    uint32_t score = facts->roots[root_number].score[n];
    if (root_number >= facts->param_roots) return score;
    bool own = is_named_after(function->params[n].name, function->params[root_number].name) || are_parallel(function, root_number, n);
    return own ? score + SCORE_SURE : is_of_another(function, root_number, n) && score < SCORE_COUNTDOWN ? 0 : score;
}

/* The parameter with the best rank; of several the next one behind the pointer, then the nearest before it.  That a number stands behind several
 * pointers (SCORE_PLACE) is not enough: some code has to use it with this one. */
static int32_t find_length(const CFunction *function, const Facts *facts, uint32_t root_number)
{
    const Root *root = &facts->roots[root_number];
    int32_t best = -1;
    /* A string has its own end, an object its own size: names of neighbours prove nothing. */
    bool is_object = root->is_void && root->use.cast && root->use.cast->kind != C_CHAR && !root->use.indexed;
    uint8_t needed = root->use.string || root->multiplied || is_object ? SCORE_NAME : SCORE_NEXT;
    uint32_t best_rank = 0;
    for (uint32_t k = 0; k < facts->param_roots; k++) {
        uint32_t n = root_number < facts->param_roots ? (root_number + 1 + k) % facts->param_roots : k;
        if (!is_number(function->params[n].type) || root->score[n] < needed) continue;
        if (root->score[n] == SCORE_DERIVED && !declare__is_length_name(function->params[n].name)) continue;
        if (root->use.string && root_number < facts->param_roots && is_owned(function, root_number, n)) continue;
        if (root->score[n] == SCORE_NEXT && root->use.indexed && is_shown_for_another(facts, root_number, n)) continue;
        bool own = root_number < facts->param_roots && is_named_after(function->params[n].name, function->params[root_number].name);
        if (root->walked && root->score[n] < SCORE_SURE && !own) continue;
        if (root->passed >> n & 1 && !own) continue;
        uint32_t its = rank(function, facts, root_number, n);
        if (its > best_rank) best = (int32_t)n, best_rank = its;
    }
    return best;
}

/* ---- spreading ---- */

#define RAISE(to, value) ((to) < (value) ? ((to) = (value), true) : false)

bool declare__merge_use(Root *root, const Root *from)
{
    CUse *a = &root->use;
    const CUse *b = &from->use;
    bool changed = RAISE(a->dereferenced, b->dereferenced) | RAISE(a->indexed, b->indexed) | RAISE(a->string, b->string) |
                   RAISE(a->written, b->written) | RAISE(a->read, b->read) | RAISE(a->freed, b->freed) | RAISE(a->reach, b->reach) |
                   RAISE(a->null_tested, b->null_tested) | RAISE(a->compared, b->compared) | RAISE(a->meets_field, b->meets_field) |
                   RAISE(root->weak_string, from->weak_string) | RAISE(root->cast_clash, from->cast_clash);
    if (root->is_void && b->cast) {
        const CType *before = a->cast;
        bool clash = root->cast_clash;
        declare__note_cast(root, b->cast);
        changed |= a->cast != before || root->cast_clash != clash;
    }
    return changed;
}

static bool spread_length(const CFunction *callee, const Facts *called, const Call *call, uint32_t argument, Root *root)
{
    int32_t length = find_length(callee, called, argument);
    bool changed = false;
    if (length < 0 || (uint32_t)length >= call->count) return false;
    uint8_t score = called->roots[argument].score[length];
    if (call->args[argument].is_behind && call->args[length].is_parameter) {
        NumberSet before = root->passed;
        root->passed |= call->args[length].numbers;
        return root->passed != before;
    }
    for (NumberSet n = call->args[length].numbers; n; n &= n - 1) changed |= RAISE(root->score[__builtin_ctzll(n)], score);
    return changed;
}

/* Who passes on a beginning and an end has them as well. */
static bool spread_end(const Facts *called, const Call *call, uint32_t argument, Facts *caller)
{
    uint32_t inside = called->roots[argument].use.inside;
    if (!inside || inside > call->count) return false;
    RootSet end = call->args[argument].roots, begin = call->args[inside - 1].roots;
    if (!begin || !end || (begin & (begin - 1)) || (end & (end - 1)) || begin == end) return false;
    uint32_t from = (uint32_t)__builtin_ctzll(begin), to = (uint32_t)__builtin_ctzll(end);
    if (from >= caller->param_roots || to >= caller->param_roots) return false;
    CUse *first = &caller->roots[from].use, *last = &caller->roots[to].use;
    if (first->inside || last->inside || last->has_end) return false;
    first->has_end = true;
    last->inside = from + 1;
    return true;
}

static bool spread_call(Declarer *d, Facts *caller, const Call *call)
{
    const CFunction *callee = &d->functions.data[call->callee];
    Facts *called = &d->facts.data[call->callee];
    bool changed = false;
    for (uint32_t i = 0; i < call->count && i < called->param_roots; i++) {
        changed |= spread_end(called, call, i, caller);
        for (RootSet set = call->args[i].roots; set; set &= set - 1) {
            Root *root = &caller->roots[__builtin_ctzll(set)];
            if (root == &called->roots[i]) continue;
            changed |= declare__merge_use(root, &called->roots[i]);
            changed |= spread_length(callee, called, call, i, root);
        }
    }
    return changed;
}

static void spread_all(Declarer *d)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = d->facts.len; i-- > 0;) {
            Facts *facts = &d->facts.data[i];
            for (uint32_t k = 0; k < facts->calls.len; k++) changed |= spread_call(d, facts, &facts->calls.data[k]);
            changed |= declare__learn_fields(d, facts);
            changed |= declare__teach_stored(d, facts);
        }
    }
}

/* ---- results ---- */

static CUse verdict(const CFunction *function, const Facts *facts, uint32_t number)
{
    const Root *root = &facts->roots[number];
    CUse use = root->use;
    use.length = find_length(function, facts, number);
    use.string |= root->weak_string && use.length < 0;
    if (root->cast_clash) use.cast = NULL;
    /* Two arrays with a length are compared to see whether they overlap. */
    if (use.length >= 0 || (use.inside && find_length(function, facts, use.inside - 1) >= 0)) use.has_end = false, use.inside = 0;
    return use;
}

static void store_checked(Declarer *d, CFunction *function, const Facts *facts)
{
    const char **names = arena_alloc(&d->decls->arena, facts->checked.len * sizeof *names);
    for (uint32_t i = 0; i < facts->checked.len; i++) names[i] = d->fields.data[facts->checked.data[i]].name;
    function->checked = names;
    function->checked_count = facts->checked.len;
}

static void store(Declarer *d, CFunction *function, Facts *facts)
{
    Arena *arena = &d->decls->arena;
    for (uint32_t i = 0; i < facts->root_count; i++) {
        if (i < facts->param_roots && function->params[i].type->kind == C_POINTER) function->params[i].use = verdict(function, facts, i);
        else if (i >= facts->param_roots && !facts->origins[i].is_field)
            facts->globals.data[facts->origins[i].number].use = verdict(function, facts, i);
    }
    CGlobalUse *globals = arena_alloc(arena, facts->globals.len * sizeof *globals);
    uint32_t *calls = arena_alloc(arena, facts->refers.len * sizeof *calls);
    if (facts->globals.len) memcpy(globals, facts->globals.data, facts->globals.len * sizeof *globals);
    if (facts->refers.len) memcpy(calls, facts->refers.data, facts->refers.len * sizeof *calls);
    function->globals = globals;
    function->global_count = facts->globals.len;
    function->calls = calls;
    function->call_count = facts->refers.len;
    function->text = facts->text;
    store_checked(d, function, facts);
    for (uint32_t i = 0; i < facts->globals.len; i++) d->globals.data[globals[i].global].written |= globals[i].written;
}

void declare__spread(Declarer *d)
{
    spread_all(d); /* names count for what is known to be indexed, wherever that happens */
    for (uint32_t i = 0; i < d->facts.len; i++)
        if (d->facts.data[i].analysed) score_names(&d->functions.data[i], &d->facts.data[i]);
    spread_all(d);
    for (uint32_t i = 0; i < d->facts.len; i++)
        if (d->facts.data[i].analysed) store(d, &d->functions.data[i], &d->facts.data[i]);
    declare__finish_fields(d);
}
