/* clew test
 * branches: 50 of 50
 * covered: at least 30
 *
 * Two buttons that are debounced over 12 equal samples, with short presses, long presses of 100 samples and a chord of both buttons.
 * What makes it hard is that nothing happens until the same level was read 12 times in a row. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { STABLE = 12, LONG = 100 };

struct button {
    unsigned char level, candidate;
    int run, held, was_long;
};

static int menu, brightness = 5, locked;

static int sample(struct button *b, unsigned char level)
{
    if (level != b->candidate) {
        b->candidate = level;
        b->run = 1;
        return 0;
    }
    if (b->run < STABLE) b->run++;
    if (b->run == STABLE && b->level != level) {
        b->level = level;
        return 1;
    }
    return 0;
}

static void short_press(int which)
{
    if (locked) return;
    if (which == 0) menu = (menu + 1) % 4;
    else if (menu == 3 && brightness < 9) brightness++;
    else if (menu == 2 && brightness > 0) brightness--;
}

static void step(struct button *b, int which, unsigned char level)
{
    int changed = sample(b, level);
    if (changed && b->level) {
        b->held = 0;
        b->was_long = 0;
    } else if (changed && !b->was_long) {
        short_press(which);
    }
    if (b->level && b->held < LONG) {
        b->held++;
        if (b->held == LONG) b->was_long = 1;
    }
}

int main(void)
{
    struct button buttons[2] = { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 } };
    while (1) {
        unsigned char port = __VERIFIER_nondet_uchar();
        for (int i = 0; i < 2; i++) step(&buttons[i], i, (port >> i) & 1);
        if (buttons[0].was_long && buttons[1].was_long && buttons[0].level) locked = 1;
        if (locked && port == 0xC0) locked = 0;
        if (brightness == 9 && menu == 0) brightness = 5;
    }
}
