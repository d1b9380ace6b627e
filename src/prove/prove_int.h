/* What the files of prove/ share. */
#ifndef CLEW_PROVE_INT_H
#define CLEW_PROVE_INT_H

#include "prove/prove.h"

/* Runs clew-check on a certificate and tells each branch that it accepts.  It is ended at the deadline (on clock_seconds; 0: none). */
Status prove__run_checker(const char *certificate, double deadline, void (*accepted)(void *data, uint32_t id), void *data, Error *error);

#endif
