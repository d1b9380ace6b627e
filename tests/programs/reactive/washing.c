/* clew test
 * branches: 52 of 52
 * covered: at least 32
 *
 * A washing machine as a table of states with function pointers: lock the door, fill, heat, wash, drain, spin, with time limits.
 * What makes it hard is that the states are reached only through function pointers and each one waits for a sensor. */
extern int water_level(void);
extern int water_temperature(void);
extern int buttons(void);

struct machine;
typedef int (*state)(struct machine *);

struct machine {
    state now;
    unsigned turns, rinses, imbalance;
    int program;
};

enum { STAY, NEXT, FAIL };
enum { START = 1, PAUSE = 2, ABORT = 4, COTTON = 8 };

static int idle(struct machine *m)
{
    int b = buttons();
    if (!(b & START)) return STAY;
    m->program = (b & COTTON) ? 60 : 30;
    m->rinses = 0;
    return NEXT;
}

static int fill(struct machine *m)
{
    if (water_level() >= 80) return NEXT;
    return m->turns > 50 ? FAIL : STAY;
}

static int heat(struct machine *m)
{
    if (m->rinses > 0) return NEXT;
    int temperature = water_temperature();
    if (temperature >= m->program && temperature < 95) return NEXT;
    return temperature >= 95 ? FAIL : STAY;
}

static int wash(struct machine *m)
{
    return m->turns >= (m->program == 60 ? 100u : 40u) ? NEXT : STAY;
}

static int drain(struct machine *m)
{
    if (water_level() <= 5) {
        m->rinses++;
        return NEXT;
    }
    return m->turns > 30 ? FAIL : STAY;
}

static int spin(struct machine *m)
{
    if (water_level() > 20) m->imbalance++;
    if (m->imbalance == 6) return FAIL;
    return m->turns == 12 ? NEXT : STAY;
}

static const state order[] = { idle, fill, heat, wash, drain, spin };

static void advance(struct machine *m)
{
    int i = 0;
    while (order[i] != m->now) i++;
    if (m->now == drain && m->rinses < 3) m->now = fill;
    else m->now = order[(i + 1) % 6];
}

int main(void)
{
    struct machine machine = { idle, 0, 0, 0, 30 };
    unsigned loads = 0;
    while (1) {
        int result = machine.now(&machine);
        if (machine.now != idle) {
            int b = buttons();
            if (b & ABORT) result = FAIL;
            else if (b & PAUSE) continue;
            machine.turns++;
        }
        if (result == STAY) continue;
        if (result == FAIL) {
            machine.now = idle;
        } else {
            if (machine.now == spin) loads++;
            advance(&machine);
        }
        machine.turns = 0;
        machine.imbalance = 0;
        if (loads == 2 && machine.now == fill) loads = 0;
    }
}
