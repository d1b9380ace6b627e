/* clew test
 * branches: 8 of 8
 * covered: at least 5
 *
 * Feasible, though it does not look so: a pointer from outside may lead to a global of external linkage. */
int shown = 1;
static int hidden;

int put(int *to, int *from)
{
    if (!to || !from) return 0;
    shown = 1;
    *to = 2;
    return shown == 2 && hidden == 0;
}
