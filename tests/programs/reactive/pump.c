/* clew test
 * branches: 63 of 64
 * infeasible: 52 true
 * covered: at least 38
 *
 * Two pumps for a tank, with alternation, minimum run and rest times, protection against running dry, and an overflow alarm.
 * What makes it hard is that levels must stay in a band for the minimum times, and that both pumps must have worked 12 times. */
extern int tank_level(void);
extern int flow_rate(int pump);

enum { LOW = 20, HIGH = 80, BRIM = 95, MIN_RUN = 8, MIN_REST = 15, DRY = 5 };

struct pump {
    int on, run, rest, dry, broken;
    unsigned starts;
};

static struct pump pumps[2];
static int lead, overflow;

static void stop(struct pump *p)
{
    p->on = 0;
    p->rest = MIN_REST;
}

static int start(struct pump *p)
{
    if (p->on || p->broken || p->rest > 0) return 0;
    p->on = 1;
    p->run = 0;
    p->dry = 0;
    p->starts++;
    return 1;
}

static void watch(int number)
{
    struct pump *p = &pumps[number];
    if (!p->on) {
        if (p->rest > 0) p->rest--;
        return;
    }
    if (p->run < MIN_RUN) p->run++;
    if (flow_rate(number) <= 0) p->dry++;
    else p->dry = 0;
    if (p->dry == DRY) {
        stop(p);
        p->broken = 1;
    }
    /* A pump that runs has started, and starting needs an end of the rest. */
    if (p->on && p->rest > 0) p->rest = 0;
}

static void control(int level)
{
    if (level >= HIGH && !pumps[0].on && !pumps[1].on) {
        if (start(&pumps[lead])) lead = 1 - lead;
        else start(&pumps[1 - lead]);
    }
    if (level >= BRIM) {
        for (int i = 0; i < 2; i++) start(&pumps[i]);
        if (++overflow == 20) overflow = 10;
    } else {
        overflow = 0;
    }
    if (level > LOW) return;
    for (int i = 0; i < 2; i++) {
        if (pumps[i].on && pumps[i].run == MIN_RUN) stop(&pumps[i]);
    }
}

int main(void)
{
    while (1) {
        int level = tank_level();
        if (level < 0 || level > 100) {
            if (level == 1234 && pumps[0].broken && pumps[1].broken) pumps[0].broken = pumps[1].broken = 0;
            continue;
        }
        watch(0);
        watch(1);
        control(level);
        if (pumps[0].starts >= 12 && pumps[1].starts >= 12 && !pumps[0].on) pumps[0].starts = pumps[1].starts = 0;
        if (overflow == 15 && pumps[0].broken && pumps[1].broken) return 3;
    }
}
