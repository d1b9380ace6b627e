/* clew test
 * branches: 46 of 62
 * infeasible: 39 true
 * infeasible: 40 true
 * infeasible: 49 true
 * infeasible: 61 true
 * infeasible: 61 true
 * infeasible: 62 true
 * infeasible: 63 true
 * infeasible: 65 true
 * infeasible: 71 true
 * infeasible: 72 false
 * infeasible: 74 true
 * infeasible: 75 true
 * infeasible: 76 true
 * infeasible: 78 true
 * infeasible: 78 true
 * infeasible: 80 true
 *
 * Loops whose number of turns nobody knows: what holds in every turn holds at their end. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int level, highest, alarms, door;

static void adjust(int by)
{
    if (by > 0 && level < 20) level++;
    else if (by < 0 && level > -20) level--;
    if (level > highest) highest = level;
}

static int wait_for_door(void)
{
    int tries = 0;
    while (__VERIFIER_nondet_int() != 1) {
        if (++tries == 5) break;
    }
    if (tries > 5) return -1;
    if (tries < 0) return -2;
    return tries;
}

static unsigned checksum(void)
{
    unsigned sum = 1;
    while (__VERIFIER_nondet_int() > 0) {
        sum = (sum * 31 + (__VERIFIER_nondet_uint() & 255)) % 65521;
        if (sum >= 65521) return 0;
    }
    return sum;
}

int main(void)
{
    int open = 0, closed = 0;
    while (1) {
        int event = __VERIFIER_nondet_int();
        if (event == 100) break;
        adjust(event);
        if (level > 20 || level < -20) return 1;
        if (highest < level) return 2;
        if (highest < 0) return 3;
        if (level == 20) {
            if (highest != 20) return 4;
            alarms = alarms < 4 ? alarms + 1 : 4;
        }
        door = !door;
        if (door) open = 1;
        else closed = 1;
        if (door != 0 && door != 1) return 5;
        if (closed && !open) return 6;
    }
    if (alarms > 0 && highest != 20) return 7;
    if (alarms > 4) return 8;
    if (highest > 20) return 9;
    int tries = wait_for_door();
    if (tries < 0 || tries > 5) return 10;
    unsigned sum = checksum();
    if (sum > 65520) return 11;
    return (int)(sum & 1) + tries;
}
