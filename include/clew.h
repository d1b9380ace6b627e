/* clew.h: what a program under test may say to Clew.  Found without any -I flag.
 * Everything here is also meaningful, or harmless, when the program is compiled and run by itself. */
#ifndef CLEW_H
#define CLEW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the n bytes at `address` inputs. */
void clew_make_symbolic(void *address, size_t n, const char *name);

/* A new input value of the given type. */
_Bool clew_bool(const char *name);
char clew_char(const char *name);
unsigned char clew_uchar(const char *name);
short clew_short(const char *name);
unsigned short clew_ushort(const char *name);
int clew_int(const char *name);
unsigned clew_uint(const char *name);
long clew_long(const char *name);
unsigned long clew_ulong(const char *name);
float clew_float(const char *name);
double clew_double(const char *name);
int clew_range(int low, int high, const char *name); /* low <= result < high */

/* Only executions in which the condition holds are of interest. */
void clew_assume(int condition);

/* Must hold whenever it is reached. */
void clew_assert(int condition);

/* Does the value depend on an input?  (Always 0 in a native run.) */
int clew_is_symbolic(unsigned long value);

#ifdef __cplusplus
}
#endif
#endif
