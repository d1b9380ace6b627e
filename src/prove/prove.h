/* prove: branches that cannot be taken, with certificates that clew-check has accepted.
 *
 * The sources alone are compiled and linked, without a harness and without Clew's library, so that whatever they do not define is arbitrary.  The bitcode is
 * kept as DIR/proofs/program.bc, each certificate beside it as DIR/proofs/N.json (docs/proofs.md).  A branch counts as proved only if clew-check, a program
 * of its own, has accepted its certificate. */
#ifndef CLEW_PROVE_H
#define CLEW_PROVE_H

#include "base/base.h"
#include "front/front.h"

typedef struct ProveBranch {
    uint32_t id;                 /* the caller's; certificates name it */
    const char *function, *file; /* static functions may have a number after their name, from linking: it is not compared */
    uint32_t line, column, ordinal, which;
    const char *why; /* it was not proved, for people; NULL where it was */
    char *proof;     /* path of the certificate below the directory, if it was proved; the caller's to free */
} ProveBranch;

typedef struct ProveOptions {
    FrontOptions front;    /* the sources; harnesses and library are left out */
    const char *directory; /* of the campaign */
    bool whole; /* a whole program with `main`; else the units below are called with any arguments, in any state of the globals */
    const char *const *units; /* names in C; where static functions share one, all of them are meant */
    uint32_t unit_count;
    double deadline; /* on clock_seconds; nothing new is begun after it; 0: none */
    uint64_t work;   /* units of counted work, about a nanosecond each, that backward analysis may take in all; 0: no limit */
    void *data;
    bool (*is_reached)(void *data, uint32_t id);              /* a run takes the branch by now, so it needs no proof; may be NULL */
    void (*on_proved)(void *data, const ProveBranch *branch); /* may be NULL */
} ProveOptions;

typedef struct ProveStats {
    uint32_t certificates, claimed, accepted; /* claimed: branches that certificates were written for */
    double analyse_seconds, backward_seconds, check_seconds;
} ProveStats;

/* Fails only where files cannot be written or the sources cannot be compiled; what cannot be proved is left without a proof. */
Status prove_branches(const ProveOptions *options, ProveBranch *branches, uint32_t count, ProveStats *stats, Error *error);

/* Adds what Clew's own analysis verifies in the sources, under the assumptions that it makes without justification (analyse/verdicts.c).  Names belong to the
 * program if it has a `main`, unless its functions are tested one by one (`units`). */
Status prove_verdicts(const FrontOptions *options, bool units, Results *results, Error *error);

/* Checks every certificate of a campaign again and prints what clew-check says.  *rejected counts the certificates that were not accepted as a whole;
 * fails if there is a certificate that cannot be judged. */
Status prove_check(const char *directory, const char *solver, uint32_t *rejected, Error *error);

/* ---- why a proved branch cannot be taken ---- */
typedef struct ProveFact {
    char *file; /* "" where the place is not known */
    uint32_t line;
    char *text; /* a sentence for people */
} ProveFact;
typedef struct ProveWhy {
    Vec(ProveFact) because; /* from the branch's own condition backwards through the program; a few at most */
    Vec(ProveFact) relies;  /* the certificate's places where undefined behaviour is excluded, all of them */
} ProveWhy;
typedef struct Explainer Explainer;
/* Reads the bitcode of the campaign's proofs; fails if there is none. */
Status explainer_new(Explainer **explainer, const char *directory, Error *error);
void explainer_free(Explainer *explainer);
/* `proof`: path of the certificate below the directory; `id`: the branch in it.  Fails if the certificate is damaged or about another program or branch.
 * The facts are the caller's: prove_why_release. */
Status explainer_why(Explainer *explainer, const char *proof, uint32_t id, ProveWhy *why, Error *error);
void prove_why_release(ProveWhy *why);

#endif
