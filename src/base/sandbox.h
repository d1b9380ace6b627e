/* sandbox: what a process that executes code under test may do to the machine it runs on.
 *
 * For good, and for all its children.  Files may be read anywhere and written only below one directory (Landlock); signals reach no process but its own and
 * its children's; in a strict one no other process is started at all (seccomp).  What is refused fails with EPERM or EACCES, as it would for an
 * unprivileged user.  Where the kernel offers neither, nothing is restricted. */
#ifndef CLEW_SANDBOX_H
#define CLEW_SANDBOX_H

#include "base/base.h"

typedef struct Sandbox {
    const char *writable; /* directory; NULL: nothing may be written */
    bool strict;          /* no new processes and programs */
} Sandbox;

void sandbox_enter(const Sandbox *sandbox);

#endif
