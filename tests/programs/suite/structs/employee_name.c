/* clew test
 * branches: 10 of 10
 * tests: at most 12
 *
 * A struct that holds a string: a missing one, an empty one, and one that is worth comparing. */
#include <string.h>

struct employee {
    const char *name;
    int room;
};

int room_of(const struct employee *employee, int guests)
{
    if (!employee || !employee->name) return -1;
    if (employee->name[0] == '\0') return -2;
    if (strcmp(employee->name, "ada") == 0) return 1;
    if (guests) return 0;
    return employee->room;
}
