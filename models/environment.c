/* The environment: a vector of "NAME=VALUE" in guest memory, as environ shows it. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static char **owned; /* the vector, when it is ours to grow */

static bool names(const char *entry, const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (entry[i] != name[i]) return false;
    return entry[n] == '=';
}

static char **find(const char *name, size_t n)
{
    for (char **entry = __environ; entry && *entry; entry++)
        if (names(*entry, name, n)) return entry;
    return NULL;
}

static char *get(const char *name)
{
    size_t n = text_length(name);
    if (!n) return NULL;
    char **entry = find(name, n);
    return entry ? *entry + n + 1 : NULL;
}

char *getenv(const char *name)
{
    return get(name);
}

char *secure_getenv(const char *name)
{
    return get(name);
}

char *__secure_getenv(const char *name);
char *__secure_getenv(const char *name)
{
    return get(name);
}

static int append(char *entry)
{
    size_t n = 0;
    while (__environ && __environ[n]) n++;
    char **grown = clew__realloc(__environ == owned ? owned : NULL, (n + 2) * sizeof *grown);
    if (!grown) return fail_with(ENOMEM);
    if (__environ && __environ != owned) bytes_copy(grown, __environ, n * sizeof *grown);
    grown[n] = entry;
    grown[n + 1] = NULL;
    __environ = owned = grown;
    return 0;
}

static int set_entry(char *entry, size_t name_length)
{
    char **old = find(entry, name_length);
    if (!old) return append(entry);
    *old = entry;
    return 0;
}

static int remove_name(const char *name, size_t n)
{
    char **to = __environ;
    if (!to) return 0;
    for (char **from = __environ; *from; from++)
        if (!names(*from, name, n)) *to++ = *from;
    *to = NULL;
    return 0;
}

/* The length of a name that may be set, or 0. */
static size_t good_name(const char *name)
{
    size_t n = 0;
    if (!name) return 0;
    for (; name[n]; n++)
        if (name[n] == '=') return 0;
    return n;
}

int setenv(const char *name, const char *value, int overwrite)
{
    size_t n = good_name(name);
    if (!n) return fail_with(EINVAL);
    if (!overwrite && find(name, n)) return 0;
    size_t length = text_length(value);
    char *entry = clew__malloc(n + length + 2);
    if (!entry) return fail_with(ENOMEM);
    bytes_copy(entry, name, n);
    entry[n] = '=';
    bytes_copy(entry + n + 1, value, length + 1);
    return set_entry(entry, n);
}

int unsetenv(const char *name)
{
    size_t n = good_name(name);
    return n ? remove_name(name, n) : fail_with(EINVAL);
}

int putenv(char *entry)
{
    size_t n = 0;
    while (entry[n] && entry[n] != '=') n++;
    return entry[n] ? set_entry(entry, n) : remove_name(entry, n);
}

int clearenv(void)
{
    __environ = NULL;
    return 0;
}
