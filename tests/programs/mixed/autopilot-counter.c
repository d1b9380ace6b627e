/* clew explore -lm --first-bug --work 2000
 * seeds: 10
 * variants: -DSTEPS=1 -DSTEPS=2 -DSTEPS=3 -DSTEPS=4 -DSTEPS=5 -DSTEPS=6 -DSTEPS=7 -DSTEPS=8 -DSTEPS=9 -DSTEPS=10
 * bug: assertion 49
 *
 * A reactive controller in the style of the Apollo autopilot: attitude error and rate come in at every step, a jet time goes out, and a monitor
 * watches whether it has been above the threshold at all of the steps, which only the path tells. */
#include <assert.h>
#include <clew.h>
#include <math.h>

#define ACCELERATION 0.5
#define DEADBAND 0.25
#define THRESHOLD 10.0

typedef struct Autopilot {
    double jet_time;
    int firing, coasting, above;
} Autopilot;

static double jet_time(double error, double rate)
{
    double energy = rate * rate / 2 + ACCELERATION * fabs(error);
    double time = rate / ACCELERATION + sqrt(energy) / ACCELERATION;
    return error < 0 ? -time : time;
}

static void step(Autopilot *pilot, double error, double rate)
{
    if (fabs(error) < DEADBAND && fabs(rate) < DEADBAND) {
        pilot->coasting++;
        pilot->jet_time = 0;
        return;
    }
    double time = jet_time(error, rate);
    if (pilot->firing && time < pilot->jet_time / 2) time = pilot->jet_time / 2;
    pilot->firing = time > 0;
    pilot->jet_time = time;
}

int main(void)
{
    Autopilot pilot = {0};
    for (int i = 0; i < STEPS; i++) {
        double error = clew_double("error"), rate = clew_double("rate");
        step(&pilot, error, rate);
        if (pilot.jet_time > THRESHOLD) pilot.above++;
    }
    assert(pilot.above < STEPS);
    return pilot.coasting;
}
