/* clew test --nonnull text --nonnull with
 * branches: 14 of 14
 * precondition: joined: with->allocate != NULL
 * precondition: joined: with->release != NULL
 *
 * Pointers to functions that manage memory are those of the library, or fail: memory that one of them gives is large enough, and can be given
 * back through another.  The second callback of the type of free is none. */
#include <stdlib.h>
#include <string.h>

struct hooks {
    void *(*allocate)(size_t size);
    void (*release)(void *memory);
    void (*told)(void *user);
};

static struct hooks hooks = {malloc, free, NULL};

void set_hooks(const struct hooks *other)
{
    if (other) hooks = *other;
}

char *digits(const char *text)
{
    size_t n = strlen(text) + 1;
    char *result = hooks.allocate(n);
    if (!result) return NULL;
    for (size_t i = 0; i < n; i++) {
        result[i] = text[i];
        if (text[i] && (text[i] < '0' || text[i] > '9')) {
            hooks.release(result);
            return NULL;
        }
    }
    return result;
}

int joined(const struct hooks *with, int n)
{
    int *numbers = with->allocate(sizeof *numbers);
    if (!numbers) return -1;
    *numbers = n;
    with->release(numbers);
    return n;
}
