/* clew test
 * branches: 6 of 8
 * infeasible: 13 true
 * infeasible: 16 true
 * proved: at least 2
 *
 * A unit with a static: at its start the static may hold anything, afterwards only what the code stores. */
static int last;

int next(int request)
{
    if (last == 7) last = 8;
    if (last == 7) return -1;
    if (request > 10) last = 1;
    else last = 2;
    if (last == 3) return -2;
    return last;
}
