/* clew test
 * branches: 48 of 51
 * infeasible: 30 default
 * infeasible: 39 true
 * infeasible: 66 true
 * covered: at least 29
 *
 * A traffic light with a button for pedestrians and a night mode, as a switch over the state with a timer for each state.
 * What makes it hard is that a state must be kept for many turns before the next one is entered. */
extern int __VERIFIER_nondet_int(void);

enum state { GREEN, YELLOW, RED, RED_YELLOW, WALK, NIGHT };

int main(void)
{
    enum state state = RED;
    unsigned timer = 0;
    int requested = 0, dark = 0, cars = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        int button = input & 1, light = (input >> 1) & 0xff, car = (input >> 9) & 1;
        if (button && state != WALK) requested = 1;
        if (light < 10) {
            if (dark < 30) dark++;
        } else if (light > 40) {
            dark = 0;
        }
        if (car && state == RED && cars < 100) cars++;
        timer++;
        switch (state) {
        case GREEN:
            if ((requested && timer >= 15) || timer >= 60) {
                state = YELLOW;
                timer = 0;
            }
            break;
        case YELLOW:
            /* Every way into YELLOW sets the timer to 0, and it leaves at 3. */
            if (timer > 3) state = NIGHT;
            if (timer == 3) {
                state = RED;
                timer = 0;
            }
            break;
        case RED:
            if (timer < 5) break;
            timer = 0;
            if (dark == 30) {
                state = NIGHT;
            } else if (requested) {
                state = WALK;
                requested = 0;
            } else {
                state = RED_YELLOW;
            }
            break;
        case RED_YELLOW:
            if (timer >= 2) {
                state = GREEN;
                timer = 0;
                cars = cars >= 12 ? 1 : 0;
            }
            break;
        case WALK:
            /* A request is taken back before WALK, and the button does not count during WALK. */
            if (requested) timer = 0;
            if (timer == 10) {
                state = RED;
                timer = 4;
            }
            break;
        case NIGHT:
            if (dark == 0 && timer > 20) {
                state = YELLOW;
                timer = 0;
            }
            break;
        default: /* The enumeration has no other state. */
            timer = 0;
        }
    }
}
