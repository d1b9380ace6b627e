/* line: descriptors over which processes of Clew talk to each other. */
#ifndef CLEW_LINE_H
#define CLEW_LINE_H

#include "base/base.h"

/* Makes a connection in both directions.  Its descriptors are high ones, so that a program under test, which runs in the same process, does not close them
 * by chance.  Returns false if the process has no descriptors left. */
bool line_pair(int ends[2]);
int line_move_up(int descriptor); /* to such a descriptor, if there is one */
/* All bytes; false: the other end is closed.  Nobody is killed by SIGPIPE. */
bool line_write(int line, const void *bytes, size_t n);
bool line_read(int line, void *bytes, size_t n);
bool line_wait(int line, int milliseconds); /* for something to read, or the other end to be closed; -1: without a limit */

#endif
