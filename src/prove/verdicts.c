/* What Clew itself can verify of sources, as results of a verifier: the analysis of analyse/verdicts.c, of the sources alone, and proofs of assertions.
 *
 * A proof is a certificate that clew-check has accepted.  It says on which instructions it relies to be defined: overflow among them is what the verdict
 * assumes.  A division by zero and a write beside its object end an execution, so nothing has to be assumed of them.  Writes of several bytes through pointers that
 * are not followed are relied on to be aligned, which nothing checks: a function that may come to one has no proofs. */
#include "analyse/objects.h"
#include "prove/prove_int.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    ANALYSIS_WORK = 400000,  /* instructions to interpret before the backward analysis.  A guess. */
    PROOF_WORK = 30000000,   /* units of work for one branch, about 30 ms.  A guess. */
    PROOF_EFFORT = 20000000, /* of one question, as in prove.c */
    CHECK_BUDGET = 500,      /* clew-check's units, about half a second, for one certificate.  A guess. */
    MOST_PROOFS = 60         /* attempts in all, so that a project with thousands of assertions does not wait for minutes.  A guess. */
};

typedef struct Prover {
    Program *program;
    char *scratch; /* with program.bc */
    uint64_t hash;
    uint32_t attempts;
    uint8_t *reached; /* by function: the function at hand may call it */
    bool accepted;
} Prover;

/* ---- what a function may come to ---- */

/* false: code that is not here, or that is not known, may be called, and that may call anything. */
static bool find_reached(Prover *p, uint32_t function)
{
    const Function *f = &p->program->functions[function];
    if (p->reached[function]) return true;
    p->reached[function] = 1;
    for (uint32_t i = 0; i < f->call_count; i++) {
        uint32_t callee = f->calls[i].callee;
        if (callee == UINT32_MAX) return false;
        const Function *called = &p->program->functions[callee];
        if (objects_runs(called) ? !find_reached(p, callee) : objects_effect(p->program, called, &f->calls[i]) == EFFECT_UNKNOWN)
            return false;
    }
    return true;
}

static bool calls_itself(const Prover *p, uint32_t function)
{
    for (uint32_t f = 0; f < p->program->function_count; f++)
        for (uint32_t i = 0; p->reached[f] && i < p->program->functions[f].call_count; i++)
            if (p->program->functions[f].calls[i].callee == function) return true;
    return false;
}

/* ---- what a certificate relies on ---- */

static bool is_at(const Function *f, const Instr *instr, const json_t *place)
{
    if (!instr->origin) return false;
    const CodeOrigin *origin = &f->origins[instr->origin - 1];
    return json_integer_value(json_array_get(place, 1)) == origin->block && json_integer_value(json_array_get(place, 2)) == origin->instr;
}

static bool is_overflow(const Instr *instr)
{
    return instr->op == OP_ADD || instr->op == OP_SUB || instr->op == OP_MUL;
}

/* Does it not matter, where the instruction is relied on to be defined, what comes after it if it is not? */
static bool ends_if_undefined(const Instr *instr)
{
    bool divides = instr->op >= OP_UDIV && instr->op <= OP_SREM;
    return divides || (instr->op == OP_STORE && instr->width <= 8) || instr->op == OP_MEMCPY || instr->op == OP_MEMMOVE ||
           instr->op == OP_MEMSET;
}

static bool take_place(const Prover *p, uint32_t function, const json_t *place, uint8_t *relied)
{
    const char *name = json_string_value(json_array_get(place, 0));
    for (uint32_t g = 0; name && g < p->program->function_count; g++) {
        const Function *f = &p->program->functions[g];
        if (strcmp(f->name, name) != 0) continue;
        for (uint32_t i = 0; p->reached[g] && i < f->code_count; i++) {
            const Instr *instr = &f->code[i];
            if (!is_at(f, instr, place) || ends_if_undefined(instr)) continue;
            bool is_own = g == function && is_overflow(instr) && (instr->flags & FLAG_NSW) && !(instr->flags & FLAG_NUW);
            if (!is_own && (is_overflow(instr) || instr->op == OP_STORE || instr->op == OP_SHL)) return false;
            if (is_own) relied[i] = 1;
        }
        return true;
    }
    return false;
}

static bool take_relies(const Prover *p, uint32_t function, const char *certificate, uint8_t *relied)
{
    json_t *root = json_loads(certificate, 0, NULL), *list = json_object_get(root, "relies");
    bool fine = json_is_array(list);
    for (size_t i = 0; fine && i < json_array_size(list); i++) fine = take_place(p, function, json_array_get(list, i), relied);
    json_decref(root);
    return fine;
}

/* ---- one branch ---- */

static void accept(void *data, uint32_t id)
{
    Prover *p = data;
    p->accepted |= id == 0;
}

static void drop(void *data, uint32_t node)
{
    (void)data, (void)node;
}

static bool check(Prover *p, const StrBuf *text)
{
    Error error;
    CheckerTold told = {.data = p, .accepted = accept, .dropped = drop};
    char *path = mem_format("%s/certificate.json", p->scratch);
    FILE *out = fopen(path, "w");
    bool written = out && fwrite(text->text, 1, text->len, out) == text->len;
    if (out) written &= fclose(out) == 0;
    p->accepted = false;
    if (written && prove__run_checker(path, CHECK_BUDGET, 0, &told, &error) != OK) p->accepted = false;
    unlink(path);
    free(path);
    return written && p->accepted;
}

static bool prove_with(Prover *p, Backward *b, uint32_t function, uint32_t branch, uint8_t *relied)
{
    static const uint32_t id = 0;
    StrBuf text = {0};
    bool proved = backward_prove(b, branch, PROOF_WORK) == BACKWARD_PROVED;
    if (proved) backward_certificate(b, &branch, &id, 1, p->hash, &text);
    proved = proved && take_relies(p, function, text.text, relied) && check(p, &text);
    strbuf_release(&text);
    return proved;
}

static bool prove(void *data, uint32_t function, uint32_t branch, uint8_t *relied)
{
    Prover *p = data;
    AnalyseOptions options = {.entries = &function, .entry_count = 1, .work = ANALYSIS_WORK};
    memset(p->reached, 0, p->program->function_count);
    if (p->attempts++ >= MOST_PROOFS || !find_reached(p, function) || calls_itself(p, function)) return false;
    Analysis *analysis = analyse(p->program, &options);
    BackwardOptions backward = {.entries = &function, .entry_count = 1, .analysis = analysis, .effort = PROOF_EFFORT};
    Backward *b = backward_new(p->program, &backward);
    bool proved = b && prove_with(p, b, function, branch, relied);
    if (b) backward_free(b);
    if (analysis) analysis_free(analysis);
    return proved;
}

/* ---- the whole ---- */

static bool is_wrapping(const char *flag)
{
    return strcmp(flag, "-fwrapv") == 0 || strcmp(flag, "-fno-strict-overflow") == 0;
}

/* Also where overflow wraps, it is told which arithmetic is signed: it may be assumed not to overflow all the same. */
static bool without_wrapping(FrontOptions *front)
{
    bool wraps = false;
    const char **flags = mem_alloc((front->flag_count + 1) * sizeof *flags);
    uint32_t count = 0;
    for (uint32_t i = 0; i < front->flag_count; i++) {
        if (is_wrapping(front->flags[i])) wraps = true;
        else flags[count++] = front->flags[i];
    }
    front->flags = flags;
    front->flag_count = count;
    return wraps;
}

static Status judge(FrontOptions *front, VerdictOptions *options, bool units, Results *results, Error *error)
{
    Prover p = {0};
    if (scratch_new(&p.scratch, error) != OK) return FAILED;
    char *bitcode = mem_format("%s/program.bc", p.scratch);
    front->bitcode_out = bitcode;
    Status status = front_load(front, &p.program, NULL, error);
    if (status == OK) status = prove__hash_file(bitcode, &p.hash, error);
    if (status == OK) {
        const Function *entry = program_function(p.program, "main");
        p.reached = mem_alloc(p.program->function_count + 1);
        options->whole = !units && entry && entry->defined;
        options->prove = prove;
        options->data = &p;
        analyse_verdicts(p.program, options, results);
    }
    if (p.program) program_free(p.program);
    unlink(bitcode);
    rmdir(p.scratch);
    free(bitcode);
    free(p.scratch);
    free(p.reached);
    return status;
}

Status prove_verdicts(const FrontOptions *options, bool units, Results *results, Error *error)
{
    FrontOptions front = *options;
    VerdictOptions verdicts = {.wraps = without_wrapping(&front)};
    front.harnesses = NULL;
    front.harness_count = 0;
    front.models_dir = NULL;
    front.entry = NULL;
    front.guide = FRONT_GUIDE_NONE;
    Status status = judge(&front, &verdicts, units, results, error);
    free(front.flags);
    return status;
}
