/* report: what its files share.  collect.c turns a ledger into rows of text, summary.c lays them out, live.c is the live line. */
#ifndef CLEW_REPORT_INT_H
#define CLEW_REPORT_INT_H

#include "report/report.h"

typedef enum SectionName {
#define SECTION(NAME, label, least, repeat, where) SECTION_##NAME,
#include "report/sections.def"
#undef SECTION
    SECTIONS
} SectionName;

/* The tail (a path, mostly) stands at the end of the line if there is room, else on one of its own.  NULL: none. */
typedef struct SectionRow {
    char *text, *tail;
} SectionRow;

typedef struct Section {
    Vec(SectionRow) rows;
} Section;

typedef struct Summary {
    char *headline;
    bool alarming; /* there is a bug */
    Section sections[SECTIONS];
} Summary;

/* What there is to say; replay NULL: the tests were not replayed. */
void report__collect(Summary *summary, const Ledger *ledger, const Replay *replay);
void report__release(Summary *summary);
/* A path as the user would write it: relative to where Clew runs. */
const char *report__relative(const char *file);
/* Columns of the terminal; 0: it is none. */
unsigned report__width(FILE *out);
/* Bytes of the longest beginning of the text that takes at most so many columns (one for each character). */
size_t report__fitting(const char *text, size_t columns);
size_t report__columns(const char *text);

#endif
