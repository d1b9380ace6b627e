/* A heater with hysteresis, over three readings. */
#include <clew.h>
#include <stdbool.h>

enum { LOW = 180, HIGH = 220, ALARM = 900, STEPS = 3 };

typedef struct Thermostat {
    bool is_heating;
    bool is_alarmed;
    int switches;
} Thermostat;

static bool is_plausible(int reading)
{
    return reading > -500 && reading < 2000;
}

static void set_heating(Thermostat *thermostat, bool is_heating)
{
    if (thermostat->is_heating == is_heating) return;
    thermostat->is_heating = is_heating;
    thermostat->switches++;
}

static void step(Thermostat *thermostat, int reading)
{
    if (!is_plausible(reading) || reading >= ALARM) {
        thermostat->is_alarmed = true;
        set_heating(thermostat, false);
    } else if (reading < LOW) {
        set_heating(thermostat, true);
    } else if (reading > HIGH) {
        set_heating(thermostat, false);
    }
}

int main(void)
{
    Thermostat thermostat = {0};
    for (int i = 0; i < STEPS && !thermostat.is_alarmed; i++) step(&thermostat, clew_int("reading"));
    clew_assert(thermostat.switches <= STEPS);
    return thermostat.is_alarmed ? 2 : thermostat.is_heating;
}
