/* emit: libraries of the system that the program needs beside the C library, libm above all.
 *
 * The machine finds their functions by itself, but a linker wants to be told.  The user need not: each function that the sources call and do not
 * define is looked up in the libraries of this host. */
#include "emit/emit_int.h"

#include "base/native.h"

#include <stdlib.h>

static bool has(const EmitLibraries *libraries, const char *flag)
{
    for (uint32_t i = 0; i < libraries->len; i++)
        if (strcmp(libraries->data[i], flag) == 0) return true;
    return false;
}

static void add_home(const char *function, EmitLibraries *libraries)
{
    const char *home = native_library(function);
    char *flag = home ? mem_format("-l%s", home) : NULL;
    if (flag && !has(libraries, flag)) vec_push(libraries, flag);
    else free(flag);
}

void emit__libraries(const Decls *decls, const EmitOptions *options, EmitLibraries *libraries)
{
    for (uint32_t i = 0; i < options->library_count; i++) vec_push(libraries, mem_strdup(options->libraries[i]));
    for (uint32_t i = 0; i < options->fail_count; i++) vec_push(libraries, mem_format("-Wl,--wrap=%s", options->fails[i]));
    emit__wrap_clock(decls, options, libraries);
    for (uint32_t i = 0; i < decls->function_count; i++)
        if (!decls->functions[i].defined) add_home(decls->functions[i].name, libraries);
    for (uint32_t i = 0; i < decls->builtin_count; i++) add_home(decls->builtins[i], libraries);
}
