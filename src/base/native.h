/* native: functions and variables that the host provides to a program under test.
 *
 * Those are what any C program is linked with, and the libraries that the user names.  Clew itself is linked with others, whose symbols the
 * dynamic linker would find just as well: they are none of the program's. */
#ifndef CLEW_NATIVE_H
#define CLEW_NATIVE_H

/* Its address; NULL: no library that the program is linked with has it. */
void *native_find(const char *name);
/* The library of the system, beside the C library itself, that has it, as -l names it ("m"); NULL: none. */
const char *native_library(const char *name);
/* Loads a library of the user's for good.  NULL: it cannot be loaded, and dlerror says why. */
void *native_open(const char *path);

#endif
