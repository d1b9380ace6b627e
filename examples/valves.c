/* clew test
 * branches: 20 of 20
 * bug: division-by-zero 38
 * tests: at most 16
 *
 * The controller of a tank that is filled through valves.  The alarm needs three valves that are stuck at the same time; and one
 * combination of a low tank and its valves was not thought of. */
#define TOLERANCE 2

enum state { CLOSED, OPEN, STUCK };
enum action { REFUSE, HOLD, FILL, FILL_FAST, DRAIN, ALARM };

struct valve {
    enum state state;
    unsigned char flow; /* litres a minute */
};

struct tank {
    int level, capacity; /* litres */
};

enum action control(const struct tank *tank, const struct valve *valves, int count)
{
    int stuck = 0, open = 0, flow = 0;

    if (!tank || !valves || tank->capacity < 100) return REFUSE;
    for (int i = 0; i < count; i++) {
        if (valves[i].state == STUCK) {
            stuck++;
        } else if (valves[i].state == OPEN) {
            open++;
            flow += valves[i].flow;
        }
    }
    if (stuck > TOLERANCE) return ALARM;
    if (tank->level > tank->capacity) return DRAIN;
    if (tank->level < tank->capacity / 10) {
        int each = flow / open;
        return each < 5 ? FILL_FAST : FILL;
    }
    return HOLD;
}
