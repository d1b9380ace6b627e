/* Library functions on plain data (constant arguments, initialised bytes without expressions, inside one object): done natively.
 * In every other case they decline, and the library's own code runs, which meets the expression or the error where it is. */
#include "vm/vm_int.h"

#include <string.h>

static bool constants(const BuiltinCall *call, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (call->arguments[i].e) return false;
    return true;
}

static uint64_t word(const BuiltinCall *call, uint32_t i)
{
    return (uint64_t)call->arguments[i].bits;
}

static char *pointer(const BuiltinCall *call, uint32_t i)
{
    return (char *)(uintptr_t)word(call, i);
}

/* Bytes from the address to the end of its object, 0 if there is none or it has expressions. */
static uint64_t room(Vm *vm, uint64_t address)
{
    uint64_t start;
    if (!memory_contains(address)) return 0;
    const Object *object = memory_object(&vm->memory, address, &start);
    if ((object->shadow & SHADOW_SYMBOLIC) || address - start >= object->size) return 0;
    return object->size - (address - start);
}

/* The length of a plain string. */
static bool plain_string(Vm *vm, uint64_t address, uint64_t most, uint64_t *length)
{
    uint64_t n = room(vm, address);
    if (n > most) n = most;
    if (n == 0) return false;
    const char *text = (const char *)(uintptr_t)address, *end = memchr(text, 0, n);
    if (!end && n < most) return false;
    *length = end ? (uint64_t)(end - text) : n;
    return vm__plain(vm, address, *length + (end != NULL));
}

static BuiltinResult done(Vm *vm, const BuiltinCall *call, uint64_t value)
{
    vm__give(vm, call, value);
    return BUILTIN_DONE;
}

static bool writable(Vm *vm, uint64_t address, uint64_t n)
{
    uint64_t start;
    return n == 0 || (room(vm, address) >= n && !memory_object(&vm->memory, address, &start)->shadow);
}

/* Copies plain bytes to where they fit; the caller has seen to both. */
static void put(Vm *vm, uint64_t to, uint64_t from, uint64_t n)
{
    if (n == 0) return; /* the pointers may be NULL */
    memory_save(&vm->memory, to, n);
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n);
    memory_mark_written(&vm->memory, to, n);
}

static BuiltinResult builtin_memcpy(Vm *vm, BuiltinCall *call)
{
    uint64_t to = word(call, 0), from = word(call, 1), n = word(call, 2);
    if (!constants(call, 3) || !vm__plain(vm, from, n) || !writable(vm, to, n)) return BUILTIN_DECLINED;
    put(vm, to, from, n);
    return done(vm, call, to);
}

static BuiltinResult builtin_memset(Vm *vm, BuiltinCall *call)
{
    uint64_t to = word(call, 0), n = word(call, 2);
    if (!constants(call, 3) || !writable(vm, to, n)) return BUILTIN_DECLINED;
    vm__fill(vm, to, (Value){.bits = (uint8_t)word(call, 1)}, n);
    return done(vm, call, to);
}

static BuiltinResult builtin_memcmp(Vm *vm, BuiltinCall *call)
{
    uint64_t n = word(call, 2);
    if (!constants(call, 3) || !vm__plain(vm, word(call, 0), n) || !vm__plain(vm, word(call, 1), n)) return BUILTIN_DECLINED;
    const uint8_t *a = (const uint8_t *)pointer(call, 0), *b = (const uint8_t *)pointer(call, 1);
    for (uint64_t k = 0; k < n; k++)
        if (a[k] != b[k]) return done(vm, call, (uint64_t)(int64_t)(a[k] - b[k]));
    return done(vm, call, 0);
}

static BuiltinResult builtin_memchr(Vm *vm, BuiltinCall *call)
{
    uint64_t n = word(call, 2);
    if (!constants(call, 3) || !vm__plain(vm, word(call, 0), n)) return BUILTIN_DECLINED;
    return done(vm, call, n ? (uintptr_t)memchr(pointer(call, 0), (int)word(call, 1), n) : 0);
}

static BuiltinResult builtin_strlen(Vm *vm, BuiltinCall *call)
{
    uint64_t n;
    if (!constants(call, 1) || !plain_string(vm, word(call, 0), UINT64_MAX, &n)) return BUILTIN_DECLINED;
    return done(vm, call, n);
}

static BuiltinResult builtin_strnlen(Vm *vm, BuiltinCall *call)
{
    uint64_t n;
    if (!constants(call, 2) || !plain_string(vm, word(call, 0), word(call, 1), &n)) return BUILTIN_DECLINED;
    return done(vm, call, n);
}

static BuiltinResult compare_strings(Vm *vm, BuiltinCall *call, uint64_t most)
{
    uint64_t n, m;
    if (!plain_string(vm, word(call, 0), most, &n) || !plain_string(vm, word(call, 1), most, &m)) return BUILTIN_DECLINED;
    const uint8_t *a = (const uint8_t *)pointer(call, 0), *b = (const uint8_t *)pointer(call, 1);
    for (uint64_t k = 0; k < most; k++)
        if (a[k] != b[k] || !a[k]) return done(vm, call, (uint64_t)(int64_t)(a[k] - b[k]));
    return done(vm, call, 0);
}

static BuiltinResult builtin_strcmp(Vm *vm, BuiltinCall *call)
{
    return constants(call, 2) ? compare_strings(vm, call, UINT64_MAX) : BUILTIN_DECLINED;
}

static BuiltinResult builtin_strncmp(Vm *vm, BuiltinCall *call)
{
    return constants(call, 3) && word(call, 2) ? compare_strings(vm, call, word(call, 2)) : BUILTIN_DECLINED;
}

static BuiltinResult builtin_strcpy(Vm *vm, BuiltinCall *call)
{
    uint64_t n, to = word(call, 0), from = word(call, 1);
    if (!constants(call, 2) || !plain_string(vm, from, UINT64_MAX, &n) || !writable(vm, to, n + 1)) return BUILTIN_DECLINED;
    put(vm, to, from, n + 1);
    return done(vm, call, to);
}

static BuiltinResult builtin_strcat(Vm *vm, BuiltinCall *call)
{
    uint64_t n, m, to = word(call, 0), from = word(call, 1);
    if (!constants(call, 2) || !plain_string(vm, to, UINT64_MAX, &m) || !plain_string(vm, from, UINT64_MAX, &n)) return BUILTIN_DECLINED;
    if (!writable(vm, to, m + n + 1)) return BUILTIN_DECLINED;
    put(vm, to + m, from, n + 1);
    return done(vm, call, to);
}

static BuiltinResult builtin_strchr(Vm *vm, BuiltinCall *call)
{
    uint64_t n;
    if (!constants(call, 2) || !plain_string(vm, word(call, 0), UINT64_MAX, &n)) return BUILTIN_DECLINED;
    return done(vm, call, (uintptr_t)strchr(pointer(call, 0), (int)word(call, 1)));
}

static BuiltinResult builtin_strrchr(Vm *vm, BuiltinCall *call)
{
    uint64_t n;
    if (!constants(call, 2) || !plain_string(vm, word(call, 0), UINT64_MAX, &n)) return BUILTIN_DECLINED;
    return done(vm, call, (uintptr_t)strrchr(pointer(call, 0), (int)word(call, 1)));
}

static bool two_strings(Vm *vm, const BuiltinCall *call)
{
    uint64_t n, m;
    return constants(call, 2) && plain_string(vm, word(call, 0), UINT64_MAX, &n) && plain_string(vm, word(call, 1), UINT64_MAX, &m);
}

static BuiltinResult builtin_strstr(Vm *vm, BuiltinCall *call)
{
    return two_strings(vm, call) ? done(vm, call, (uintptr_t)strstr(pointer(call, 0), pointer(call, 1))) : BUILTIN_DECLINED;
}

static BuiltinResult builtin_strspn(Vm *vm, BuiltinCall *call)
{
    return two_strings(vm, call) ? done(vm, call, strspn(pointer(call, 0), pointer(call, 1))) : BUILTIN_DECLINED;
}

static BuiltinResult builtin_strcspn(Vm *vm, BuiltinCall *call)
{
    return two_strings(vm, call) ? done(vm, call, strcspn(pointer(call, 0), pointer(call, 1))) : BUILTIN_DECLINED;
}

const Builtin vm__string_builtins[] = {
    {"memcpy", builtin_memcpy, "pppl"},
    {"memmove", builtin_memcpy, "pppl"},
    {"memset", builtin_memset, "ppil"},
    {"memcmp", builtin_memcmp, "ippl"},
    {"memchr", builtin_memchr, "ppil"},
    {"strlen", builtin_strlen, "lp"},
    {"strnlen", builtin_strnlen, "lpl"},
    {"strcmp", builtin_strcmp, "ipp"},
    {"strncmp", builtin_strncmp, "ippl"},
    {"strcpy", builtin_strcpy, "ppp"},
    {"strcat", builtin_strcat, "ppp"},
    {"strchr", builtin_strchr, "ppi"},
    {"strrchr", builtin_strrchr, "ppi"},
    {"strstr", builtin_strstr, "ppp"},
    {"strspn", builtin_strspn, "lpp"},
    {"strcspn", builtin_strcspn, "lpp"},
    {NULL, NULL, NULL},
};
