/* clew test
 * branches: 34 of 36
 * infeasible: 44 true
 * infeasible: 50 true
 * covered: at least 21
 *
 * A heating controller with hysteresis, an integrating term that saturates, a minimum pause and protection against frost.
 * What makes it hard is that the saturated integral is reached only by many cold readings while the pump is on. */
extern char __VERIFIER_nondet_char(void);

enum { LIMIT = 400, PAUSE = 10, SET = 21 };

static int clamp(int value, int low, int high)
{
    if (value < low) return low;
    if (value > high) return high;
    return value;
}

int main(void)
{
    int integral = 0, heating = 0, pause = 0, frost = 0, saturated = 0, service = 0;
    while (1) {
        int temperature = (signed char)__VERIFIER_nondet_char();
        if (temperature < -40 || temperature > 60) {
            service++;
            if (service == 12) {
                heating = 0;
                integral = 0;
                service = 0;
            }
            continue;
        }
        service = 0;
        int error = SET - temperature;
        if (temperature < 3) {
            if (frost < 5) frost++;
        } else {
            frost = 0;
        }
        if (pause > 0) {
            pause--;
            /* A pause begins by switching off, and nothing switches on during a pause. */
            if (heating) pause = 0;
            continue;
        }
        if (heating) integral = clamp(integral + error, -LIMIT, LIMIT);
        int power = 4 * error + integral / 8;
        /* Frost means an error of at least 19, and then the power is above 6 even with the least integral. */
        if (!heating && (power > 6 || frost == 5)) heating = 1;
        else if (heating && power < -6) {
            heating = 0;
            pause = PAUSE;
        }
        if (integral == LIMIT) saturated++;
        else if (integral == -LIMIT) saturated = -1;
        else saturated = 0;
        if (saturated == 12) integral = 0;
    }
}
