/* clew test
 * branches: 12 of 14
 * infeasible: 18 true
 * infeasible: 19 true
 * bug: out-of-bounds 25
 *
 * Figure 1 of the paper on bidirectional symbolic analysis: the number of valves is an input, and so are their states. The check of
 * the index never fails, since only the loop's counter is ever given; the alarm needs more than 2 valves out of order. */
#include <stdio.h>
#include <stdlib.h>
#define VALVE_KO(status) status == -1
#define TOLERANCE 2
extern int size;
extern int valvesStatus[];

static int getStatusOfValve(int i)
{
    if (i < 0
        ||
        i >= size) {
        printf("ERROR");
        exit(EXIT_FAILURE);
    }

    int status = valvesStatus[i];
    return status;
}

int checkValves(int wait1, int wait2)
{
    int count, i;
    while (wait1 > 0) wait1--;
    count = 0, i = 0;
    while (i < size) {
        int status = getStatusOfValve(i);

        if (VALVE_KO(status)) {
            count++;
        }
        i++;
    }

    if (count > TOLERANCE)
        printf("ALARM");

    while (wait2 > 0) wait2--;

    return count;
}
