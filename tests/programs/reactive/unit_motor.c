/* clew test
 * branches: 57 of 57
 * covered: at least 35
 *
 * A motor controller without main: a function that never returns, with its configuration as parameters and all inputs from missing functions.
 * What makes it hard is that the configuration decides which parts of the loop work, and that overheating needs many turns at high current. */
extern int read_current(void);
extern int read_temperature(int sensor);
extern unsigned char read_command(void);
extern void set_duty(int duty);

enum mode { M_OFF, M_SOFT_START, M_RUN, M_BRAKE, M_TRIPPED };

struct motor {
    enum mode mode;
    int duty, heat, ramp, trips, stall;
};

static int limit(int value, int low, int high)
{
    if (value < low) return low;
    return value > high ? high : value;
}

static void trip(struct motor *m)
{
    m->mode = M_TRIPPED;
    m->duty = 0;
    if (m->trips < 10) m->trips++;
}

static void thermal_model(struct motor *m, int current, int rating)
{
    m->heat += current > rating ? 4 : -1;
    m->heat = limit(m->heat, 0, 200);
    if (m->heat == 200) trip(m);
}

static void run(struct motor *m, int current, int command)
{
    switch (m->mode) {
    case M_OFF:
        if (command == 'S') {
            m->mode = M_SOFT_START;
            m->ramp = 0;
        }
        break;
    case M_SOFT_START:
        m->ramp++;
        m->duty = 2 * m->ramp;
        if (m->ramp == 40) m->mode = M_RUN;
        if (command == 'X') m->mode = M_BRAKE;
        break;
    case M_RUN:
        if (command == '+') m->duty = limit(m->duty + 5, 0, 100);
        else if (command == '-') m->duty = limit(m->duty - 5, 10, 100);
        else if (command == 'X') m->mode = M_BRAKE;
        if (m->duty > 50 && current == 0) m->stall++;
        else m->stall = 0;
        if (m->stall == 8) trip(m);
        break;
    case M_BRAKE:
        m->duty = limit(m->duty - 10, 0, 100);
        if (m->duty == 0) m->mode = M_OFF;
        break;
    default:
        if (command == 'R' && m->heat < 50 && m->trips < 3) m->mode = M_OFF;
    }
}

void motor_task(int rating, int sensors)
{
    struct motor motor = { M_OFF, 0, 0, 0, 0, 0 };
    if (rating < 1 || rating > 5000) return;
    for (;;) {
        int current = read_current();
        if (current < 0) current = 0;
        for (int i = 0; i < sensors && i < 3; i++) {
            if (read_temperature(i) > 120) trip(&motor);
        }
        if (motor.mode != M_TRIPPED) thermal_model(&motor, current, rating);
        else if (motor.heat > 0) motor.heat--;
        run(&motor, current, read_command());
        set_duty(motor.duty);
    }
}
