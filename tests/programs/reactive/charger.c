/* clew test
 * branches: 47 of 49
 * infeasible: 35 default
 * infeasible: 79 true
 * covered: at least 29
 *
 * A battery charger with a precharge, a phase of constant current, one of constant voltage, a safety timer and a temperature window.
 * What makes it hard is that each phase needs readings in a narrow range for many turns, 100 of them before the charge is full. */
extern unsigned short __VERIFIER_nondet_ushort(void);

enum phase { IDLE, PRECHARGE, CURRENT, VOLTAGE, FULL, FAULT };

struct charger {
    enum phase phase;
    unsigned turns, taper, hot, cycles;
};

static void enter(struct charger *c, enum phase phase)
{
    c->phase = phase;
    c->turns = 0;
    c->taper = 0;
}

static int temperature_ok(struct charger *c, unsigned temperature)
{
    if (temperature > 45) c->hot++;
    else if (temperature < 40) c->hot = 0;
    return c->hot < 4;
}

static void step(struct charger *c, unsigned millivolts, unsigned milliamps)
{
    c->turns++;
    switch (c->phase) { /* The enumeration has no other phase, so the implicit default is never taken. */
    case IDLE:
        if (millivolts >= 1000) enter(c, PRECHARGE);
        break;
    case PRECHARGE:
        if (millivolts > 3000) enter(c, CURRENT);
        else if (c->turns > 60) enter(c, FAULT);
        break;
    case CURRENT:
        if (millivolts >= 4200) enter(c, VOLTAGE);
        else if (millivolts < 2500) enter(c, PRECHARGE);
        else if (c->turns == 300) enter(c, FAULT);
        break;
    case VOLTAGE:
        if (milliamps < 50) c->taper++;
        else c->taper = 0;
        if (c->taper == 100) {
            enter(c, FULL);
            c->cycles++;
        }
        break;
    case FULL:
        if (millivolts < 3900) enter(c, CURRENT);
        break;
    case FAULT:
        if (millivolts == 0 && milliamps == 0) enter(c, IDLE);
        break;
    }
}

int main(void)
{
    struct charger charger = { IDLE, 0, 0, 0, 0 };
    int worn = 0;
    while (1) {
        unsigned millivolts = __VERIFIER_nondet_ushort() % 5000;
        unsigned milliamps = __VERIFIER_nondet_ushort() % 2000;
        unsigned temperature = __VERIFIER_nondet_ushort() % 100;
        if (charger.phase != FAULT && !temperature_ok(&charger, temperature)) {
            enter(&charger, FAULT);
            charger.hot = 0;
        }
        step(&charger, millivolts, milliamps);
        /* The taper counts only in the phase VOLTAGE, and every change of the phase sets the taper to 0. */
        if (charger.taper > 0 && charger.phase != VOLTAGE) return 1;
        if (charger.cycles == 3 && charger.phase == FULL) worn = 1;
        if (worn && charger.phase == FAULT) worn = 0;
    }
}
