/* clew test
 * branches: 47 of 48
 * infeasible: 45 true
 * covered: at least 29
 *
 * An arbiter for a bus with four masters: fixed priority in normal mode, fair turns after a master starved, and a locked transfer of many turns.
 * What makes it hard is that a master must ask in vain for 24 turns while others keep the bus. */
extern unsigned request_lines(void);
extern int lock_line(void);

enum { MASTERS = 4, FREE = -1, STARVED = 24, LONGEST = 16 };

static int owner = FREE, fair, next, lock_turns, waiting[MASTERS];

static int by_priority(unsigned requests)
{
    for (int i = 0; i < MASTERS; i++) {
        if (requests & (1u << i)) return i;
    }
    return FREE;
}

static int by_turn(unsigned requests)
{
    for (int i = 0; i < MASTERS; i++) {
        int master = (next + i) % MASTERS;
        if (requests & (1u << master)) {
            next = (master + 1) % MASTERS;
            return master;
        }
    }
    return FREE;
}

static void note_waiting(unsigned requests)
{
    int starved = 0;
    for (int i = 0; i < MASTERS; i++) {
        if (!(requests & (1u << i)) || i == owner) waiting[i] = 0;
        else if (waiting[i] < STARVED) waiting[i]++;
        if (waiting[i] == STARVED) starved++;
    }
    if (starved > 0) fair = 1;
    /* While somebody asks, the bus stays free for at most one turn, so all four masters never wait for 24 turns together. */
    if (starved == MASTERS) fair = 2;
}

int main(void)
{
    int granted[MASTERS] = { 0, 0, 0, 0 };
    unsigned violations = 0;
    while (1) {
        unsigned requests = request_lines() & 0x0f;
        int locked = lock_line() == 1;
        if (owner != FREE && locked && (requests & (1u << owner))) {
            if (++lock_turns > LONGEST) {
                violations++;
                owner = FREE;
                lock_turns = 0;
            }
        } else {
            lock_turns = 0;
            owner = fair ? by_turn(requests) : by_priority(requests);
        }
        note_waiting(requests);
        if (owner != FREE && granted[owner] < 1000) granted[owner]++;
        if (fair && requests == 0) fair = 0;
        if (granted[3] == 12 && granted[0] == 0) violations = 0;
        if (violations == 3 && fair) violations = 0;
    }
}
