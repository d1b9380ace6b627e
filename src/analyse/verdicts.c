/* Verdicts on assertions and implicit checks, with what each rests on: the analyser that makes named assumptions without justification (docs/verified.md).
 *
 * Each function is analysed by itself, for any arguments in any state of the globals.  What may be assumed is that signed arithmetic on a line does not overflow,
 * that an allocation succeeds, that a call of code that is not known or a store through a pointer leaves the global
 * variables alone that are single numbers or pointers, and that a check that cannot be shown is passed.  The analysis does not record which facts a conclusion has used.  Instead it is made again with fewer and fewer
 * assumptions: what a verdict rests on is a set of names from which none can be left out.  So a verdict is right wherever those names are true, whatever the
 * analysis does inside.  There are at most ten names, so a function costs some dozen analyses, most of which several verdicts share.
 *
 * The analysis knows nothing of how variables are related.  Assertions that it cannot show are left to the backward analysis of prove/, whose certificates say where
 * they exclude overflow.
 *
 * The parts of a verdict are lines: it holds if all instructions on the line pass that check. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

enum {
    WORK = 400000,  /* instructions to interpret in one analysis, about 0.1 s.  A guess. */
    MOST_RUNS = 60, /* analyses of one function.  A guess. */
    MOST_LINES = 6  /* with names of their own: four more names are needed for checks that are assumed to be passed */
};

typedef struct Place {   /* what is judged */
    ImplicitCheck check; /* IMPLICIT_NONE: an assertion */
    const char *file;
    uint32_t line;
    bool fails; /* in the analysis at hand some instruction there may fail */
    bool is_shown;
    uint32_t names; /* The set of names that the verdict rests on: bit n stands for name number n. */
} Place;

typedef struct Assumption {
    ImplicitCheck check;
    const char *file;
    uint32_t line, name;
} Assumption;

typedef struct Run {
    uint32_t names;
    uint8_t *fails; /* by place */
} Run;

typedef struct Judge {
    const Program *program;
    const VerdictOptions *options;
    uint32_t function;
    const Function *f;
    Vec(Place) places;
    Vec(Assumption) assumptions;
    Vec(char *) names;
    Vec(Run) runs;
    Analysis *analysis;
    uint32_t *definitions; /* by register: the instruction that writes it + 1; UINT32_MAX: several do */
    uint8_t *assumed;      /* by instruction, for the analysis */
    uint8_t *kept;         /* by global variable: calls and stores may be assumed to leave it alone */
    bool reads_kept;       /* the function reads such a variable */
} Judge;

/* ---- places ---- */

static const Loc *loc_of(const Judge *j, const Instr *instr)
{
    return &j->program->locs[instr->loc];
}

/* What stands in another file than its function cannot be named as a line of that file. */
static bool has_line(const Judge *j, const Instr *instr)
{
    const Loc *loc = loc_of(j, instr);
    return loc->line && strcmp(loc->file, j->f->file) == 0;
}

static uint32_t place_at(Judge *j, ImplicitCheck check, const Instr *instr)
{
    const Loc *loc = loc_of(j, instr);
    for (uint32_t i = 0; i < j->places.len; i++) {
        const Place *p = &j->places.data[i];
        if (p->check == check && p->line == loc->line && strcmp(p->file, loc->file) == 0) return i;
    }
    vec_push(&j->places, ((Place){.check = check, .file = loc->file, .line = loc->line}));
    return j->places.len - 1;
}

static const char *callee_of(const Judge *j, const Instr *instr)
{
    if (instr->op != OP_CALL) return NULL;
    uint32_t callee = j->f->calls[instr->imm].callee;
    return callee == UINT32_MAX ? NULL : j->program->functions[callee].name;
}

/* As guide.c tells assertions. */
static bool only_fails(const Judge *j, uint32_t block)
{
    static const char *const names[] = {"__assert_fail", "__assert", "__assert_rtn", "reach_error", "__VERIFIER_error"};
    const Block *b = &j->f->blocks[block];
    for (uint32_t i = 0; i < b->count; i++) {
        const char *callee = callee_of(j, &j->f->code[b->first + i]);
        for (size_t k = 0; callee && k < COUNT_OF(names); k++)
            if (strcmp(callee, names[k]) == 0) return true;
    }
    return false;
}

static bool is_arithmetic(const Instr *instr)
{
    return (instr->op == OP_ADD || instr->op == OP_SUB || instr->op == OP_MUL) && (instr->flags & FLAG_NSW) && instr->width <= 64;
}

static bool is_division(const Instr *instr)
{
    return instr->op == OP_UDIV || instr->op == OP_SDIV || instr->op == OP_UREM || instr->op == OP_SREM;
}

static bool is_shift(const Instr *instr)
{
    return instr->op == OP_SHL || instr->op == OP_LSHR || instr->op == OP_ASHR;
}

/* Does the machine make this check of the instruction?  Only checks that it makes need a verdict. */
static bool is_checked(const Judge *j, const Instr *instr, ImplicitCheck check)
{
    switch (check) {
    case IMPLICIT_OVERFLOW:
        if (j->options->wraps) return false;
        return ((instr->op == OP_ADD || instr->op == OP_SUB || instr->op == OP_MUL) && (instr->flags & FLAG_NSW)) || instr->op == OP_SDIV ||
               instr->op == OP_SREM;
    case IMPLICIT_DIVISION: return is_division(instr);
    case IMPLICIT_SHIFT: return is_shift(instr);
    case IMPLICIT_NULL:
    case IMPLICIT_BOUNDS: return instr->op == OP_LOAD || instr->op == OP_STORE;
    default: return false;
    }
}

/* ---- one instruction in one state ---- */

static Value value_of(const Judge *j, const uint32_t *state, Operand operand, uint32_t width)
{
    return values_get(&j->analysis->values, analyse__operand(j->analysis, state, operand, width), width);
}

static bool excludes(Value v, uint64_t constant)
{
    Value c = value_constant(v.width, constant);
    return !value_meet(&v, &c);
}

static bool fits(const Judge *j, const Instr *instr, const uint32_t *state)
{
    if (instr->width > 64) return false;
    Value a = value_of(j, state, instr->a, instr->width), b = value_of(j, state, instr->b, instr->width);
    I128 most = ((I128)1 << (instr->width - 1)) - 1, least = -most - 1;
    if (instr->op == OP_SDIV || instr->op == OP_SREM) return excludes(a, (uint64_t)1 << (instr->width - 1)) || excludes(b, UINT64_MAX);
    if (instr->op == OP_ADD) return (I128)a.slo + b.slo >= least && (I128)a.shi + b.shi <= most;
    if (instr->op == OP_SUB) return (I128)a.slo - b.shi >= least && (I128)a.shi - b.slo <= most;
    const I128 products[] = {(I128)a.slo * b.slo, (I128)a.slo * b.shi, (I128)a.shi * b.slo, (I128)a.shi * b.shi};
    for (size_t i = 0; i < COUNT_OF(products); i++)
        if (products[i] < least || products[i] > most) return false;
    return true;
}

static const Instr *definition_of(const Judge *j, Operand operand)
{
    if (operand == OPERAND_NONE || !operand_is_reg(operand)) return NULL;
    uint32_t at = j->definitions[operand];
    return at && at != UINT32_MAX ? &j->f->code[at - 1] : NULL;
}

/* The pointer that the address is computed from is no NULL. */
static bool is_not_null(const Judge *j, Operand address, const uint32_t *state)
{
    if (objects_address(&j->analysis->memory, j->program, j->function, address).object) return true;
    for (const Instr *d = definition_of(j, address); d && d->op == OP_ADDRESS; d = definition_of(j, address)) address = d->a;
    return value_of(j, state, address, 64).ulo > 0;
}

/* A constant place in a variable of the program, or an element by an index in its range.  How much lies behind other pointers is not known here. */
static bool is_inside(const Judge *j, const Instr *access, const uint32_t *state)
{
    const Instr *d = definition_of(j, access->a);
    Address to = objects_address(&j->analysis->memory, j->program, j->function, access->a);
    uint64_t bytes = (access->width + 7u) / 8;
    if (to.object && !to.variable) {
        const Object *o = &vec_at(&j->analysis->memory.objects, to.object - 1);
        return to.offset <= o->size && bytes <= o->size - to.offset;
    }
    if (!to.object || !d || d->op != OP_ADDRESS || d->b == OPERAND_NONE || !operand_is_const(d->c)) return false;
    Address base = objects_address(&j->analysis->memory, j->program, j->function, d->a);
    if (!base.object || base.variable || d->width2 > 64) return false;
    const Object *o = &vec_at(&j->analysis->memory.objects, base.object - 1);
    Value index = value_of(j, state, d->b, d->width2);
    I128 scale = (I128)(int64_t)j->program->consts[operand_index(d->c)].value, start = (I128)(int64_t)base.offset + d->imm;
    I128 low = start + index.slo * scale, high = start + index.shi * scale;
    return scale >= 0 && low >= 0 && high + (I128)bytes <= (I128)o->size;
}

static bool passes(const Judge *j, ImplicitCheck check, const Instr *instr, const uint32_t *state)
{
    switch (check) {
    case IMPLICIT_OVERFLOW: return fits(j, instr, state);
    case IMPLICIT_DIVISION: return instr->width <= 64 && excludes(value_of(j, state, instr->b, instr->width), 0);
    case IMPLICIT_SHIFT: return instr->width <= 64 && value_of(j, state, instr->b, instr->width).uhi < instr->width;
    case IMPLICIT_NULL: return is_not_null(j, instr->a, state);
    case IMPLICIT_BOUNDS: return is_inside(j, instr, state);
    default: return true;
    }
}

static void look(void *data, uint32_t at, const uint32_t *state)
{
    Judge *j = data;
    const Instr *instr = &j->f->code[at];
    const char *callee = callee_of(j, instr);
    if (!has_line(j, instr)) return;
    for (ImplicitCheck check = IMPLICIT_NONE + 1; check < IMPLICIT_CHECKS; check++)
        if (is_checked(j, instr, check) && !passes(j, check, instr, state)) j->places.data[place_at(j, check, instr)].fails = true;
    if (!callee || strcmp(callee, "clew_assert") != 0) return;
    const Argument *argument = &j->f->calls[instr->imm].arguments[0];
    if (!excludes(value_of(j, state, argument->value, argument->type.width), 0))
        j->places.data[place_at(j, IMPLICIT_NONE, instr)].fails = true;
}

static void look_at_branches(Judge *j)
{
    for (uint32_t b = 0; b < j->f->block_count; b++) {
        const Instr *last = &j->f->code[j->f->blocks[b].first + j->f->blocks[b].count - 1];
        if (last->op != OP_BRANCH || !has_line(j, last)) continue;
        const CondBranch *branch = &j->f->branches[last->imm];
        bool yes = only_fails(j, branch->yes) && analysis_takes(j->analysis, branch->branch),
             no = only_fails(j, branch->no) && analysis_takes(j->analysis, branch->branch + 1);
        if (yes || no) j->places.data[place_at(j, IMPLICIT_NONE, last)].fails = true;
    }
}

/* ---- what there is to judge and to assume ---- */

static void find_places(Judge *j)
{
    for (uint32_t i = 0; i < j->f->code_count; i++) {
        const Instr *instr = &j->f->code[i];
        const char *callee = callee_of(j, instr);
        if (!has_line(j, instr)) continue;
        for (ImplicitCheck check = IMPLICIT_NONE + 1; check < IMPLICIT_CHECKS; check++)
            if (is_checked(j, instr, check)) place_at(j, check, instr);
        if (callee && strcmp(callee, "clew_assert") == 0) place_at(j, IMPLICIT_NONE, instr);
        if (instr->op != OP_BRANCH) continue;
        const CondBranch *branch = &j->f->branches[instr->imm];
        if (only_fails(j, branch->yes) || only_fails(j, branch->no)) place_at(j, IMPLICIT_NONE, instr);
    }
}

/* The guided code compares these before and after what is assumed not to change them (front/guide_checks.c, which knows them by their types). */
static bool is_scalar(const Global *global)
{
    bool is_plain = global->defined && !global->constant && !global->weak && !global->thread_local_ && !global->in_model;
    return is_plain && (global->size == 1 || global->size == 2 || global->size == 4 || global->size == 8);
}

static void find_kept(Judge *j)
{
    const Program *p = j->program;
    j->kept = mem_alloc(p->global_count + 1);
    for (uint32_t i = 0; i < p->global_count; i++) j->kept[i] = is_scalar(&p->globals[i]);
    for (uint32_t i = 0; i < j->f->code_count; i++) {
        const Instr *instr = &j->f->code[i];
        if (instr->op != OP_LOAD || instr->a == OPERAND_NONE || operand_is_reg(instr->a)) continue;
        const Symbol *symbol = &p->symbols[p->consts[operand_index(instr->a)].symbol];
        j->reads_kept |= symbol->kind == SYMBOL_GLOBAL && j->kept[symbol->index];
    }
}

/* May the instruction change variables that it does not name? */
static bool reaches_others(const Judge *j, const Instr *instr)
{
    if (instr->op == OP_CALL) {
        uint32_t callee = j->f->calls[instr->imm].callee;
        return callee == UINT32_MAX || !objects_runs(&j->program->functions[callee]);
    }
    if (instr->op != OP_STORE && instr->op != OP_MEMSET && instr->op != OP_MEMCPY && instr->op != OP_MEMMOVE) return false;
    Operand base = instr->a;
    const Instr *d = definition_of(j, base);
    for (; d && d->op == OP_ADDRESS; d = definition_of(j, base)) base = d->a;
    return base == OPERAND_NONE || (operand_is_reg(base) && !(d && d->op == OP_ALLOCA));
}

static ImplicitCheck assumed_of(const Judge *j, const Instr *instr)
{
    const char *callee = callee_of(j, instr);
    if (callee && check_allocates(callee) && instr->dst != OPERAND_NONE) return IMPLICIT_ALLOCATION;
    if (j->reads_kept && reaches_others(j, instr)) return IMPLICIT_UNCHANGED;
    return is_arithmetic(instr) || instr->op == OP_SDIV || instr->op == OP_SREM ? IMPLICIT_OVERFLOW : IMPLICIT_NONE;
}

static const Assumption *assumption_at(const Judge *j, ImplicitCheck check, const Loc *loc)
{
    for (uint32_t i = 0; i < j->assumptions.len; i++) {
        const Assumption *a = &j->assumptions.data[i];
        if (a->check == check && a->line == loc->line && strcmp(a->file, loc->file) == 0) return a;
    }
    return NULL;
}

static void find_assumptions(Judge *j)
{
    for (uint32_t i = 0; i < j->f->code_count; i++) {
        const Instr *instr = &j->f->code[i];
        const Loc *loc = loc_of(j, instr);
        ImplicitCheck check = assumed_of(j, instr);
        if (!check || !has_line(j, instr) || assumption_at(j, check, loc)) continue;
        vec_push(&j->assumptions, ((Assumption){.check = check, .file = loc->file, .line = loc->line}));
    }
}

static uint32_t name_number(Judge *j, char *name)
{
    uint32_t i = 0;
    while (i < j->names.len && strcmp(j->names.data[i], name) != 0) i++;
    if (i == j->names.len) vec_push(&j->names, name);
    else free(name);
    return i;
}

/* A name for each line, or, where there are too many lines, one for all overflows and one for all allocations. */
static void give_names(Judge *j)
{
    bool one_each = j->assumptions.len <= MOST_LINES && !j->options->whole;
    for (uint32_t i = 0; i < j->assumptions.len; i++) {
        Assumption *a = &j->assumptions.data[i];
        const char *stem = a->check == IMPLICIT_ALLOCATION ? "allocated" : a->check == IMPLICIT_UNCHANGED ? "unchanged" : "no_overflow";
        a->name = name_number(j, one_each ? mem_format("%s_%u", stem, a->line) : mem_strdup(stem));
    }
}

static void find_definitions(Judge *j)
{
    j->definitions = mem_alloc((j->f->register_count + 1) * sizeof *j->definitions);
    j->assumed = mem_alloc(j->f->code_count + 1);
    for (uint32_t i = 0; i < j->f->code_count; i++) {
        Operand dst = j->f->code[i].dst;
        if (dst != OPERAND_NONE) j->definitions[dst] = j->definitions[dst] ? UINT32_MAX : i + 1;
    }
}

/* ---- analyses under sets of names ---- */

static void analyse_under(Judge *j, uint32_t names, Run *run)
{
    AnalyseOptions options = {.entries = &j->function,
                              .entry_count = 1,
                              .call_depth = 1,
                              .ends_at_faults = true,
                              .assumed = j->assumed,
                              .assumed_function = j->function,
                              .kept = j->kept,
                              .work = WORK};
    for (uint32_t i = 0; i < j->f->code_count; i++) {
        ImplicitCheck check = assumed_of(j, &j->f->code[i]);
        const Assumption *a = check && has_line(j, &j->f->code[i]) ? assumption_at(j, check, loc_of(j, &j->f->code[i])) : NULL;
        j->assumed[i] = a && (names >> a->name & 1);
    }
    j->analysis = analyse(j->program, &options);
    for (uint32_t i = 0; i < j->places.len; i++) j->places.data[i].fails = !j->analysis;
    if (j->analysis) {
        analyse__look(j->analysis, j->function, look, j);
        look_at_branches(j);
        analysis_free(j->analysis);
    }
    *run = (Run){names, mem_alloc(j->places.len + 1)};
    for (uint32_t i = 0; i < j->places.len; i++) run->fails[i] = j->places.data[i].fails;
}

/* Which places may fail under these names; NULL: too many analyses were made already. */
static const uint8_t *run_under(Judge *j, uint32_t names)
{
    for (uint32_t i = 0; i < j->runs.len; i++)
        if (j->runs.data[i].names == names) return j->runs.data[i].fails;
    if (j->runs.len == MOST_RUNS) return NULL;
    Run run;
    analyse_under(j, names, &run);
    vec_push(&j->runs, run);
    return run.fails;
}

static void minimise(Judge *j, uint32_t place)
{
    Place *p = &j->places.data[place];
    for (uint32_t name = 0; name < j->names.len; name++) {
        uint32_t fewer = p->names & ~(1u << name);
        const uint8_t *fails = fewer != p->names ? run_under(j, fewer) : NULL;
        if (fails && !fails[place]) p->names = fewer;
    }
}

static void judge_places(Judge *j)
{
    uint32_t all = j->names.len == 32 ? UINT32_MAX : (1u << j->names.len) - 1;
    const uint8_t *without = run_under(j, 0), *with = run_under(j, all);
    for (uint32_t i = 0; i < j->places.len; i++) {
        Place *p = &j->places.data[i];
        p->is_shown = !without[i] || !with[i];
        p->names = without[i] ? all : 0;
        if (p->is_shown && p->names) minimise(j, i);
    }
}

/* ---- proofs ---- */

/* Names of the places where overflow was excluded; false: not proved. */
static bool prove_branch(Judge *j, uint32_t branch, uint32_t *names)
{
    memset(j->assumed, 0, j->f->code_count);
    if (!j->options->prove(j->options->data, j->function, branch, j->assumed)) return false;
    for (uint32_t i = 0; i < j->f->code_count; i++) {
        const Instr *instr = &j->f->code[i];
        const Assumption *a = j->assumed[i] ? assumption_at(j, assumed_of(j, instr), loc_of(j, instr)) : NULL;
        if (j->assumed[i] && !a) return false;
        if (a) *names |= 1u << a->name;
    }
    return true;
}

/* All branches on the line that make the assertion fail. */
static bool prove_assertion(Judge *j, uint32_t place, uint32_t *names)
{
    bool found = false;
    for (uint32_t b = 0; b < j->f->block_count; b++) {
        const Instr *last = &j->f->code[j->f->blocks[b].first + j->f->blocks[b].count - 1];
        if (last->op != OP_BRANCH || !has_line(j, last)) continue;
        const CondBranch *branch = &j->f->branches[last->imm];
        const bool fails[] = {only_fails(j, branch->yes), only_fails(j, branch->no)};
        if ((!fails[0] && !fails[1]) || place_at(j, IMPLICIT_NONE, last) != place) continue;
        found = true;
        for (uint32_t i = 0; i < 2; i++)
            if (fails[i] && !prove_branch(j, branch->branch + i, names)) return false;
    }
    return found;
}

static void prove_places(Judge *j)
{
    for (uint32_t i = 0; i < j->places.len; i++) {
        uint32_t names = 0;
        if (j->places.data[i].is_shown || j->places.data[i].check || !prove_assertion(j, i, &names)) continue;
        j->places.data[i].is_shown = true;
        j->places.data[i].names = names;
    }
}

/* A check that could not be shown is assumed to be passed, and its verdict rests on just that: executions that fail it are what is left to test.  One name for all
 * checks of a kind is enough, for the first that fails is what counts. */
static void rest_on_itself(Judge *j)
{
    static const char *const names[] = {[IMPLICIT_OVERFLOW] = "no_overflow",
                                        [IMPLICIT_DIVISION] = "no_zero_divisor",
                                        [IMPLICIT_SHIFT] = "shift_fits",
                                        [IMPLICIT_NULL] = "not_null",
                                        [IMPLICIT_BOUNDS] = "in_bounds"};
    for (uint32_t i = 0; i < j->places.len; i++) {
        Place *p = &j->places.data[i];
        if (p->is_shown || !p->check) continue;
        const Loc loc = {.file = p->file, .line = p->line};
        if (!assumption_at(j, p->check, &loc)) {
            Assumption itself = {p->check, p->file, p->line, name_number(j, mem_strdup(names[p->check]))};
            vec_push(&j->assumptions, itself);
        }
        p->is_shown = true;
        p->names = 1u << assumption_at(j, p->check, &loc)->name;
    }
}

/* ---- results ---- */

static void write_supposition(const Judge *j, const Place *p, StrBuf *text)
{
    strbuf_add(text, "");
    for (uint32_t name = 0; name < j->names.len && p->is_shown; name++)
        if (p->names >> name & 1) strbuf_addf(text, "%s%s", text->len ? " && " : "", j->names.data[name]);
    if (!text->len) strbuf_add(text, p->is_shown ? "true" : "false");
}

static void tell(Judge *j, Results *results)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < j->places.len; i++)
        if (j->places.data[i].is_shown) used |= j->places.data[i].names;
    for (uint32_t i = 0; i < j->assumptions.len; i++) {
        const Assumption *a = &j->assumptions.data[i];
        if (!(used >> a->name & 1)) continue;
        results_add(results, (Annotation){.is_assumption = true,
                                          .is_own = true,
                                          .check = a->check,
                                          .text = j->names.data[a->name],
                                          .file = (char *)a->file,
                                          .line = a->line,
                                          .origin = "analysis"});
    }
    for (uint32_t i = 0; i < j->places.len; i++) {
        const Place *p = &j->places.data[i];
        StrBuf text = {0};
        write_supposition(j, p, &text);
        results_add(
            results,
            (Annotation){
                .is_own = true, .check = p->check, .text = text.text, .file = (char *)p->file, .line = p->line, .origin = "analysis"});
        strbuf_release(&text);
    }
}

static void release(Judge *j)
{
    for (uint32_t i = 0; i < j->runs.len; i++) free(j->runs.data[i].fails);
    for (uint32_t i = 0; i < j->names.len; i++) free(j->names.data[i]);
    vec_release(&j->runs);
    vec_release(&j->names);
    vec_release(&j->places);
    vec_release(&j->assumptions);
    free(j->definitions);
    free(j->kept);
    free(j->assumed);
}

void analyse_verdicts(const Program *program, const VerdictOptions *options, Results *results)
{
    for (uint32_t i = 0; i < program->function_count; i++) {
        Judge j = {.program = program, .options = options, .function = i, .f = &program->functions[i]};
        if (!j.f->defined || j.f->in_model || j.f->in_harness) continue;
        find_places(&j);
        if (j.places.len) {
            find_definitions(&j);
            find_kept(&j);
            find_assumptions(&j);
            give_names(&j);
            judge_places(&j);
            if (options->prove) prove_places(&j);
            rest_on_itself(&j);
            tell(&j, results);
        }
        release(&j);
    }
}
