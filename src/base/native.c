/* Symbols are looked up library by library.  What is loaded is a fact of the process, which is why the list of the user's libraries is one too. */
#include "base/native.h"

#include "base/base.h"

#include <dlfcn.h>

enum { MOST_LIBRARIES = 64 };

static struct {
    void *handles[MOST_LIBRARIES];
    size_t count;
} users;

void *native_open(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (handle && users.count < MOST_LIBRARIES) users.handles[users.count++] = handle;
    return handle;
}

/* The C library and what belongs to it, as far as it is loaded; libm is for everyone. */
static bool is_system(const char *name)
{
    static const char *const libraries[] = {"libc.so.6",  "libm.so.6",    "libgcc_s.so.1",  "libpthread.so.0", "libdl.so.2",
                                            "librt.so.1", "libutil.so.1", "libresolv.so.2", "libcrypt.so.1",   "libmvec.so.1"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(libraries) && !found; i++) {
        bool always = strcmp(libraries[i], "libm.so.6") == 0;
        void *handle = dlopen(libraries[i], RTLD_LAZY | (always ? 0 : RTLD_NOLOAD));
        if (!handle) continue;
        found = dlsym(handle, name) != NULL;
        dlclose(handle);
    }
    return found;
}

void *native_find(const char *name)
{
    /* Not the library's own address: a sanitizer that Clew was built with may stand before it. */
    void *address = is_system(name) ? dlsym(RTLD_DEFAULT, name) : NULL;
    for (size_t i = 0; i < users.count && !address; i++) address = dlsym(users.handles[i], name);
    return address;
}
