/* clew test
 * branches: 44 of 44
 * covered: at least 27
 *
 * A reflow oven that follows a profile of five stages; each stage has a band of temperatures and a number of turns to stay in the band.
 * What makes it hard is that the stages need 60 to 120 turns with the temperature in a band, and that leaving the band costs turns. */
extern short thermocouple(void);
extern unsigned char panel(void);

struct stage {
    short low, high;
    int hold, slack;
};

static const struct stage profile[5] = {
    { 20, 150, 60, 10 }, { 150, 180, 100, 8 }, { 180, 217, 20, 5 }, { 217, 250, 30, 3 }, { 40, 217, 120, 50 },
};

static int stage = -1, held, outside, peak, duty;
static unsigned finished, spoiled;

static int in_band(int temperature)
{
    return temperature >= profile[stage].low && temperature < profile[stage].high;
}

static void begin(int next)
{
    stage = next;
    held = outside = 0;
}

static void control(int temperature)
{
    int middle = (profile[stage].low + profile[stage].high) / 2;
    duty += temperature < middle ? 4 : -4;
    if (duty > 100) duty = 100;
    else if (duty < 0) duty = 0;
    if (temperature > peak) peak = temperature;
    if (in_band(temperature)) {
        if (++held < profile[stage].hold) return;
        if (stage == 4) {
            if (peak >= 240) finished++;
            begin(-1);
        } else {
            begin(stage + 1);
        }
    } else if (++outside > profile[stage].slack) {
        spoiled++;
        begin(-1);
    }
}

int main(void)
{
    int broken = 0;
    while (1) {
        int temperature = thermocouple();
        unsigned char buttons = panel();
        if (temperature < -50 || temperature > 400) {
            if (++broken == 12) begin(-1);
            if (broken > 12) broken = 13;
            continue;
        }
        broken = 0;
        if (stage < 0) {
            duty = 0;
            if ((buttons & 3) == 3 && temperature < 40) {
                peak = 0;
                begin(0);
            }
        } else if (buttons & 0x80) {
            begin(-1);
        } else {
            control(temperature);
        }
        if (finished == 1 && spoiled == 2 && stage == 3) finished = 0;
    }
}
