/* clew test
 * branches: 40 of 42
 * infeasible: 42 true
 * infeasible: 42 true
 * covered: at least 24
 *
 * An elevator with eight floors: calls are collected in a set of bits and served in the direction of travel, and the door has a light barrier.
 * What makes it hard is that a floor is reached only by several turns of travel while the door stays closed. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { FLOORS = 8, DOOR_TURNS = 4, STUCK_TURNS = 12 };
enum motion { STOPPED, UP, DOWN };

static int floor_now, door, held, stuck;
static unsigned calls;
static enum motion motion;

static int calls_above(void)
{
    return (calls >> floor_now) > 1;
}

static int calls_below(void)
{
    return (calls & ((1u << floor_now) - 1)) != 0;
}

static void choose_direction(void)
{
    if (motion == UP && calls_above()) return;
    if (motion == DOWN && calls_below()) return;
    if (calls_above()) motion = UP;
    else if (calls_below()) motion = DOWN;
    else motion = STOPPED;
}

static void travel(void)
{
    if (motion == UP) floor_now++;
    else if (motion == DOWN) floor_now--;
    /* The elevator moves only towards a call, and calls are only for floors 0 to 7. */
    if (floor_now < 0 || floor_now >= FLOORS) floor_now = 0;
    if (calls & (1u << floor_now)) {
        calls &= ~(1u << floor_now);
        door = DOOR_TURNS;
        held = 0;
    }
}

static void wait_for_door(int blocked)
{
    if (!blocked) {
        door--;
        return;
    }
    if (++held == STUCK_TURNS) {
        stuck = 1;
        door = 0;
    }
}

int main(void)
{
    unsigned top_visits = 0;
    while (1) {
        unsigned char input = __VERIFIER_nondet_uchar();
        if (input < FLOORS) calls |= 1u << input;
        if (stuck) {
            if (input == 0xAA) stuck = 0;
            continue;
        }
        if (door > 0) {
            wait_for_door(input & 0x80);
            continue;
        }
        choose_direction();
        travel();
        if (floor_now == FLOORS - 1 && door == DOOR_TURNS) top_visits++;
        if (top_visits == 3 && calls == 0x0f) top_visits = 0;
    }
}
