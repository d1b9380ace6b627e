/* What the library asks of the world (models/host.h): files, time, texts of the system, conversions by the host's C library.
 * Buffers are checked against their objects first; failures come back as negative errno. */
#include "vm/vm_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int number(Vm *vm, BuiltinCall *call, uint32_t i)
{
    return (int)vm__word(vm, call, i);
}

static BuiltinResult give_result(Vm *vm, BuiltinCall *call, int64_t result)
{
    vm__give(vm, call, (uint64_t)(result < 0 ? -(int64_t)errno : result));
    return BUILTIN_DONE;
}

/* A path or name of the guest as a native string; NULL after a report. */
static char *text_at(Vm *vm, uint64_t address)
{
    StrBuf text = {0};
    strbuf_add(&text, "");
    for (;; address++) {
        Value byte;
        if (!vm__load(vm, (Value){.bits = address}, (Value){0}, 8, &byte)) {
            strbuf_release(&text);
            return NULL;
        }
        char c = (char)vm__concretize(vm, byte, 8);
        if (!c) return text.text;
        strbuf_add_bytes(&text, &c, 1);
    }
}

/* Native code may read (write) the n bytes. */
static bool readable(Vm *vm, uint64_t address, uint64_t n)
{
    if (!vm__check_range(vm, address, n, false)) return false;
    vm__materialize(vm, address);
    return true;
}

static bool writable(Vm *vm, uint64_t address, uint64_t n)
{
    if (!vm__check_range(vm, address, n, true)) return false;
    if (memory_contains(address)) memory_save(&vm->memory, address, n);
    return true;
}

static void written(Vm *vm, uint64_t address, int64_t n)
{
    if (n <= 0 || !memory_contains(address)) return;
    uint64_t start;
    Object *object = memory_object(&vm->memory, address, &start);
    const Shadow *shadow = memory_shadow(&vm->memory, object);
    for (int64_t k = 0; shadow && k < n; k++) {
        uint8_t byte = *(const uint8_t *)(uintptr_t)(address + (uint64_t)k);
        vm__store_bytes(vm, address + (uint64_t)k, 1, (Value){.bits = byte});
    }
    memory_mark_written(&vm->memory, address, (uint64_t)n);
}

static BuiltinResult builtin_real_effects(Vm *vm, BuiltinCall *call)
{
    vm__give(vm, call, !vm->options.exploring);
    return BUILTIN_DONE;
}

/* ---- descriptors ---- */

static BuiltinResult builtin_open(Vm *vm, BuiltinCall *call)
{
    char *path = text_at(vm, vm__word(vm, call, 0));
    if (!path) return BUILTIN_DONE;
    int flags = number(vm, call, 1);
    if (vm->options.exploring) flags = (flags & ~(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)) | O_RDONLY;
    give_result(vm, call, open(path, flags, (mode_t)vm__word(vm, call, 2)));
    free(path);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_openat(Vm *vm, BuiltinCall *call)
{
    char *path = text_at(vm, vm__word(vm, call, 1));
    if (!path) return BUILTIN_DONE;
    int flags = number(vm, call, 2);
    if (vm->options.exploring) flags = (flags & ~(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)) | O_RDONLY;
    give_result(vm, call, openat(number(vm, call, 0), path, flags, (mode_t)vm__word(vm, call, 3)));
    free(path);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_close(Vm *vm, BuiltinCall *call)
{
    return give_result(vm, call, close(number(vm, call, 0)));
}

/* While exploring, nobody will write to a pipe or type: what is not there now never comes. */
static bool ready(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    return poll(&wait, 1, 0) != 0;
}

static BuiltinResult read_into(Vm *vm, BuiltinCall *call, bool positioned)
{
    uint64_t buffer = vm__word(vm, call, 1), n = vm__word(vm, call, 2);
    if (!writable(vm, buffer, n)) return BUILTIN_DONE;
    void *to = (void *)(uintptr_t)buffer;
    if (vm->options.exploring && !ready(number(vm, call, 0))) {
        vm__give(vm, call, (uint64_t) - (int64_t)EAGAIN);
        return BUILTIN_DONE;
    }
    ssize_t got = positioned ? pread(number(vm, call, 0), to, n, (off_t)vm__word(vm, call, 3)) : read(number(vm, call, 0), to, n);
    int64_t result = got < 0 ? -(int64_t)errno : got;
    written(vm, buffer, got);
    vm__give(vm, call, (uint64_t)result);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_read(Vm *vm, BuiltinCall *call)
{
    return read_into(vm, call, false);
}

static BuiltinResult builtin_pread(Vm *vm, BuiltinCall *call)
{
    return read_into(vm, call, true);
}

static BuiltinResult write_from(Vm *vm, BuiltinCall *call, bool positioned)
{
    int fd = number(vm, call, 0);
    uint64_t buffer = vm__word(vm, call, 1), n = vm__word(vm, call, 2);
    if (!readable(vm, buffer, n)) return BUILTIN_DONE;
    if (vm->options.exploring && vm->options.output && fd == 1 && !vm->options.quiet_output)
        strbuf_add_bytes(vm->options.output, (const void *)(uintptr_t)buffer, n);
    if (vm->options.exploring && (vm->options.quiet_output || vm->options.output || fd > 2)) {
        vm__give(vm, call, n);
        return BUILTIN_DONE;
    }
    const void *from = (const void *)(uintptr_t)buffer;
    return give_result(vm, call, positioned ? pwrite(fd, from, n, (off_t)vm__word(vm, call, 3)) : write(fd, from, n));
}

static BuiltinResult builtin_write(Vm *vm, BuiltinCall *call)
{
    return write_from(vm, call, false);
}

static BuiltinResult builtin_pwrite(Vm *vm, BuiltinCall *call)
{
    return write_from(vm, call, true);
}

static BuiltinResult builtin_seek(Vm *vm, BuiltinCall *call)
{
    return give_result(vm, call, lseek(number(vm, call, 0), (off_t)vm__word(vm, call, 1), number(vm, call, 2)));
}

static BuiltinResult builtin_isatty(Vm *vm, BuiltinCall *call)
{
    vm__give(vm, call, (uint64_t)isatty(number(vm, call, 0)));
    return BUILTIN_DONE;
}

static BuiltinResult builtin_dup(Vm *vm, BuiltinCall *call)
{
    return give_result(vm, call, dup(number(vm, call, 0)));
}

static BuiltinResult builtin_dup3(Vm *vm, BuiltinCall *call)
{
    int from = number(vm, call, 0), to = number(vm, call, 1), flags = number(vm, call, 2);
    return give_result(vm, call, from == to ? to : dup3(from, to, flags));
}

static BuiltinResult builtin_fcntl(Vm *vm, BuiltinCall *call)
{
    return give_result(vm, call, fcntl(number(vm, call, 0), number(vm, call, 1), (long)vm__word(vm, call, 2)));
}

static BuiltinResult builtin_ftruncate(Vm *vm, BuiltinCall *call)
{
    return give_result(vm, call, ftruncate(number(vm, call, 0), (off_t)vm__word(vm, call, 1)));
}

/* ---- names ---- */

/* An operation on a path that changes the world; not while exploring. */
static BuiltinResult on_path(Vm *vm, BuiltinCall *call, int (*operation)(const char *))
{
    char *path = text_at(vm, vm__word(vm, call, 0));
    if (!path) return BUILTIN_DONE;
    give_result(vm, call, vm->options.exploring ? 0 : operation(path));
    free(path);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_unlink(Vm *vm, BuiltinCall *call)
{
    return on_path(vm, call, unlink);
}

static BuiltinResult builtin_rmdir(Vm *vm, BuiltinCall *call)
{
    return on_path(vm, call, rmdir);
}

static BuiltinResult builtin_rename(Vm *vm, BuiltinCall *call)
{
    char *from = text_at(vm, vm__word(vm, call, 0)), *to = from ? text_at(vm, vm__word(vm, call, 1)) : NULL;
    if (to) give_result(vm, call, vm->options.exploring ? 0 : rename(from, to));
    free(from);
    free(to);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_access(Vm *vm, BuiltinCall *call)
{
    char *path = text_at(vm, vm__word(vm, call, 0));
    if (!path) return BUILTIN_DONE;
    give_result(vm, call, access(path, number(vm, call, 1)));
    free(path);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_fstatat(Vm *vm, BuiltinCall *call)
{
    uint64_t out = vm__word(vm, call, 2);
    char *path = text_at(vm, vm__word(vm, call, 1));
    if (!path) return BUILTIN_DONE;
    if (writable(vm, out, sizeof(struct stat))) {
        struct stat *status = (struct stat *)(uintptr_t)out;
        int result = fstatat(number(vm, call, 0), path, status, number(vm, call, 3));
        if (result == 0) written(vm, out, sizeof *status);
        give_result(vm, call, result);
    }
    free(path);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_symbolic_file(Vm *vm, BuiltinCall *call)
{
    char *path = text_at(vm, vm__word(vm, call, 0));
    if (!path) return BUILTIN_DONE;
    uint64_t found = 0;
    for (uint32_t i = 0; i < vm->options.symbolic_file_count; i++) {
        if (strcmp(path, vm->options.symbolic_files[i].path) != 0) continue;
        SymbolicFile file = vm->symbolic_file_address.data[i];
        found = file.address;
        bool is_constant = vm__is_constant(vm, file.position);
        Value size = {.bits = is_constant ? vm->given[file.position] : 0, .e = is_constant ? 0 : file.size};
        Expr most = expr_const(vm->pool, 64, vm->options.symbolic_files[i].size);
        vm__assume(vm, expr_binary(vm->pool, EXPR_ULE, vm__expr(vm, size, 64), most));
        vm__store(vm, (Value){.bits = vm__word(vm, call, 1)}, (Value){0}, 64, size);
    }
    free(path);
    vm__give(vm, call, found);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_symbolic_name(Vm *vm, BuiltinCall *call)
{
    uint32_t wanted = number(vm, call, 0);
    uint64_t name = 0;
    for (uint32_t i = 0; i < vm->options.symbolic_file_count && !name; i++)
        if (strcmp(vm->options.symbolic_files[i].path, "-") != 0 && wanted-- == 0) name = vm->symbolic_file_address.data[i].name;
    vm__give(vm, call, name);
    return BUILTIN_DONE;
}

/* ---- time, processes, texts ---- */

static BuiltinResult builtin_time_ns(Vm *vm, BuiltinCall *call)
{
    struct timespec now;
    int64_t fixed = vm->options.fixed_time_ns;
    vm__lose(vm, "the program looks at the clock, which stands still while it is searched");
    if (fixed == 0 && clock_gettime((clockid_t)number(vm, call, 0), &now) == 0) fixed = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    vm__give(vm, call, (uint64_t)fixed);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_random_seed(Vm *vm, BuiltinCall *call)
{
    vm__give(vm, call, vm->options.random_seed ? vm->options.random_seed : 1);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_getpid(Vm *vm, BuiltinCall *call)
{
    vm__give(vm, call, vm->options.exploring ? 4711 : (uint64_t)getpid());
    return BUILTIN_DONE;
}

static BuiltinResult builtin_kill(Vm *vm, BuiltinCall *call)
{
    int pid = number(vm, call, 0), signal_number = number(vm, call, 1);
    return give_result(vm, call, vm->options.exploring ? 0 : kill(pid, signal_number));
}

static BuiltinResult builtin_disposition(Vm *vm, BuiltinCall *call)
{
    vm__disposition(vm, number(vm, call, 0), number(vm, call, 1));
    return BUILTIN_DONE;
}

static BuiltinResult builtin_sleep_ns(Vm *vm, BuiltinCall *call)
{
    int64_t ns = (int64_t)vm__word(vm, call, 0);
    struct timespec span = {ns / 1000000000, ns % 1000000000};
    if (!vm->options.exploring && ns > 0) nanosleep(&span, NULL);
    return BUILTIN_DONE;
}

static BuiltinResult give_text(Vm *vm, BuiltinCall *call, const char *text)
{
    uint64_t out = vm__word(vm, call, 1), n = vm__word(vm, call, 2), length = strlen(text), cut = length;
    if (n == 0 || !writable(vm, out, n)) return BUILTIN_DONE;
    if (cut > n - 1) cut = n - 1;
    memcpy((void *)(uintptr_t)out, text, cut);
    ((char *)(uintptr_t)out)[cut] = 0;
    written(vm, out, (int64_t)cut + 1);
    vm__give(vm, call, length);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_strerror(Vm *vm, BuiltinCall *call)
{
    return give_text(vm, call, strerror(number(vm, call, 0)));
}

static BuiltinResult builtin_strerrorname(Vm *vm, BuiltinCall *call)
{
    const char *name = strerrorname_np(number(vm, call, 0));
    return give_text(vm, call, name ? name : "");
}

static BuiltinResult builtin_strsignal(Vm *vm, BuiltinCall *call)
{
    return give_text(vm, call, strsignal(number(vm, call, 0)));
}

/* ---- conversions ---- */

static BuiltinResult builtin_snprintf(Vm *vm, BuiltinCall *call)
{
    vm__native_call(vm, call->instr, call->site, "snprintf", (void *)snprintf);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_strtod(Vm *vm, BuiltinCall *call)
{
    vm__native_call(vm, call->instr, call->site, "strtod", (void *)strtod);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_strtof(Vm *vm, BuiltinCall *call)
{
    vm__native_call(vm, call->instr, call->site, "strtof", (void *)strtof);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_strtold(Vm *vm, BuiltinCall *call)
{
    vm__native_call(vm, call->instr, call->site, "strtold", (void *)strtold);
    return BUILTIN_DONE;
}

const Builtin vm__host_builtins[] = {
    {"clew__real_effects", builtin_real_effects, "i"},
    {"clew__open", builtin_open, "ipii"},
    {"clew__openat", builtin_openat, "iipii"},
    {"clew__close", builtin_close, "ii"},
    {"clew__read", builtin_read, "lipl"},
    {"clew__pread", builtin_pread, "lipll"},
    {"clew__write", builtin_write, "lipl"},
    {"clew__pwrite", builtin_pwrite, "lipll"},
    {"clew__seek", builtin_seek, "lili"},
    {"clew__isatty", builtin_isatty, "ii"},
    {"clew__dup", builtin_dup, "ii"},
    {"clew__dup3", builtin_dup3, "iiii"},
    {"clew__fcntl", builtin_fcntl, "iiil"},
    {"clew__ftruncate", builtin_ftruncate, "iil"},
    {"clew__unlink", builtin_unlink, "ip"},
    {"clew__rmdir", builtin_rmdir, "ip"},
    {"clew__rename", builtin_rename, "ipp"},
    {"clew__access", builtin_access, "ipi"},
    {"clew__fstatat", builtin_fstatat, "iippi"},
    {"clew__symbolic_file", builtin_symbolic_file, "ppp"},
    {"clew__symbolic_name", builtin_symbolic_name, "pi"},
    {"clew__time_ns", builtin_time_ns, "li"},
    {"clew__random_seed", builtin_random_seed, "i"},
    {"clew__getpid", builtin_getpid, "i"},
    {"clew__kill", builtin_kill, "iii"},
    {"clew__disposition", builtin_disposition, "vii"},
    {"clew__sleep_ns", builtin_sleep_ns, "vl"},
    {"clew__strerror", builtin_strerror, "lipl"},
    {"clew__strerrorname", builtin_strerrorname, "lipl"},
    {"clew__strsignal", builtin_strsignal, "lipl"},
    {"clew__snprintf", builtin_snprintf, "iplp."},
    {"clew__strtod", builtin_strtod, "dpp"},
    {"clew__strtof", builtin_strtof, "fpp"},
    {"clew__strtold", builtin_strtold, "Dpp"},
    {NULL, NULL, NULL},
};
