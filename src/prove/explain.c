/* Why a branch cannot be taken: from its certificate to a few sentences.
 *
 * A certificate is made for a checker: it says at hundreds of locations what cannot be there.  A reader wants the few of these facts that contradict the
 * branch's condition.  So the walk starts at the branch, with the values that its condition depends on, and goes backwards over the edges that the checker
 * follows: to predecessors, from what follows a call to the exit of the function, from a function's entry to its callers.  At each location it takes the facts
 * that speak of these values, says what it has not said before, and adds what the values themselves depend on there.  This is a choice of what to show, not
 * a proof; each fact alone holds, since `clew test` removes from a certificate what the checker has not accepted. */
#include "prove/explain_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_FACTS = 6,      /* for one branch: as many as a reader will follow; guess */
    MOST_AT_ONCE = 2,    /* at one location; guess */
    PARTLY = 500,        /* worth of a fact that also speaks of values the branch is not known to depend on; others have up to 1000 */
    MOST_LOCATIONS = 400 /* that are looked at; guess */
};

typedef struct Location {
    uint32_t function, block,
        instr; /* instr: 0 at the start of the block, else behind a call; block UINT32_MAX: where the function returns */
    bool
        always; /* every execution that comes to the branch comes through here last, so conditions on the way to here are conditions of the branch */
} Location;

typedef struct Walk {
    Explainer *x;
    json_t *certificate;
    Map nodes; /* key of a location -> 1 + index into `first` */
    Vec(Numbers) lists;
    Map visited;
    Map avoided; /* starts of blocks that only a branch of this certificate leads to: what holds there says nothing */
    Vec(Location) queue;
    Terms interest; /* what the branch depends on, as far as is known */
    NameMap said;   /* sentences, facts, and the terms that facts were about */
    ProveWhy *why;
} Walk;

/* ---- files ---- */

Status explainer_new(Explainer **explainer, const char *directory, Error *error)
{
    Explainer *x = mem_alloc(sizeof *x);
    x->directory = mem_strdup(directory);
    char *bitcode = mem_format("%s/proofs/program.bc", directory);
    const char *files[] = {bitcode};
    FrontOptions front = {.files = files, .file_count = 1};
    *explainer = NULL;
    Status status = prove__hash_file(bitcode, &x->hash, error);
    if (status == OK) status = front_load(&front, &x->program, NULL, error);
    if (status == OK) status = front_names_new(&x->names, bitcode, error);
    free(bitcode);
    if (status == OK) *explainer = x;
    else explainer_free(x);
    return status;
}

void explainer_free(Explainer *x)
{
    if (!x) return;
    if (x->program) program_free(x->program);
    front_names_free(x->names);
    for (uint32_t i = 0; i < x->texts.len; i++) free(x->texts.data[i]);
    vec_release(&x->texts);
    names_release(&x->files);
    free(x->directory);
    free(x);
}

void prove_why_release(ProveWhy *why)
{
    for (uint32_t i = 0; i < why->because.len; i++) free(why->because.data[i].file), free(why->because.data[i].text);
    for (uint32_t i = 0; i < why->relies.len; i++) free(why->relies.data[i].file), free(why->relies.data[i].text);
    vec_release(&why->because);
    vec_release(&why->relies);
}

static Status read_certificate(const Explainer *x, const char *proof, json_t **certificate, Error *error)
{
    char *path = mem_format("%s/%s", x->directory, proof), hash[32];
    json_error_t problem;
    Status status = OK;
    *certificate = json_load_file(path, 0, &problem);
    snprintf(hash, sizeof hash, "%016" PRIx64, x->hash);
    const char *about = json_string_value(json_object_get(json_object_get(*certificate, "program"), "fnv1a"));
    if (!*certificate) {
        status = fail(error, "the certificate %s cannot be read: %s; `clew test` writes it anew", path, problem.text);
    } else if (json_integer_value(json_object_get(*certificate, "version")) != 2 || !about ||
               !json_is_array(json_object_get(*certificate, "nodes")) || !json_is_array(json_object_get(*certificate, "branches"))) {
        status = fail(error, "%s is no certificate of this version of Clew; `clew test` writes it anew", path);
    } else if (strcmp(about, hash) != 0) {
        status = fail(error, "the certificate %s is about another program than %s/proofs/program.bc; `clew test` writes both anew", path,
                      x->directory);
    }
    if (status != OK) {
        json_decref(*certificate);
        *certificate = NULL;
    }
    free(path);
    return status;
}

/* ---- places ---- */

static bool number_at(const json_t *list, size_t i, uint32_t *number)
{
    const json_t *value = json_array_get(list, i);
    json_int_t n = json_integer_value(value);
    *number = (uint32_t)n;
    return json_is_integer(value) && n >= 0 && n < UINT32_MAX;
}

static const Function *function_at(const Explainer *x, const json_t *place)
{
    const char *name = json_string_value(json_array_get(place, 0));
    const Function *f = name ? program_function(x->program, name) : NULL;
    return f && f->defined ? f : NULL;
}

/* ["f", B, I]: as Instr.origin; 0: there is none. */
static uint32_t place_at(const Explainer *x, const json_t *place, const Function **f)
{
    uint32_t block, instr;
    *f = function_at(x, place);
    return *f && number_at(place, 1, &block) && number_at(place, 2, &instr) ? explain__origin(*f, block, instr) : 0;
}

static bool location_at(const Explainer *x, const json_t *at, Location *location)
{
    const Function *f = function_at(x, at);
    const char *word = json_string_value(json_array_get(at, 1));
    if (!f) return false;
    *location = (Location){.function = (uint32_t)(f - x->program->functions), .block = UINT32_MAX};
    if (word) return strcmp(word, "exit") == 0;
    return number_at(at, 1, &location->block) && number_at(at, 2, &location->instr) && location->block < f->source_blocks;
}

static uint64_t key_of(const Location *l)
{
    uint64_t block = l->block == UINT32_MAX ? 0xfffff : l->block & 0xfffff;
    return (uint64_t)(l->function & 0xffff) << 48 | block << 28 | (l->instr & 0xfffffff);
}

/* The instructions of the bitcode's block: until the next one's begin, blocks that edges were split into included. */
static bool is_in_block(const Function *f, const Instr *instr, uint32_t block)
{
    return instr->origin && f->origins[instr->origin - 1].block == block;
}

static const Instr *terminator(const Function *f, uint32_t block)
{
    return &f->code[f->blocks[block].first + f->blocks[block].count - 1];
}

/* Blocks that only join values may have no place of their own; then that of the next block is theirs. */
static uint32_t loc_of(const Walk *w, const Location *l)
{
    enum { MOST_JUMPS = 4 };
    const Function *f = &w->x->program->functions[l->function];
    uint32_t behind = 0, block = l->block;
    for (unsigned i = 0; i < MOST_JUMPS && l->instr == 0 && block < f->block_count; i++) {
        const Block *b = &f->blocks[block];
        for (uint32_t k = b->first; k < b->first + b->count; k++)
            if (f->code[k].loc) return f->code[k].loc;
        if (terminator(f, block)->op != OP_JUMP) break;
        block = (uint32_t)terminator(f, block)->imm;
    }
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (!instr->loc || !instr->origin) continue;
        const CodeOrigin *o = &f->origins[instr->origin - 1];
        if (l->block == UINT32_MAX && instr->op == OP_RETURN) return instr->loc;
        if (l->block != o->block) continue;
        if (o->instr + 1 == l->instr) behind = instr->loc;
    }
    return behind;
}

/* ---- saying ---- */

static uint32_t common(const Terms *part, const Terms *whole)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < part->list.len; i++) {
        const char *key = part->list.data[i], *at = strchr(key, '@');
        bool found = names_find(&whole->set, key) != NULL;
        if (!found && at) found = terms_has(whole, mem_format("%.*s", (int)(at - key), key)); /* any part of the variable */
        count += found;
    }
    return count;
}

static void say(Walk *w, const char *file, uint32_t line, const char *text)
{
    if (names_find(&w->said, text) || w->why->because.len >= MOST_FACTS) return;
    names_put(&w->said, text, 1);
    vec_push(&w->why->because, ((ProveFact){mem_strdup(file ? file : ""), line, mem_strdup(text)}));
}

static void say_at(Walk *w, uint32_t loc, const char *text)
{
    const Loc *place = &w->x->program->locs[loc];
    if (place->line) say(w, place->file, place->line, text);
}

static bool is_exit(const Location *l)
{
    return l->block == UINT32_MAX;
}

static bool is_entry(const Location *l)
{
    return l->block == 0 && l->instr == 0;
}

/* " (called in line 12 of main)" */
static void add_calls(const Walk *w, const json_t *calls, StrBuf *out)
{
    const Function *f;
    const json_t *first = json_array_get(calls, 0);
    uint32_t origin = first && json_is_array(first) ? place_at(w->x, first, &f) : 0;
    const Instr *call = origin ? explain__instr(f, origin) : NULL;
    if (call && call->loc) {
        size_t n;
        explain__function_name(f->name, &n);
        strbuf_addf(out, " (called in line %u of %.*s)", w->x->program->locs[call->loc].line, (int)n, f->name);
    } else if (first) {
        strbuf_add(out, " (called from outside)");
    }
}

static void add_beginning(const Walk *w, const Location *l, const json_t *calls, const char *fact, StrBuf *out)
{
    const Function *f = &w->x->program->functions[l->function];
    size_t n;
    explain__function_name(f->name, &n);
    bool result = fact[0] == '`' && strncmp(fact + 1, f->name, n) == 0 && strncmp(fact + 1 + n, "()`", 3) == 0;
    if (is_exit(l) && result && json_array_size(calls) == 0) return;
    if (is_exit(l)) {
        strbuf_addf(out, "when %.*s returns", (int)n, f->name);
    } else if (is_entry(l)) {
        strbuf_addf(out, "when %.*s starts", (int)n, f->name);
    } else if (l->instr) {
        strbuf_add(out, "after this call");
    } else {
        strbuf_add(out, "here");
    }
    add_calls(w, calls, out);
    strbuf_add(out, ", ");
}

/* ---- facts of a location ---- */

static Numbers *nodes_at(Walk *w, const Location *l)
{
    const uint64_t *list = map_find(&w->nodes, key_of(l));
    return list ? &w->lists.data[*list] : NULL;
}

static void index_nodes(Walk *w)
{
    const json_t *nodes = json_object_get(w->certificate, "nodes");
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        Location l;
        if (!location_at(w->x, json_object_get(json_array_get(nodes, i), "at"), &l)) continue;
        Numbers *list = nodes_at(w, &l);
        if (!list) {
            map_put(&w->nodes, key_of(&l), w->lists.len);
            vec_push(&w->lists, ((Numbers){0}));
            list = &vec_top(&w->lists);
        }
        vec_push(list, (uint32_t)i);
    }
}

static const json_t *node(const Walk *w, uint32_t i)
{
    return json_array_get(json_object_get(w->certificate, "nodes"), i);
}

/* Nobody comes here, with whatever calls. */
static bool is_dead(Walk *w, const Location *l)
{
    const Numbers *list = nodes_at(w, l);
    for (uint32_t i = 0; list && i < list->len; i++)
        if (json_is_true(json_object_get(node(w, list->data[i]), "states")) &&
            json_array_size(json_object_get(node(w, list->data[i]), "calls")) == 0)
            return true;
    return false;
}

/* How much a fact is worth: 0 if it has nothing to do with the branch. */
static unsigned worth(const Walk *w, const Fact *fact)
{
    uint32_t shared = common(&fact->terms, &w->interest);
    if (!shared) return 0;
    unsigned length = (unsigned)strlen(fact->text);
    if (fact->weak) return 1;
    return (shared == fact->terms.list.len ? 1000 : PARTLY) - (length < 400 ? length : 400);
}

/* Variables of functions are told apart by their function; only globals keep their name everywhere. */
static bool is_global(const Fact *fact)
{
    for (uint32_t i = 0; i < fact->terms.list.len; i++)
        if (strncmp(fact->terms.list.data[i], "g:", 2) != 0) return false;
    return true;
}

static char *fact_key(const Walk *w, const Location *l, const Fact *fact)
{
    bool result = strstr(fact->text, "()`"); /* the result of a function has the same name for its caller */
    return mem_format("%s %s", result || is_global(fact) ? "" : w->x->program->functions[l->function].name, fact->text);
}

static char *terms_key(const Fact *fact)
{
    StrBuf key = {0};
    strbuf_add(&key, "about");
    for (uint32_t i = 0; i < fact->terms.list.len; i++) strbuf_addf(&key, " %s", fact->terms.list.data[i]);
    return key.text;
}

/* Off the way that every execution takes, one fact about the same values is enough: values do not change, only what is known of them. */
static bool was_said(const Walk *w, const Location *l, const Fact *fact)
{
    char *key = fact_key(w, l, fact), *terms = terms_key(fact);
    bool said = names_find(&w->said, key) || (!l->always && !is_global(fact) && names_find(&w->said, terms));
    free(key);
    free(terms);
    return said;
}

static void note_said(Walk *w, const Location *l, const Fact *fact)
{
    char *key = fact_key(w, l, fact), *terms = terms_key(fact);
    names_put(&w->said, key, 1);
    names_put(&w->said, terms, 1);
    free(key);
    free(terms);
}

static void say_best(Walk *w, const Location *l, const json_t *calls, FactList *facts)
{
    uint32_t loc = loc_of(w, l);
    for (unsigned round = 0; round < MOST_AT_ONCE; round++) {
        Fact *best = NULL;
        for (uint32_t i = 0; i < facts->len; i++) {
            Fact *fact = &facts->data[i];
            if (!worth(w, fact) || was_said(w, l, fact)) continue;
            if (!best || worth(w, fact) > worth(w, best)) best = fact;
        }
        if (!best || (round && worth(w, best) <= PARTLY) || w->why->because.len >= MOST_FACTS) return;
        StrBuf text = {0};
        add_beginning(w, l, calls, best->text, &text);
        strbuf_add(&text, best->text);
        say_at(w, loc, text.text);
        note_said(w, l, best);
        strbuf_release(&text);
    }
}

/* Facts of nodes with the same calls belong together. */
static void say_facts(Walk *w, const Location *l)
{
    const Numbers *list = nodes_at(w, l);
    bool *done = mem_alloc(list->len + 1);
    for (uint32_t i = 0; i < list->len; i++) {
        if (done[i]) continue;
        const json_t *calls = json_object_get(node(w, list->data[i]), "calls");
        Vec(const json_t *) states = {0};
        for (uint32_t k = i; k < list->len; k++) {
            const json_t *other = node(w, list->data[k]);
            if (done[k] || !json_equal(calls, json_object_get(other, "calls"))) continue;
            done[k] = true;
            vec_push(&states, json_object_get(other, "states"));
        }
        View view = {w->x, &w->x->program->functions[l->function], calls, json_object_get(w->certificate, "shared")};
        FactList facts = {0};
        explain__facts(&view, states.data, states.len, &facts);
        say_best(w, l, calls, &facts);
        facts_release(&facts);
        vec_release(&states);
    }
    free(done);
}

/* ---- the walk ---- */

/* Nobody comes from a location that is never reached, unless it is itself what must be explained. */
static void enqueue(Walk *w, const Location *from, Location l)
{
    if (from && is_dead(w, &l) && !is_dead(w, from)) return;
    if (from && map_find(&w->avoided, key_of(&(Location){.function = l.function, .block = l.block}))) return;
    if (map_find(&w->visited, key_of(&l)) || w->queue.len >= MOST_LOCATIONS) return;
    map_put(&w->visited, key_of(&l), 1);
    vec_push(&w->queue, l);
}

/* Where the instructions begin that are executed without a call of the program's own code up to this one. */
static Location start_of(const Walk *w, uint32_t function, uint32_t block, uint32_t before, bool always)
{
    const Function *f = &w->x->program->functions[function];
    Location l = {.function = function, .block = block, .always = always};
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (!is_in_block(f, instr, block) || !segment__is_cut(w->x->program, f, instr)) continue;
        uint32_t at = f->origins[instr->origin - 1].instr;
        if (at < before && at + 1 > l.instr) l.instr = at + 1;
    }
    return l;
}

/* Values that come with edges: what a phi was given. */
static void add_phi_terms(Walk *w, const Function *f)
{
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        uint32_t origin = instr->op == OP_MOV && instr->dst != OPERAND_NONE ? f->register_origins[instr->dst] : ORIGIN_NONE;
        if (origin == ORIGIN_NONE || origin & ORIGIN_PARAM) continue;
        const CodeOrigin *phi = &f->origins[origin - 1];
        if (terms_has(&w->interest, mem_format("%s:v%u.%u", f->name, phi->block, phi->instr)))
            explain__terms(w->x, f, instr->a, &w->interest);
    }
}

/* Which outcome of the conditional or switch leads to the block; UINT32_MAX: several, or none. */
static uint32_t outcome_to(const Function *f, const Instr *end, uint32_t block)
{
    uint32_t found = UINT32_MAX, ways = 0;
    if (end->op == OP_BRANCH) {
        const CondBranch *b = &f->branches[end->imm];
        if (b->yes == block) found = 0, ways++;
        if (b->no == block) found = 1, ways++;
    } else if (end->op == OP_SWITCH) {
        const Switch *s = &f->switches[end->imm];
        for (uint32_t i = 0; i < s->case_count; i++)
            if (s->cases[i].block == block) found = i, ways++;
        if (s->default_block == block) found = s->case_count, ways++;
    }
    return ways == 1 ? found : UINT32_MAX;
}

/* "line 12 is reached only if `x > 3`" */
static void say_condition(Walk *w, const Function *f, const Instr *end, uint32_t block, const Location *to)
{
    uint32_t which = outcome_to(f, end, block);
    StrBuf condition = {0}, text = {0};
    Terms terms = {0};
    bool said = which != UINT32_MAX && explain__condition(w->x, f, end, which, &condition, &terms);
    bool dead = is_dead(w, to);
    uint32_t line = w->x->program->locs[loc_of(w, to)].line;
    if (said && line && (dead || common(&terms, &w->interest))) {
        if (line == w->x->program->locs[end->loc].line) strbuf_addf(&text, "the rest of this line is reached only if %s", condition.text);
        else strbuf_addf(&text, "line %u is reached only if %s", line, condition.text);
        say_at(w, end->loc, text.text);
    }
    if (dead) explain__terms(w->x, f, end->a, &w->interest);
    strbuf_release(&condition);
    strbuf_release(&text);
    terms_release(&terms);
}

static void go_to_predecessors(Walk *w, const Location *l)
{
    const Function *f = &w->x->program->functions[l->function];
    const Block *block = &f->blocks[l->block];
    add_phi_terms(w, f);
    for (uint32_t i = 0; i < block->predecessor_count; i++) {
        uint32_t from = block->predecessors[i], to = l->block;
        while (from >= f->source_blocks && f->blocks[from].predecessor_count == 1) { /* a block that an edge was split into */
            to = from;
            from = f->blocks[from].predecessors[0];
        }
        if (from >= f->source_blocks) continue;
        bool only = block->predecessor_count == 1;
        if (only && l->always) say_condition(w, f, terminator(f, from), to, l);
        else if (is_dead(w, l)) explain__terms(w->x, f, terminator(f, from)->a, &w->interest);
        enqueue(w, l, start_of(w, l->function, from, UINT32_MAX, only && l->always));
    }
}

static uint32_t count_calls(const Program *program, uint32_t function)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < program->function_count; c++)
        for (uint32_t i = 0; i < program->functions[c].call_count; i++) count += program->functions[c].calls[i].callee == function;
    return count;
}

static void go_to_callers(Walk *w, const Location *l)
{
    const Program *program = w->x->program;
    const Function *callee = &program->functions[l->function];
    uint32_t sites = count_calls(program, l->function);
    for (uint32_t c = 0; c < program->function_count; c++) {
        const Function *f = &program->functions[c];
        for (uint32_t i = 0; i < f->code_count; i++) {
            const Instr *instr = &f->code[i];
            if (instr->op != OP_CALL || !instr->origin || f->calls[instr->imm].callee != l->function) continue;
            const CallSite *site = &f->calls[instr->imm];
            for (uint32_t k = 0; k < callee->param_count && k < site->argument_count; k++) {
                uint32_t origin = callee->register_origins[callee->params[k].reg];
                if (origin & ORIGIN_PARAM && terms_has(&w->interest, mem_format("%s:p%u", callee->name, origin & ~ORIGIN_PARAM)))
                    explain__terms(w->x, f, site->arguments[k].value, &w->interest);
            }
            const CodeOrigin *place = &f->origins[instr->origin - 1];
            enqueue(w, l, start_of(w, c, place->block, place->instr, l->always && sites == 1));
        }
    }
}

/* From what follows a call to where the function returns, and to what came before the call. */
static void go_through_call(Walk *w, const Location *l)
{
    const Function *f = &w->x->program->functions[l->function];
    const Instr *call = explain__instr(f, explain__origin(f, l->block, l->instr - 1));
    if (call && call->op == OP_CALL && f->calls[call->imm].callee != UINT32_MAX) {
        uint32_t callee = f->calls[call->imm].callee;
        if (terms_has(&w->interest, mem_format("%s:v%u.%u", f->name, l->block, l->instr - 1)))
            terms_add(&w->interest, mem_format("%s:result", w->x->program->functions[callee].name));
        enqueue(w, l, (Location){.function = callee, .block = UINT32_MAX});
    }
    enqueue(w, l, start_of(w, l->function, l->block, l->instr - 1, l->always));
}

static void go_to_returns(Walk *w, const Location *l)
{
    const Function *f = &w->x->program->functions[l->function];
    bool result = terms_has(&w->interest, mem_format("%s:result", f->name));
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (instr->op != OP_RETURN || !instr->origin) continue;
        if (result) explain__terms(w->x, f, instr->a, &w->interest);
        enqueue(w, l, start_of(w, l->function, f->origins[instr->origin - 1].block, UINT32_MAX, false));
    }
}

static void visit(Walk *w, const Location *l)
{
    if (!nodes_at(w, l)) return;
    if (!is_dead(w, l)) say_facts(w, l);
    if (is_exit(l)) go_to_returns(w, l);
    else if (l->instr) go_through_call(w, l);
    else if (l->block) go_to_predecessors(w, l);
    else go_to_callers(w, l);
}

/* ---- a branch ---- */

static void say_branch(Walk *w, const Function *f, const Instr *instr, uint32_t which, const Location *start)
{
    StrBuf condition = {0}, text = {0};
    bool dead = is_dead(w, start);
    if (explain__condition(w->x, f, instr, which, &condition, &w->interest)) {
        strbuf_addf(&text, "this branch is taken if %s", condition.text);
        explain__definition(w->x, f, instr->a, &text);
        say_at(w, instr->loc, text.text);
        strbuf_clear(&text);
    }
    if (dead) {
        terms_release(&w->interest); /* the condition does not matter */
        strbuf_add(&text, "this line is never reached");
        say_at(w, instr->loc, text.text);
    }
    strbuf_release(&condition);
    strbuf_release(&text);
}

/* The instruction of the program that makes the choice; a block may have been left out as unreachable. */
static const Instr *choosing(const Function *f, uint32_t origin)
{
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (instr->origin == origin && (instr->op == OP_BRANCH || instr->op == OP_SWITCH || instr->op == OP_SELECT)) return instr;
    }
    return NULL;
}

/* The block that the outcome leads to, if nothing else does. */
static void avoid_target(Walk *w, const json_t *branch)
{
    const Function *f;
    uint32_t origin = place_at(w->x, json_object_get(branch, "at"), &f), target = UINT32_MAX;
    const Instr *instr = origin ? choosing(f, origin) : NULL;
    json_int_t outcome = json_integer_value(json_object_get(branch, "outcome"));
    if (!instr || outcome < 0) return;
    if (instr->op == OP_BRANCH) target = outcome == 0 ? f->branches[instr->imm].yes : f->branches[instr->imm].no;
    if (instr->op == OP_SWITCH) {
        const Switch *s = &f->switches[instr->imm];
        target = outcome < s->case_count ? s->cases[outcome].block : s->default_block;
    }
    if (target >= f->source_blocks || f->blocks[target].predecessor_count != 1) return;
    map_put(&w->avoided, key_of(&(Location){.function = (uint32_t)(f - w->x->program->functions), .block = target}), 1);
}

static void walk_branch(Walk *w, const json_t *branch)
{
    const Function *f;
    uint32_t origin = place_at(w->x, json_object_get(branch, "at"), &f), which;
    const Instr *instr = origin ? choosing(f, origin) : NULL;
    json_int_t outcome = json_integer_value(json_object_get(branch, "outcome"));
    which = outcome >= 0 && outcome < UINT32_MAX ? (uint32_t)outcome : 0;
    if (!instr) return;
    const CodeOrigin *place = &f->origins[origin - 1];
    Location start = start_of(w, (uint32_t)(f - w->x->program->functions), place->block, place->instr, true);
    say_branch(w, f, instr, which, &start);
    if (!nodes_at(w, &start)) say_at(w, instr->loc, "no values satisfy this condition");
    enqueue(w, NULL, start);
    for (uint32_t i = 0; i < w->queue.len && w->why->because.len < MOST_FACTS; i++) {
        Location l = w->queue.data[i];
        visit(w, &l);
    }
    if (w->why->because.len == 1) say_at(w, instr->loc, "the facts that exclude this have no short form; the certificate has them");
}

/* ---- what the certificate relies on ---- */

static const char *check_of(const Instr *instr)
{
    if (!instr) return "the behaviour is not undefined";
    switch (instr->op) {
    case OP_ADD: return "the addition does not overflow";
    case OP_SUB: return "the subtraction does not overflow";
    case OP_MUL: return "the multiplication does not overflow";
    case OP_SHL: return "the shift does not overflow";
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: return "the division is not by 0 and does not overflow";
    case OP_STORE:
    case OP_MEMCPY:
    case OP_MEMMOVE:
    case OP_MEMSET: return "the write stays inside of its object";
    case OP_LOAD: return "the read stays inside of its object";
    default: return "the behaviour is not undefined";
    }
}

static void list_relies(Walk *w)
{
    const json_t *list = json_object_get(w->certificate, "relies");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const Function *f;
        uint32_t origin = place_at(w->x, json_array_get(list, i), &f);
        const Instr *instr = origin ? explain__instr(f, origin) : NULL;
        const Loc *loc = &w->x->program->locs[instr ? instr->loc : 0];
        vec_push(&w->why->relies, ((ProveFact){mem_strdup(loc->file ? loc->file : ""), loc->line, mem_strdup(check_of(instr))}));
    }
}

static const json_t *branch_with(const json_t *certificate, uint32_t id)
{
    const json_t *branches = json_object_get(certificate, "branches");
    for (size_t i = 0; i < json_array_size(branches); i++) {
        const json_t *number = json_object_get(json_array_get(branches, i), "id");
        if (json_is_integer(number) && json_integer_value(number) == id) return json_array_get(branches, i);
    }
    return NULL;
}

Status explainer_why(Explainer *x, const char *proof, uint32_t id, ProveWhy *why, Error *error)
{
    Walk w = {.x = x, .why = why};
    *why = (ProveWhy){0};
    if (read_certificate(x, proof, &w.certificate, error) != OK) return FAILED;
    const json_t *branch = branch_with(w.certificate, id);
    Status status =
        branch ? OK
               : fail(error, "the certificate %s/%s says nothing about branch %u; `clew test` writes it anew", x->directory, proof, id);
    if (branch) {
        const json_t *branches = json_object_get(w.certificate, "branches");
        for (size_t i = 0; i < json_array_size(branches); i++) avoid_target(&w, json_array_get(branches, i));
        index_nodes(&w);
        walk_branch(&w, branch);
        list_relies(&w);
    }
    for (uint32_t i = 0; i < w.lists.len; i++) vec_release(&w.lists.data[i]);
    vec_release(&w.lists);
    map_release(&w.nodes);
    map_release(&w.visited);
    map_release(&w.avoided);
    vec_release(&w.queue);
    terms_release(&w.interest);
    names_release(&w.said);
    json_decref(w.certificate);
    return status;
}
