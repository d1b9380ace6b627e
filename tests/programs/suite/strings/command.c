/* clew test --string name:8
 * branches: 12 of 12
 * tests: at most 12
 *
 * Commands by name, with the library's own comparison. */
#include <string.h>

enum action { NO_ACTION, START, STOP, RESTART, STATUS };

enum action command(const char *name)
{
    if (!name) return NO_ACTION;
    if (strcmp(name, "start") == 0) return START;
    if (strcmp(name, "stop") == 0) return STOP;
    if (strncmp(name, "re", 2) == 0 && strlen(name) > 5) return RESTART;
    if (strchr(name, '?')) return STATUS;
    return NO_ACTION;
}
