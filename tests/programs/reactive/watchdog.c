/* clew test
 * branches: 36 of 38
 * infeasible: 57 true
 * infeasible: 59 false
 * covered: at least 22
 *
 * A watchdog over a heartbeat: the heartbeat must stay in its window for 1000 turns before the system counts as warm, and resets are counted.
 * What makes it hard is the counter of 1000 turns, each of which depends on an input. */
extern short __VERIFIER_nondet_short(void);

enum { WARM = 1000, PATIENCE = 16, LOW = 180, HIGH = 220 };
enum mode { COLD, RUNNING, LIMP, DEAD };

static enum mode mode = COLD;
static int good, missed;
static unsigned long resets, warnings;

static void in_window(int beat)
{
    missed = 0;
    if (good < WARM) good++;
    if (good == WARM && mode == COLD) mode = RUNNING;
    if (mode == LIMP && beat == 200 && good >= 100) {
        mode = RUNNING;
        warnings = 0;
    }
}

static void out_of_window(int beat)
{
    good = 0;
    missed++;
    if (missed == PATIENCE / 2) warnings++;
    if (missed < PATIENCE) return;
    missed = 0;
    if (mode == RUNNING) {
        mode = LIMP;
    } else if (mode == LIMP && beat < 0) {
        mode = DEAD;
    } else {
        resets++;
    }
}

int main(void)
{
    while (1) {
        int beat = __VERIFIER_nondet_short();
        if (mode == DEAD) {
            if (beat != 0x1234) continue;
            mode = COLD;
            resets = 0;
        }
        if (beat >= LOW && beat <= HIGH) in_window(beat);
        else out_of_window(beat);
        /* The count starts again at PATIENCE. */
        if (missed >= PATIENCE) return 1;
        /* Every reset comes after a warning, and warnings are not taken back in the mode COLD. */
        if (mode == COLD && resets == 3 && warnings > 2) {
            resets = 0;
            warnings = 0;
        }
    }
}
