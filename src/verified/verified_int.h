/* What the readers of results and of alarms share. */
#ifndef CLEW_VERIFIED_INT_H
#define CLEW_VERIFIED_INT_H

#include "verified/verified.h"

/* The whole text of a file, which the caller releases.  `what` names its content in the message. */
Status verified__read_text(const char *path, const char *what, StrBuf *text, Error *error);

void verified__add_alarm(Alarms *alarms, const char *tool, const char *rule, const char *message, const char *file, uint64_t line);

/* frama_c.c */
bool frama_c_wrote(const char *text);                 /* by -report-csv */
bool frama_c_wrote_goals(const char *text);           /* by -wp-report-json */
Status frama_c_goals(const char *path, Error *error); /* They name no lines; the message says what to do. */
void frama_c_results(const char *text, const char *origin, Results *results);
void frama_c_alarms(const char *text, Alarms *alarms);

#endif
