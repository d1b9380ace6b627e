/* clew test
 * branches: 72 of 72
 * covered: at least 44
 *
 * A cruise control: buttons for set, resume, faster and slower, a brake pedal, and a throttle that moves by one step in a turn.
 * What makes it hard is that the speed is an input that must fit the throttle for a while before the control counts as settled. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { OFF, STANDBY, ACTIVE, OVERRIDE };
enum { B_ON = 1, B_SET = 2, B_RESUME = 4, B_FASTER = 8, B_SLOWER = 16, P_BRAKE = 32, P_GAS = 64 };

static int mode, target, throttle, tired;
static unsigned settled;

static void regulate(int speed)
{
    int wanted = (target - speed) * 2 + 20;
    if (wanted < 0) wanted = 0;
    if (wanted > 60) wanted = 60;
    if (throttle < wanted) throttle++;
    else if (throttle > wanted) throttle--;
    if (throttle == wanted && speed - target <= 2 && target - speed <= 2) settled++;
    else settled = 0;
}

static void buttons(int keys, int speed)
{
    if (keys & B_ON) {
        mode = mode == OFF ? STANDBY : OFF;
        target = 0;
    }
    if (mode == OFF) return;
    if ((keys & B_SET) && speed >= 40 && speed <= 180) {
        target = speed;
        mode = ACTIVE;
    } else if ((keys & B_RESUME) && target > 0) {
        mode = ACTIVE;
    }
    if (mode == ACTIVE && (keys & B_FASTER) && target < 180) target += 2;
    if (mode == ACTIVE && (keys & B_SLOWER) && target > 40) target -= 2;
}

int main(void)
{
    while (1) {
        int keys = __VERIFIER_nondet_uchar();
        int speed = __VERIFIER_nondet_uchar();
        buttons(keys, speed);
        if (keys & P_BRAKE) {
            if (mode == ACTIVE || mode == OVERRIDE) mode = STANDBY;
        } else if (mode == ACTIVE && (keys & P_GAS)) {
            mode = OVERRIDE;
        } else if (mode == OVERRIDE && !(keys & P_GAS)) {
            mode = ACTIVE;
        }
        if (mode == ACTIVE) {
            regulate(speed);
        } else if (throttle > 0) {
            throttle--;
            settled = 0;
        }
        if (settled == 40 && throttle > 20 && target == 120) tired = 1;
        if (tired && mode == OFF && throttle == 0) tired = 0;
    }
}
