/* campaign: from sources to a suite of tests.
 *
 *   sources ─▶ declarations ─▶ units ─▶ harness ─▶ program ─▶ a search for each unit, in processes of their own ─▶ ledger
 *           ─▶ tests ─▶ native replay ─▶ a small suite ─▶ summary
 * Searches tell what they find as they find it, so whatever happens to one of them (native code that crashes, a limit) costs at most what
 * it had not found yet. */
#ifndef CLEW_CAMPAIGN_H
#define CLEW_CAMPAIGN_H

#include "base/base.h"
#include "emit/emit.h"
#include "front/front.h"
#include "search/search.h"
#include "unit/unit.h"

typedef struct CampaignOptions {
    FrontOptions front;
    unsigned guide;       /* FRONT_GUIDE_…: what verification results do to the search; proofs know nothing of them */
    SearchOptions search; /* deadline, known and wanted branches, and kept summaries are the campaign's own business */
    UnitOptions units;
    Vec(const char *) alarms;       /* files with alarms of other tools */
    Vec(const char *) results;      /* files with results of a verifier */
    Vec(const char *) fails;        /* --fail: functions of the library whose calls may fail */
    Vec(const char *) suppressions; /* files that name bugs which are known */
    bool from_analysis;             /* what Clew's own analysis shows under assumptions counts as such results */
    EmitOptions emit;
    const char *const *functions; /* to be tested; none: main, or every external function */
    bool strict;                  /* preconditions that a call breaks are bugs of the function */
    uint32_t function_count;
    const char *out;      /* directory */
    const char *target;   /* what is tested, in words of the command line */
    double started, time; /* on clock_seconds; seconds for everything, 0: no limit */
    uint32_t jobs;
    uint64_t fingerprint; /* of the options that change what is found */
    uint64_t budget;      /* of those that change how much is found */
    bool fresh;           /* everything is searched, whatever is known from an earlier command */
    bool resume, replay, quiet, json, stats;
    bool prove;              /* that branches which no test covers cannot be taken */
    const char *target_file; /* --target: stop when this line is reached; NULL: none */
    uint32_t target_line;
    const char *target_function;
    const char *cc;   /* for replay; NULL: gcc */
    char **arguments; /* of the command, kept for campaign_replay */
    uint32_t argument_count;
} CampaignOptions;

/* The number of bugs found (confirmed, if there was a replay) is *bugs. */
Status campaign_run(const CampaignOptions *options, uint32_t *bugs, Error *error);

/* The arguments of the command that made the directory; changes to the directory that it was given in. */
Status campaign_read_command(const char *out, const char ***arguments, uint32_t *count, Error *error);
/* Runs the tests of options->out natively again and compares with its ledger; *differences counts what does not agree. */
Status campaign_replay(const CampaignOptions *options, uint32_t *differences, Error *error);

#endif
