/* Allocation beyond malloc and its kin, which are built into the VM. */
#include "internal.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

enum { PAGE = 4096 };

void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        clew__errno = ENOMEM;
        return NULL;
    }
    return clew__realloc(memory, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t n)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *memory = clew__memalign(alignment, n);
    if (!memory) return ENOMEM;
    *out = memory;
    return 0;
}

void *valloc(size_t n)
{
    return clew__memalign(PAGE, n);
}

void *pvalloc(size_t n)
{
    size_t rounded;
    if (__builtin_add_overflow(n, (size_t)PAGE - 1, &rounded)) {
        clew__errno = ENOMEM;
        return NULL;
    }
    return clew__memalign(PAGE, rounded & ~(size_t)(PAGE - 1));
}

void cfree(void *memory);
void cfree(void *memory)
{
    clew__free(memory);
}
