/* KLEE's names for inputs, as Clew understands them; for programs that include <klee/klee.h>. */
#ifndef CLEW_KLEE_H
#define CLEW_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void klee_make_symbolic(void *address, size_t n, const char *name);
int klee_int(const char *name);
int klee_range(int low, int high, const char *name); /* low <= result < high */
uintptr_t klee_choose(uintptr_t n);                  /* result < n */
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);
__attribute__((noreturn)) void klee_silent_exit(int status);
__attribute__((noreturn)) void klee_abort(void);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
size_t klee_get_obj_size(void *address);
void klee_stack_trace(void);
void klee_check_memory_access(const void *address, size_t n);
void klee_open_merge(void);
void klee_close_merge(void);

long klee_get_valuel(long value);
int32_t klee_get_value_i32(int32_t value);
uint32_t klee_get_value_u32(uint32_t value);
long long klee_get_value_i64(long long value);
unsigned long long klee_get_value_u64(unsigned long long value);
float klee_get_valuef(float value);
double klee_get_valued(double value);

#ifdef klee_assert
#undef klee_assert
#endif
#define klee_assert(condition) ((condition) ? (void)0 : klee_report_error(__FILE__, __LINE__, #condition, "assert.err"))

#ifdef __cplusplus
}
#endif
#endif
