/* Branches that no test covers: which of them cannot be taken.
 *
 * Only what clew-check has accepted is called infeasible, and never a branch that a run reached, in the machine or natively. */
#include "campaign/campaign_int.h"
#include "prove/prove.h"

#include <stdio.h>
#include <stdlib.h>

typedef Vec(ProveBranch) ProveBranches;
typedef Vec(const char *) Names;

/* What an earlier command proved is proved again: the program may be another. */
static void forget_proofs(Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        LedgerBranch *b = &ledger->branches.data[i];
        if (b->status != LEDGER_INFEASIBLE) continue;
        b->status = LEDGER_OPEN;
        ledger_set_text(&b->proof, NULL);
        ledger_set_text(&b->reason, NULL);
        ledger_touch_branch(ledger, i);
    }
}

static void list_open(const Campaign *c, ProveBranches *list)
{
    for (uint32_t i = 0; i < c->ledger->branches.len && i < c->program->branch_count; i++) {
        const LedgerBranch *b = &c->ledger->branches.data[i];
        if (!b->counted || b->status != LEDGER_OPEN || b->reached || c->known[i]) continue;
        vec_push(list, ((ProveBranch){.id = b->id,
                                      .function = c->program->functions[c->program->branches[i].function].name,
                                      .file = b->file,
                                      .line = b->line,
                                      .column = b->column,
                                      .ordinal = b->ordinal,
                                      .which = b->which}));
    }
}

static void list_units(const Campaign *c, Names *names)
{
    for (uint32_t i = 0; c->units && i < units_count(c->units); i++) vec_push(names, unit_function(units_at(c->units, i))->name);
    for (uint32_t i = 0; !c->units && i < c->ledger->units.len; i++) vec_push(names, c->ledger->units.data[i].name);
}

static void enter(Campaign *c, const ProveBranch *proved)
{
    LedgerBranch *b = &vec_at(&c->ledger->branches, proved->id);
    REQUIRE(b->status == LEDGER_OPEN && !b->reached, "a branch that was reached cannot be infeasible");
    b->status = LEDGER_INFEASIBLE;
    ledger_set_text(&b->proof, proved->proof);
    ledger_set_text(&b->reason,
                    c->whole_program
                        ? "no execution of the program without undefined behaviour takes it"
                        : "no call of a tested function takes it, whatever its arguments and the globals are, without undefined behaviour");
    ledger_touch_branch(c->ledger, proved->id);
}

static void enter_coverage(Ledger *ledger)
{
    double all = 0, covered = 0, infeasible = 0;
    for (uint32_t i = 0; i < ledger->branches.len; i++) {
        const LedgerBranch *b = &ledger->branches.data[i];
        all += b->counted;
        covered += b->counted && b->status == LEDGER_COVERED;
        infeasible += b->counted && b->status == LEDGER_INFEASIBLE;
    }
    ledger_set_stat(ledger, "infeasible", infeasible);
    ledger_set_stat(ledger, "cov_b", all > 0 ? covered / all : 1);
    ledger_set_stat(ledger, "cov_f", all > infeasible ? covered / (all - infeasible) : 1);
}

Status campaign__prove(Campaign *c, Error *error)
{
    const CampaignOptions *o = c->options;
    ProveBranches list = {0};
    Names units = {0};
    ProveStats stats = {0};
    Status status = OK;
    forget_proofs(c->ledger);
    if (o->prove && !c->interrupted) list_open(c, &list);
    if (list.len) {
        list_units(c, &units);
        ProveOptions options = {.front = o->front,
                                .directory = c->ledger->directory,
                                .whole = c->whole_program,
                                .units = units.data,
                                .unit_count = units.len,
                                .deadline = campaign__end(c)};
        status = prove_branches(&options, list.data, list.len, &stats, error);
        for (uint32_t i = 0; i < list.len; i++) {
            if (list.data[i].proof) enter(c, &list.data[i]);
            free(list.data[i].proof);
        }
        ledger_set_stat(c->ledger, "proof_certificates", stats.certificates);
        ledger_set_stat(c->ledger, "proof_claims", stats.claimed);
        ledger_set_stat(c->ledger, "proof_analysis_seconds", stats.analyse_seconds);
        ledger_set_stat(c->ledger, "proof_check_seconds", stats.check_seconds);
    }
    enter_coverage(c->ledger);
    vec_release(&list);
    vec_release(&units);
    return status;
}

void campaign__print_coverage(const Campaign *c)
{
    const Ledger *l = c->ledger;
    fprintf(
        stderr,
        "clew: cov_b %.1f %%, cov_f %.1f %%: %.0f branches proved infeasible by %.0f certificates (analysis %.2f s, clew-check %.2f s)\n",
        100 * ledger_stat(l, "cov_b"), 100 * ledger_stat(l, "cov_f"), ledger_stat(l, "infeasible"), ledger_stat(l, "proof_certificates"),
        ledger_stat(l, "proof_analysis_seconds"), ledger_stat(l, "proof_check_seconds"));
}
