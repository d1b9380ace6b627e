/* clew test
 * branches: 23 of 24
 * infeasible: 38 true
 * covered: at least 14
 *
 * A lock that opens after exactly 40 keys in the right order. A wrong key starts the sequence again, and five wrong keys in a row
 * block the keypad for 20 turns. What makes it hard is the length of the sequence: each key must be found with all the keys before it. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { LENGTH = 40, TRIES = 5, BLOCKED_TURNS = 20 };

static const unsigned char pin[LENGTH] = {
    3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4,
    6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5, 0, 2, 8, 8, 4, 1, 9, 7,
};

static unsigned position, failures, blocked, openings;

static void wrong_key(void)
{
    position = 0;
    failures++;
    if (failures == TRIES) {
        blocked = BLOCKED_TURNS;
        failures = 0;
    }
}

static void key(unsigned char digit)
{
    if (digit == pin[position]) {
        position++;
        failures = 0;
    } else {
        wrong_key();
    }
    /* The position goes back to 0 at LENGTH, so it never passes LENGTH. */
    if (position > LENGTH) position = 0;
    if (position == LENGTH) {
        openings++;
        position = 0;
    }
}

int main(void)
{
    int alarm = 0;
    while (1) {
        unsigned char input = __VERIFIER_nondet_uchar();
        if (blocked > 0) {
            blocked--;
            if (blocked == 0 && input == 99) alarm = 1;
            continue;
        }
        if (input > 9) continue;
        if (position == 20 && input != pin[20]) alarm = 1;
        key(input);
        if (openings == 2 && alarm) openings = 0;
    }
}
