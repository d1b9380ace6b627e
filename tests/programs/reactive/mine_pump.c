/* clew test
 * branches: 68 of 71
 * infeasible: 77 false
 * infeasible: 79 false
 * infeasible: 81 true
 * covered: at least 41
 *
 * A product line of a mine pump: which features are built in is an input too, and a feature model excludes some combinations.
 * What makes it hard is that some conditions need certain features together with a certain history of water and methane. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

static _Bool has_start, has_stop, has_methane_query, has_methane_alarm, has_low_sensor;
static int water = 1, methane, running, active = 1;
static unsigned alarms;

static int valid_product(void)
{
    if (has_methane_alarm && !has_methane_query) return 0;
    if (has_low_sensor && !has_stop) return 0;
    return has_start || has_stop;
}

static void environment(int change)
{
    switch (change) {
    case 0:
        if (water < 2) water++;
        break;
    case 1:
        methane = !methane;
        break;
    default:
        break;
    }
    if (running && water > 0) water--;
}

static void process(void)
{
    if (!active) return;
    if (has_methane_query && methane && running) {
        running = 0;
        if (has_methane_alarm) alarms++;
        return;
    }
    if (!running && water == 2) {
        if (!has_methane_query || !methane) running = 1;
    } else if (running && has_low_sensor && water == 0) {
        running = 0;
    }
}

static void command(int word)
{
    if (word == 0x57A7 && has_start) active = 1;
    if (word == 0x570B && has_stop) {
        active = 0;
        running = 0;
    }
}

int main(void)
{
    has_start = __VERIFIER_nondet_bool();
    has_stop = __VERIFIER_nondet_bool();
    has_methane_query = __VERIFIER_nondet_bool();
    has_methane_alarm = __VERIFIER_nondet_bool();
    has_low_sensor = __VERIFIER_nondet_bool();
    if (!valid_product()) return 2;
    while (1) {
        int input = __VERIFIER_nondet_int();
        environment(input & 3);
        command((input >> 2) & 0xffff);
        process();
        /* An alarm needs the query by the feature model. */
        if (alarms > 0 && !has_methane_query) return 1;
        /* Only the command to stop makes the pump inactive, and that command needs the feature. */
        if (!active && !has_stop) return 1;
        /* Stopping switches the pump off, and an inactive pump is not switched on. */
        if (!active && running) return 1;
        if (alarms == 12 && water == 2) alarms = 0;
    }
}
