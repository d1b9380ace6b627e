/* clew test
 * branches: 34 of 34
 * covered: at least 21
 *
 * A turnstile with tickets: twenty events, each a ticket, a push, an alarm or the reset; tickets have a check digit and expire.
 * The loop ends after twenty events. What makes it hard is that the count of people inside follows from the order of events. */
extern unsigned __VERIFIER_nondet_uint(void);

enum state { LOCKED, UNLOCKED, EVACUATION };
enum { TICKET, PUSH, ALARM, RESET };

static enum state state = LOCKED;
static int inside, refused, passages, seen[4];

static int check_ticket(unsigned number)
{
    unsigned digits = number / 10 % 1000, sum = 0;
    while (digits > 0) {
        sum += digits % 10;
        digits /= 10;
    }
    if (sum % 10 != number % 10) return -1;
    return (int)(number / 10 % 4);
}

static void on_ticket(unsigned number)
{
    int group = check_ticket(number);
    if (group < 0 || inside >= 8) {
        refused++;
        return;
    }
    seen[group]++;
    if (seen[group] > 6) return;
    state = UNLOCKED;
}

static void on_push(void)
{
    if (state == LOCKED) {
        refused++;
    } else {
        inside++;
        if (state == UNLOCKED) state = LOCKED;
        else passages++;
    }
}

int main(void)
{
    for (int turn = 0; turn < 20; turn++) {
        unsigned event = __VERIFIER_nondet_uint();
        switch (event & 3) {
        case TICKET:
            if (state == LOCKED) on_ticket(event >> 2);
            break;
        case PUSH:
            on_push();
            break;
        case ALARM:
            if (refused >= 3) state = EVACUATION;
            break;
        default:
            if (state == EVACUATION && passages == inside) {
                state = LOCKED;
                inside = passages = 0;
            }
            refused = 0;
        }
    }
    if (inside == 8 && refused == 2) return 1;
    return state == EVACUATION ? 2 : 0;
}
