/* clew explore --no-summaries --work 200
 * branches: 6 of 7
 *
 * For most inputs a run goes round a loop for longer than the whole budget.  Such a run is left after a while, so that others have their turn. */
#include <clew.h>

static volatile unsigned long sum;

int main(void)
{
    int key = clew_int("key");
    switch (key) {
    case 10: return 1;
    case 20: return 2;
    case 30: return 3;
    case 40: return 4;
    default: break;
    }
    for (unsigned long i = 0; i < 10000000; i++) sum += i;
    return 0;
}
