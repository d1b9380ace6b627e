/* clew test --array status:size
 * branches: 14 of 16
 * infeasible: 13 true
 * infeasible: 14 true
 * tests: at most 8
 *
 * A check that is repeated where it cannot fail, and an alarm that depends on how often a loop went one of its ways (after the running
 * example of bidirectional symbolic analysis). */
#define TOLERANCE 2

static int status_of(const int *status, int size, int i)
{
    if (i < 0) return -2;
    if (i >= size) return -2;
    return status[i];
}

int check_valves(const int *status, int size, int wait)
{
    int broken = 0;
    if (!status || size > 8) return -1;
    while (wait > 0) wait--;
    for (int i = 0; i < size; i++) {
        if (status_of(status, size, i) == -1) broken++;
    }
    if (broken > TOLERANCE) return 1;
    return 0;
}
