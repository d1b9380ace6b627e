/* Reading from streams with the object's size known: -D_FORTIFY_SOURCE. */
#include "hidden.h"
#include "stdio_int.h"

char *__fgets_chk(char *restrict to, size_t object, int n, FILE *restrict stream)
{
    if (n > 0 && (size_t)n > object) clew__chk_fail();
    return clew__get_line(file_of(stream), to, n);
}

char *__fgets_unlocked_chk(char *restrict to, size_t object, int n, FILE *restrict stream)
{
    if (n > 0 && (size_t)n > object) clew__chk_fail();
    return clew__get_line(file_of(stream), to, n);
}

size_t __fread_chk(void *restrict to, size_t object, size_t size, size_t count, FILE *restrict stream)
{
    size_t wanted;
    if (__builtin_mul_overflow(size, count, &wanted) || wanted > object) clew__chk_fail();
    return clew__get_blocks(file_of(stream), to, size, count);
}

size_t __fread_unlocked_chk(void *restrict to, size_t object, size_t size, size_t count, FILE *restrict stream)
{
    size_t wanted;
    if (__builtin_mul_overflow(size, count, &wanted) || wanted > object) clew__chk_fail();
    return clew__get_blocks(file_of(stream), to, size, count);
}
