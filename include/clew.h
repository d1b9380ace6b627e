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

/* For a function of numbers whose result depends on its arguments alone and whose other effects do not matter (a hash, a formula):
 *     CLEW_CONCRETE CLEW_PARTITION("x > 3") CLEW_PARTITION("x <= 3") unsigned hash(unsigned x);
 * Clew does not look for inputs inside it but runs it, as often as it takes to find arguments with the results it needs.  Each partition
 * (repeatable) names a part of the arguments worth trying, by a condition in C over the parameters. */
#if defined(__clang__)
#define CLEW_CONCRETE __attribute__((annotate("clew.concrete")))
#define CLEW_PARTITION(condition) __attribute__((annotate("clew.partition:" condition)))
#else
#define CLEW_CONCRETE
#define CLEW_PARTITION(condition)
#endif

/* Verification results (docs/verified.md).
 *     CLEW_ASSUMED(balance <= INT_MAX - amount, no_overflow);   a verifier has assumed, without checking it, that the condition holds here
 *     CLEW_ASSERT_VERIFIED(balance >= before, no_overflow);     it has verified that the condition holds here, if what was assumed under these names did
 *     CLEW_OLD(before, balance);                                declares `before`: what `balance` is here, at the start of the function
 * The second argument of CLEW_ASSERT_VERIFIED is a formula of names, `&&`, `||`, `true` and `false`.  `clew test` looks for executions that are not verified, and
 * leaves out those that are; natively the assertion is an assertion, and the assumption does nothing. */
#define CLEW_ASSUMED(condition, name) clew__assumed(!!(condition), #name, #condition)
#define CLEW_ASSERT_VERIFIED(condition, formula) clew__assert_verified(!!(condition), #formula, __FILE__, __LINE__, #condition)
#define CLEW_OLD(variable, expression) __typeof__(expression) const variable = (expression)
void clew__assumed(int holds, const char *name, const char *condition);
void clew__assert_verified(int holds, const char *formula, const char *file, int line, const char *condition);

/* Does the value depend on an input?  (Always 0 in a native run.) */
int clew_is_symbolic(unsigned long value);

#ifdef __cplusplus
}
#endif
#endif
