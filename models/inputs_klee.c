/* KLEE's names for inputs. */
#include "internal.h"

void klee_make_symbolic(void *address, size_t n, const char *name);
void klee_make_symbolic(void *address, size_t n, const char *name)
{
    clew__symbolic(address, n, name);
}

int klee_int(const char *name);
int klee_int(const char *name)
{
    return (int)clew__symbolic_value(32, 'i', name);
}

int klee_range(int low, int high, const char *name);
int klee_range(int low, int high, const char *name)
{
    if (low + 1 == high) return low;
    int value = (int)clew__symbolic_value(32, 'i', name);
    clew__assume(low == 0 ? (unsigned)value < (unsigned)high : (low <= value) & (value < high));
    return value;
}

uintptr_t klee_choose(uintptr_t n);
uintptr_t klee_choose(uintptr_t n)
{
    uintptr_t value = clew__symbolic_value(64, 'u', "klee_choose");
    clew__assume(value < n);
    return value;
}

void klee_assume(uintptr_t condition);
void klee_assume(uintptr_t condition)
{
    clew__assume(condition != 0);
}

void klee_assert(uintptr_t condition);
void klee_assert(uintptr_t condition)
{
    if (!condition) clew__assertion_failed();
}

/* A wish for how the chosen input should look; every input is equally good here. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition)
{
    (void)object;
    (void)condition;
}

void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition)
{
    (void)object;
    (void)condition;
}

unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_symbolic(uintptr_t value)
{
    return clew__is_symbolic(value) != 0;
}

unsigned klee_is_replay(void);
unsigned klee_is_replay(void)
{
    return 0;
}

_Noreturn void klee_silent_exit(int status);
_Noreturn void klee_silent_exit(int status)
{
    clew__exit(status & 0xff);
}

_Noreturn void klee_abort(void);
_Noreturn void klee_abort(void)
{
    clew__die(6);
}

static void say(const char *text)
{
    clew__write(2, text, text_length(text));
}

_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);
_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)file;
    (void)line;
    (void)suffix;
    say(message);
    say("\n");
    clew__assertion_failed();
}

static void warn(const char *message)
{
    say("WARNING: ");
    say(message);
    say("\n");
}

void klee_warning(const char *message);
void klee_warning(const char *message)
{
    warn(message);
}

void klee_warning_once(const char *message);
void klee_warning_once(const char *message)
{
    static const char *last;
    if (last == message) return;
    last = message;
    warn(message);
}

size_t klee_get_obj_size(void *address);
size_t klee_get_obj_size(void *address)
{
    return clew__object_size(address);
}

/* A value the expression can have; the path is not bound to it. */
#define GET_VALUE(type, name) \
    type name(type value); \
    type name(type value) \
    { \
        return (type)clew__peek((uint64_t)value); \
    }
GET_VALUE(long, klee_get_valuel)
GET_VALUE(unsigned long, klee_get_value_ul)
GET_VALUE(int, klee_get_value_i32)
GET_VALUE(unsigned, klee_get_value_u32)
GET_VALUE(long long, klee_get_value_i64)
GET_VALUE(unsigned long long, klee_get_value_u64)

float klee_get_valuef(float value);
float klee_get_valuef(float value)
{
    union {
        float value;
        uint32_t bits;
    } u = {value};
    u.bits = (uint32_t)clew__peek(u.bits);
    return u.value;
}

double klee_get_valued(double value);
double klee_get_valued(double value)
{
    union {
        double value;
        uint64_t bits;
    } u = {value};
    u.bits = clew__peek(u.bits);
    return u.value;
}

void klee_stack_trace(void);
void klee_stack_trace(void)
{
}

void klee_check_memory_access(const void *address, size_t n);
void klee_check_memory_access(const void *address, size_t n)
{
    const volatile unsigned char *p = address;
    if (!n) return;
    (void)p[0];
    (void)p[n - 1];
}

void klee_open_merge(void);
void klee_open_merge(void)
{
}

void klee_close_merge(void);
void klee_close_merge(void)
{
}
