/* clew test
 * branches: 50 of 50
 * covered: at least 30
 *
 * A stepper motor with a table of half steps, homing by a limit switch, a ramp of speeds and an emergency stop.
 * What makes it hard is that the position follows from many turns: 200 steps must be made before the far end is reached. */
extern int next_command(int *argument);
extern unsigned char limit_switches(void);
extern void drive(unsigned char pattern);

enum { HOME_SWITCH = 1, END_SWITCH = 2, STOP_BUTTON = 4, RANGE = 200 };
enum mode { UNKNOWN, HOMING, READY, MOVING, STOPPED };

static const unsigned char coils[8] = { 1, 3, 2, 6, 4, 12, 8, 9 };
static enum mode mode = UNKNOWN;
static int position, target, speed, phase;
static unsigned lost;

static void make_step(int direction)
{
    phase = (phase + direction) & 7;
    drive(coils[phase]);
    position += direction;
}

static void move(unsigned char switches)
{
    int distance = target - position;
    if (distance == 0) {
        mode = READY;
        speed = 0;
        return;
    }
    if ((distance > 0 ? distance : -distance) <= speed) speed--;
    else if (speed < 5) speed++;
    for (int i = 0; i < speed; i++) make_step(distance > 0 ? 1 : -1);
    if ((switches & END_SWITCH) && position < RANGE - 10) {
        lost++;
        mode = UNKNOWN;
    }
}

static void command(int code, int argument)
{
    if (code == 1 && mode == UNKNOWN) {
        mode = HOMING;
        position = 0;
    } else if (code == 2 && mode == READY) {
        if (argument < 0 || argument > RANGE) return;
        target = argument;
        mode = MOVING;
    } else if (code == 3 && mode == STOPPED) {
        mode = UNKNOWN;
    }
}

int main(void)
{
    unsigned at_end = 0;
    while (1) {
        int argument = 0;
        int code = next_command(&argument);
        unsigned char switches = limit_switches();
        if (switches & STOP_BUTTON) {
            mode = STOPPED;
            speed = 0;
        }
        command(code, argument);
        if (mode == HOMING) {
            if (switches & HOME_SWITCH) {
                mode = READY;
                position = 0;
            } else {
                make_step(-1);
                if (position < -300) mode = STOPPED;
            }
        } else if (mode == MOVING) {
            move(switches);
        }
        if (mode == READY && position == RANGE) at_end++;
        if (at_end == 12 && lost > 2) at_end = lost = 0;
    }
}
