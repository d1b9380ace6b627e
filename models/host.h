/* What the library may ask of the machine that runs it.  In Clew these are primitives of the VM (src/vm/builtin*.c);
 * tests/models/host_native.c gives the same ones natively, so that the library can be compared with glibc.
 *
 * Calls that can fail return a negative errno.  Arguments that depend on inputs are made concrete by the VM. */
#ifndef CLEW_MODELS_HOST_H
#define CLEW_MODELS_HOST_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* True when effects on the world are real (`clew run`); false while inputs are being explored: then nothing outside may change, and files
 * that are written live in memory. */
int clew__real_effects(void);

/* Real files. */
int clew__open(const char *path, int flags, int mode);
int clew__close(int fd);
ssize_t clew__read(int fd, void *buffer, size_t n);
ssize_t clew__pread(int fd, void *buffer, size_t n, int64_t offset);
ssize_t clew__write(int fd, const void *buffer, size_t n); /* while exploring: only 1 and 2, and the VM keeps or drops it */
int64_t clew__seek(int fd, int64_t offset, int whence);
int clew__unlink(const char *path);
int clew__isatty(int fd);

/* Symbolic files: the bytes of `path` ("-" is standard input) if the user declared it symbolic, else NULL.  The size may itself be an
 * input. The VM returns the same buffer every time. */
const unsigned char *clew__symbolic_file(const char *path, size_t *size);
void clew__read_nothing(void); /* the program has tried to read, but took nothing: the file has ended, or what comes next does not fit */
const char *clew__symbolic_name(unsigned i); /* the name of the i-th of them, the standard input left aside; NULL: there are fewer */

/* The end of the program. */
_Noreturn void clew__exit(int status);
_Noreturn void clew__die(int signal);                    /* as if the signal's default action had killed it */
_Noreturn void clew__wrong_verdict(const char *formula); /* reported as `wrong-verdict` at the caller; then as abort */
_Noreturn void clew__assertion_failed(void);             /* reported as `assertion` at the caller; then as abort */

/* Native conversions on concrete values: exactly glibc's functions of these names. */
int clew__snprintf(char *out, size_t n, const char *format, ...); /* the format has one conversion */
double clew__strtod(const char *text, char **end);
float clew__strtof(const char *text, char **end);
long double clew__strtold(const char *text, char **end);

/* Memory. */
void *clew__malloc(size_t n);
void clew__free(void *memory);
void *clew__realloc(void *memory, size_t n);
void *clew__memalign(size_t alignment, size_t n);
size_t clew__object_size(const void *address); /* of the whole object that holds it */

/* Inputs. */
void clew__symbolic(void *address, size_t n, const char *name); /* makes the bytes inputs */
/* A new input, zero-extended.  Kinds: 'i' signed, 'u' unsigned, 'b' bool, 'c' character, 'f' float. */
uint64_t clew__symbolic_value(int bits, int kind, const char *name);
unsigned clew__argument_limit(void);   /* arguments that are inputs; their strings follow the others in argv */
int clew__variable_is_set(unsigned i); /* an input: is the i-th entry of the environment there?  -1: all from here on are */
int clew__may_fail(
    const char *name); /* an input: does this call of a function fail?  No call does when the function under test has returned */
void clew__assume(int condition);
int clew__is_symbolic(uint64_t value); /* does it depend on inputs? */
uint64_t clew__peek(uint64_t value);   /* the value under the current model; the path is not bound to it */

/* Constructors and destructors of the program, in the order to run; null after the last.  Called one by one from here, so that going back
 * into one of them is possible. */
typedef void clew__Initializer(int argc, char **argv, char **envp);
clew__Initializer *clew__constructor_at(unsigned i);
clew__Initializer *clew__destructor_at(unsigned i);

/* Files by name, and their attributes: as the system calls. */
struct stat;
int clew__fstatat(int directory, const char *path, struct stat *out, int flags);
int clew__openat(int directory, const char *path, int flags, int mode);
ssize_t clew__pwrite(int fd, const void *buffer, size_t n, int64_t offset);
int clew__ftruncate(int fd, int64_t size);
int clew__dup(int fd);
int clew__dup3(int fd, int wanted, int flags);
int clew__rename(const char *from, const char *to);
int clew__rmdir(const char *path);
int clew__fcntl(int fd, int command, long argument);
int clew__access(const char *path, int mode);

/* Processes. */
int clew__getpid(void);
int clew__kill(int pid, int signal);
enum { CLEW__DEFAULT, CLEW__IGNORE, CLEW__CATCH_RESTART, CLEW__CATCH };
void clew__disposition(int signal, int disposition); /* what happens when the signal comes from outside; caught ones reach clew__deliver */
void clew__sleep_ns(int64_t ns);

/* The texts of strerror and strsignal, cut to n - 1 bytes; returns the whole length. */
size_t clew__strerror(int error, char *out, size_t n);
size_t clew__strerrorname(int error, char *out, size_t n); /* "EINVAL"; 0 if it has no name */
size_t clew__strsignal(int signal, char *out, size_t n);

/* The world as chosen by options; `clew run` gives the real one. */
int64_t clew__time_ns(int clock_id);
unsigned clew__random_seed(void); /* what rand starts from without srand; natively 1 */

#endif
