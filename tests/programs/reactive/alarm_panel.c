/* clew test
 * branches: 65 of 67
 * infeasible: 65 true
 * infeasible: 67 default
 * covered: at least 39
 *
 * A burglar alarm with six zones, an entry delay, a siren and a keypad; arming, disarming and the installer's menu have different codes.
 * What makes it hard is that codes of four to eight keys must be entered while zones are in certain states. */
extern int read_zone(int number);
extern int read_key(void);

enum state { DISARMED, EXIT_DELAY, ARMED, ENTRY_DELAY, SIREN, INSTALLER };
enum { ZONES = 6, DELAY = 30, SIREN_TURNS = 90, DOOR = 0 };

struct code {
    int length, position;
    int keys[8];
};

static struct code user = { 4, 0, { 2, 5, 8, 0 } };
static struct code installer = { 8, 0, { 9, 9, 1, 7, 3, 1, 1, 7 } };
static enum state state = DISARMED;
static int bypassed;
static unsigned timer, tampers;

static int entered(struct code *code, int key)
{
    if (key != code->keys[code->position]) {
        code->position = key == code->keys[0] ? 1 : 0;
        return 0;
    }
    code->position++;
    if (code->position < code->length) return 0;
    code->position = 0;
    return 1;
}

static int open_zones(void)
{
    int open = 0;
    for (int i = 0; i < ZONES; i++) {
        int value = read_zone(i);
        if (value > 900) tampers++;
        else if (value > 500 && !(bypassed & (1 << i))) open |= 1 << i;
    }
    return open;
}

static void enter(enum state next)
{
    state = next;
    timer = 0;
}

int main(void)
{
    while (1) {
        int zones = open_zones(), key = read_key();
        int by_user = 0, by_installer = 0;
        if (key >= 0 && key <= 9) {
            by_user = entered(&user, key);
            by_installer = entered(&installer, key);
        }
        /* The last keys of the two codes differ. */
        if (by_user && by_installer) return 1;
        timer++;
        switch (state) { /* The enumeration has no other state, so the implicit default is never taken. */
        case DISARMED:
            if (by_user && (zones & ~(1 << DOOR)) == 0) enter(EXIT_DELAY);
            else if (by_installer) enter(INSTALLER);
            break;
        case EXIT_DELAY:
            if (by_user) enter(DISARMED);
            else if (timer >= DELAY) enter(zones ? SIREN : ARMED);
            break;
        case ARMED:
            if (zones & ~(1 << DOOR)) enter(SIREN);
            else if (zones) enter(ENTRY_DELAY);
            break;
        case ENTRY_DELAY:
            if (by_user) enter(DISARMED);
            else if (timer >= DELAY || (zones & ~(1 << DOOR))) enter(SIREN);
            break;
        case SIREN:
            if (by_user) enter(DISARMED);
            else if (timer == SIREN_TURNS) enter(ARMED);
            break;
        case INSTALLER:
            if (key >= 10 && key < 10 + ZONES) bypassed ^= 1 << (key - 10);
            else if (key == 20) enter(DISARMED);
            break;
        }
        if (tampers >= 3 && state != INSTALLER) {
            tampers = 0;
            if (state == ARMED) enter(SIREN);
        }
    }
}
