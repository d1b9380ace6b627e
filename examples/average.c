/* The average of some readings.  Clew finds two faults: one that the compiler's output hides, one that needs bad luck natively.
 *   ./clew run examples/average.c -- 3 5 8 */
#include <stdio.h>
#include <stdlib.h>

struct readings {
    int count;
    int value[8];
};

static int average(const struct readings *r)
{
    int sum = 0;
    for (int i = 0; i <= r->count; i++) sum += r->value[i];
    return sum / r->count;
}

int main(int argc, char **argv)
{
    struct readings *r = malloc(sizeof *r);
    r->count = argc - 1;
    for (int i = 0; i < r->count; i++) r->value[i] = atoi(argv[i + 1]);
    int result = average(r);
    if (result > 5) printf("high: ");
    printf("%d\n", result);
    free(r);
    return 0;
}
