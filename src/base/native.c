/* Symbols are looked up library by library.  What is loaded is a fact of the process, which is why the list of the user's libraries is one too. */
#include "base/native.h"

#include "base/base.h"

#include <dlfcn.h>

enum { MOST_LIBRARIES = 64 };

static struct {
    void *handles[MOST_LIBRARIES];
    size_t count;
} users;

/* The C library and what belongs to it.  The C library comes first, since the others lead to it, too. */
static const struct {
    const char *file, *flag; /* flag: as -l names it; NULL: the compiler links it by itself */
} systems[] = {
    {"libc.so.6", NULL},  {"libm.so.6", "m"},       {"libgcc_s.so.1", NULL},      {"libpthread.so.0", "pthread"}, {"libdl.so.2", "dl"},
    {"librt.so.1", "rt"}, {"libutil.so.1", "util"}, {"libresolv.so.2", "resolv"}, {"libcrypt.so.1", "crypt"},     {"libmvec.so.1", "mvec"},
};

/* Handles of `systems`, as far as they are loaded; libm is for everyone.  Opening one anew for each name would take most of the time of a look-up. */
static struct {
    void *handles[COUNT_OF(systems)];
    bool opened;
} system_libraries;

static void open_systems(void)
{
    for (size_t i = 0; i < COUNT_OF(systems); i++) {
        bool always = strcmp(systems[i].file, "libm.so.6") == 0;
        if (!system_libraries.handles[i]) system_libraries.handles[i] = dlopen(systems[i].file, RTLD_LAZY | (always ? 0 : RTLD_NOLOAD));
    }
    system_libraries.opened = true;
}

/* The first of `systems` that has it.  COUNT_OF(systems): none. */
static size_t find_system(const char *name)
{
    if (!system_libraries.opened) open_systems();
    for (size_t i = 0; i < COUNT_OF(systems); i++)
        if (system_libraries.handles[i] && dlsym(system_libraries.handles[i], name)) return i;
    return COUNT_OF(systems);
}

void *native_open(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    system_libraries.opened = false; /* the library may have brought some of them with it */
    if (handle && users.count < MOST_LIBRARIES) users.handles[users.count++] = handle;
    return handle;
}

const char *native_library(const char *name)
{
    size_t found = find_system(name);
    return found < COUNT_OF(systems) ? systems[found].flag : NULL;
}

void *native_find(const char *name)
{
    /* Not the library's own address: a sanitizer that Clew was built with may stand before it. */
    void *address = find_system(name) < COUNT_OF(systems) ? dlsym(RTLD_DEFAULT, name) : NULL;
    for (size_t i = 0; i < users.count && !address; i++) address = dlsym(users.handles[i], name);
    return address;
}
