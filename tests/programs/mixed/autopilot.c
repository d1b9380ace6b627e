/* clew explore -lm --first-bug --work 2000
 * seeds: 10
 * variants: -DSTEPS=1 -DSTEPS=2 -DSTEPS=3 -DSTEPS=4 -DSTEPS=5 -DSTEPS=6 -DSTEPS=7 -DSTEPS=8 -DSTEPS=9 -DSTEPS=10
 * bug: assertion 53
 *
 * A reactive controller in the style of the Apollo autopilot: attitude error and rate come in at every step, a jet time goes out.  It follows what
 * is calculated only so fast, so that the monitor's threshold takes all of the steps to reach. */
#include <assert.h>
#include <clew.h>
#include <math.h>

#define ACCELERATION 0.5
#define DEADBAND 0.25
#define SLEW 2.5

typedef struct Autopilot {
    double jet_time;
    int firing, coasting;
} Autopilot;

static double calculated(double error, double rate)
{
    double energy = rate * rate / 2 + ACCELERATION * fabs(error);
    double time = rate / ACCELERATION + sqrt(energy) / ACCELERATION;
    return error < 0 ? -time : time;
}

static double towards(double from, double to)
{
    if (to > from + SLEW) return from + SLEW;
    if (to < from - SLEW) return from - SLEW;
    return to;
}

static void step(Autopilot *pilot, double error, double rate)
{
    if (fabs(error) < DEADBAND && fabs(rate) < DEADBAND) {
        pilot->coasting++;
        pilot->jet_time = towards(pilot->jet_time, 0);
        return;
    }
    pilot->jet_time = towards(pilot->jet_time, calculated(error, rate));
    pilot->firing = pilot->jet_time > 0;
}

int main(void)
{
    Autopilot pilot = {0};
    for (int i = 0; i < STEPS; i++) {
        double error = clew_double("error"), rate = clew_double("rate");
        clew_assume(error >= -180 && error <= 180 && rate >= -50 && rate <= 50);
        step(&pilot, error, rate);
        assert(pilot.jet_time <= SLEW * STEPS - 0.5);
    }
    return pilot.coasting;
}
