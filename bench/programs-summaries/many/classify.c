/* Readings of a sensor: each is put into a class, and the weights of the classes are added up. */
#include <clew.h>

enum { COUNT = 7 };

typedef enum Class { INVALID, LOW, NORMAL, HIGH, CRITICAL } Class;

static Class classify(int reading)
{
    if (reading < 0) return INVALID;
    if (reading < 100) return LOW;
    if (reading < 600) return NORMAL;
    if (reading < 900) return HIGH;
    return CRITICAL;
}

static int weight_of(Class class)
{
    switch (class) {
    case INVALID: return -5;
    case LOW: return 1;
    case NORMAL: return 0;
    case HIGH: return 3;
    default: return 10;
    }
}

static int total_of(const int *readings, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++) total += weight_of(classify(readings[i]));
    return total;
}

int main(void)
{
    int readings[COUNT];
    for (int i = 0; i < COUNT; i++) readings[i] = clew_int("reading");
    int total = total_of(readings, COUNT);
    if (total > 60) return 3; /* evacuate */
    if (total > 20) return 2;
    if (total < 0) return 1;
    clew_assert(total != 13); /* one critical, one high, and the others normal */
    return 0;
}
