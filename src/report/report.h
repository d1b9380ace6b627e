/* report: what a person sees of a campaign: a live line on a terminal, and a closing summary that fits one screen. */
#ifndef CLEW_REPORT_H
#define CLEW_REPORT_H

#include "base/base.h"
#include "ledger/ledger.h"
#include "replay/replay.h"

#include <stdio.h>

typedef struct ReportStatus { /* of the campaign as it goes on */
    const char *phase;        /* "compiling", "searching", "replaying" */
    const char *unit, *strategy;
    uint32_t units_done, units;
    uint32_t branches, reached;
    uint64_t paths, queries;
    uint32_t tests, bugs;
    double seconds, seconds_left; /* left < 0: no limit */
} ReportStatus;

typedef struct Report Report;
/* The live line is shown if `out` is a terminal and `quiet` is not set; it is rewritten in place, at most ten times a second, and never longer than the
 * terminal is wide. */
Report *report_new(FILE *out, bool quiet);
void report_free(Report *report); /* erases the line */
void report_status(Report *report, const ReportStatus *status);
void report_clear(Report *report); /* before something else is printed */

/* The closing summary: coverage, tests and where they are, bugs with file:line, what is open and why (grouped, at most so many lines that all
 * fits 24 lines of 80 columns where it can), assumptions, what was lost, what to do next. */
void report_summary(FILE *out, const Ledger *ledger, const Replay *replay, bool quiet);
/* "3 paths, reused 2 times, inlined 0 times": how a function's summary was of use; with the reason if it was inlined. */
void report_function(const LedgerSummary *summary, StrBuf *out);

#endif
