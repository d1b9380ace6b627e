/* Branches that no test covers: which of them cannot be taken.
 *
 * Only what clew-check has accepted is called infeasible, and never a branch that a run reached, in the machine or natively. */
#include "campaign/campaign_int.h"
#include "prove/prove.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROOF_WORK 10000000000u /* units, about ten seconds, for proofs where neither time nor work is limited.  A guess. */

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
        if (!b->counted || b->status != LEDGER_OPEN || b->reached || c->known[i] == KNOWN_REACHED || (c->settled && c->settled[i]))
            continue;
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

/* Where all paths are known, the reason also says why there is no certificate. */
static void enter_why(Campaign *c, uint32_t id, const char *why)
{
    LedgerBranch *b = &vec_at(&c->ledger->branches, id);
    const char *known = b->status == LEDGER_OPEN && b->reason ? b->reason : "";
    if (!strstr(known, "were executed") || strstr(known, "not certified")) return;
    char *text = mem_format("%s; not certified because %s", known, why);
    ledger_set_text(&b->reason, text);
    ledger_touch_branch(c->ledger, id);
    free(text);
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

/* ---- beside the search ---- */

/* The prover tells one line for each branch: its number and the certificate. */
struct Prover {
    pid_t pid;
    int in;
    ProveBranches list;
    Names units;
};

static ProveOptions prove_options(const Campaign *c, const Names *units)
{
    const CampaignOptions *o = c->options;
    return (ProveOptions){.front = o->front,
                          .directory = c->ledger->directory,
                          .whole = c->whole_program,
                          .units = units->data,
                          .unit_count = units->len,
                          .work = o->search.work ? o->search.work
                                  : o->time > 0  ? 0
                                                 : PROOF_WORK,
                          .deadline = o->time > 0 ? o->started + o->time : 0};
}

static bool is_reached(void *data, uint32_t id)
{
    const Campaign *c = data;
    return c->known[id] == KNOWN_REACHED;
}

static void tell_proved(void *data, const ProveBranch *branch)
{
    Campaign *c = data;
    if (c->known[branch->id] == KNOWN_NOTHING) c->known[branch->id] = KNOWN_PROVED;
    dprintf(c->prover->in, "%u %s\n", branch->id, branch->proof);
}

static _Noreturn void be_prover(Campaign *c, pid_t parent)
{
    ProveOptions options = prove_options(c, &c->prover->units);
    ProveStats stats;
    Error error;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    setpgid(0, 0);
    options.data = c;
    options.is_reached = is_reached;
    options.on_proved = tell_proved;
    Status status = prove_branches(&options, c->prover->list.data, c->prover->list.len, &stats, &error);
    if (status != OK) dprintf(c->prover->in, "error %s\n", error.text);
    for (uint32_t i = 0; i < c->prover->list.len; i++)
        if (c->prover->list.data[i].why) dprintf(c->prover->in, "why %u %s\n", c->prover->list.data[i].id, c->prover->list.data[i].why);
    dprintf(c->prover->in, "stats %u %u %f %f %f\n", stats.certificates, stats.claimed, stats.analyse_seconds, stats.backward_seconds,
            stats.check_seconds);
    _exit(0);
}

/* Proofs are looked for while the search goes on, so that neither waits for the other and the search does not aim at what is proved.  With a budget of counted
 * work they come afterwards, so that the same command always gives the same result. */
void campaign__start_proofs(Campaign *c)
{
    const CampaignOptions *o = c->options;
    int ends[2];
    forget_proofs(c->ledger);
    if (!o->prove || o->time <= 0 || o->search.work || o->search.max_runs || pipe(ends) != 0) return;
    struct Prover *p = c->prover = mem_alloc(sizeof *p);
    list_open(c, &p->list);
    list_units(c, &p->units);
    fflush(NULL);
    pid_t parent = getpid();
    p->in = ends[1];
    p->pid = p->list.len ? fork() : -1;
    if (p->pid == 0) {
        close(ends[0]);
        be_prover(c, parent);
    }
    close(ends[1]);
    p->in = ends[0];
    fcntl(p->in, F_SETFD, FD_CLOEXEC);
}

static void take_line(Campaign *c, char *line, ProveStats *stats, Error *error, Status *status)
{
    unsigned id;
    int at = 0;
    if (sscanf(line, "stats %u %u %lf %lf %lf", &stats->certificates, &stats->claimed, &stats->analyse_seconds, &stats->backward_seconds,
               &stats->check_seconds) == 5)
        return;
    if (strncmp(line, "error ", 6) == 0) *status = fail(error, "%s", line + 6);
    if (sscanf(line, "why %u %n", &id, &at) == 1 && at && id < c->ledger->branches.len) {
        enter_why(c, id, line + at);
        return;
    }
    if (sscanf(line, "%u %n", &id, &at) != 1 || !at || id >= c->ledger->branches.len) return;
    const LedgerBranch *b = &vec_at(&c->ledger->branches, id);
    if (b->status == LEDGER_OPEN && !b->reached && c->known[id] != KNOWN_REACHED) enter(c, &(ProveBranch){.id = id, .proof = line + at});
}

/* When the search has ended, proofs go on until they have come to their end, or the campaign to its. */
static void wait_for_proofs(Campaign *c, StrBuf *told)
{
    struct Prover *p = c->prover;
    double end = c->interrupted ? 0 : c->options->started + c->options->time;
    char bytes[4096];
    for (;;) {
        struct pollfd fd = {.fd = p->in, .events = POLLIN};
        double left = end - clock_seconds();
        if (poll(&fd, 1, left > 0 ? (int)(left * 1000) + 1 : 0) <= 0) break;
        ssize_t n = read(p->in, bytes, sizeof bytes);
        if (n <= 0) break;
        strbuf_add_bytes(told, bytes, (size_t)n);
    }
}

static Status end_prover(Campaign *c, ProveStats *stats, Error *error)
{
    struct Prover *p = c->prover;
    StrBuf told = {0};
    Status status = OK;
    if (p->pid > 0) {
        wait_for_proofs(c, &told);
        kill(-p->pid, SIGKILL);
        kill(p->pid, SIGKILL);
        waitpid(p->pid, NULL, 0);
    }
    for (char *line = told.text, *end; line && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        take_line(c, line, stats, error, &status);
    }
    strbuf_release(&told);
    close(p->in);
    vec_release(&p->list);
    vec_release(&p->units);
    free(p);
    c->prover = NULL;
    return status;
}

static Status prove_now(Campaign *c, ProveStats *stats, Error *error)
{
    ProveBranches list = {0};
    Names units = {0};
    Status status = OK;
    if (c->options->prove && !c->interrupted) list_open(c, &list);
    if (list.len) {
        list_units(c, &units);
        ProveOptions options = prove_options(c, &units);
        status = prove_branches(&options, list.data, list.len, stats, error);
        for (uint32_t i = 0; i < list.len; i++) {
            if (list.data[i].proof) enter(c, &list.data[i]);
            else if (list.data[i].why) enter_why(c, list.data[i].id, list.data[i].why);
            free(list.data[i].proof);
        }
    }
    vec_release(&list);
    vec_release(&units);
    return status;
}

Status campaign__prove(Campaign *c, Error *error)
{
    ProveStats stats = {0};
    bool counted = !c->prover; /* else proofs are made by a process of their own */
    double begun = clock_processor_seconds();
    Status status = c->prover ? end_prover(c, &stats, error) : prove_now(c, &stats, error);
    ledger_set_stat(c->ledger, "proof_certificates", stats.certificates);
    ledger_set_stat(c->ledger, "proof_claims", stats.claimed);
    ledger_set_stat(c->ledger, "proof_analysis_seconds", stats.analyse_seconds);
    ledger_set_stat(c->ledger, "proof_backward_seconds", stats.backward_seconds);
    ledger_set_stat(c->ledger, "proof_check_seconds", stats.check_seconds);
    if (counted) ledger_set_stat(c->ledger, "proof_processor_seconds", clock_processor_seconds() - begun);
    for (uint32_t i = 0; i < c->ledger->branches.len; i++)
        enter_why(c, i, c->options->prove ? "there was no time for proofs (--time)" : "proofs are switched off (--no-backward)");
    enter_coverage(c->ledger);
    return status;
}

void campaign__print_coverage(const Campaign *c)
{
    const Ledger *l = c->ledger;
    fprintf(stderr,
            "clew: cov_b %.1f %%, cov_f %.1f %%: %.0f branches proved infeasible by %.0f certificates (analysis %.2f s, backward %.2f s, "
            "clew-check %.2f s)\n",
            100 * ledger_stat(l, "cov_b"), 100 * ledger_stat(l, "cov_f"), ledger_stat(l, "infeasible"),
            ledger_stat(l, "proof_certificates"), ledger_stat(l, "proof_analysis_seconds"), ledger_stat(l, "proof_backward_seconds"),
            ledger_stat(l, "proof_check_seconds"));
}
