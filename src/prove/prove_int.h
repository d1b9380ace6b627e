/* What the files of prove/ share. */
#ifndef CLEW_PROVE_INT_H
#define CLEW_PROVE_INT_H

#include "prove/prove.h"

/* Runs clew-check on a certificate, tells each branch that it accepts, and adds what it prints to `output` (NULL: nowhere).  *exit_status is its own,
 * unless NULL.  `solver` NULL: the checker's own choice. */
Status prove__run_checker(const char *certificate, const char *solver, void (*accepted)(void *data, uint32_t id), void *data,
                          StrBuf *output, Error *error);

#endif
