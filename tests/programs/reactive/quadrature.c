/* clew test
 * branches: 32 of 32
 * covered: at least 20
 *
 * A decoder for a rotary encoder with two lines, a push button and a menu of numbers; the lines are read 60 times.
 * The loop ends by itself. What makes it hard is that the two lines must follow the Gray code for four readings for each detent. */
extern unsigned char __VERIFIER_nondet_uchar(void);

static const signed char steps[16] = { 0, 1, -1, 2, -1, 0, 2, 1, 1, 2, 0, -1, 2, -1, 1, 0 };

static int position, errors, menu, value[3], pushed;

static void detent(int direction)
{
    if (!menu) {
        position = (position + 3 + direction) % 3;
        return;
    }
    value[position] += direction;
    if (value[position] > 5) value[position] = 5;
    if (value[position] < -2) value[position] = -2;
}

/* Fast turns in the same direction count twice: four readings are the least that a detent takes. */
static int accelerated(int direction, int pause)
{
    static int streak;
    if (pause > 6) streak = 0;
    streak = direction > 0 ? streak + 1 : 0;
    return streak > 3 ? 2 * direction : direction;
}

static void button(int down)
{
    if (!down) {
        if (pushed >= 2) menu = !menu;
        pushed = 0;
    } else if (++pushed == 15) {
        value[position] = 0;
    }
}

int main(void)
{
    int last = 0, quarter = 0, pause = 0;
    for (int i = 0; i < 60; i++) {
        unsigned char port = __VERIFIER_nondet_uchar();
        int step = steps[last << 2 | (port & 3)];
        last = port & 3;
        if (step == 2) {
            errors++;
            quarter = 0;
        } else {
            quarter += step;
        }
        if (quarter == 4 || quarter == -4) {
            detent(accelerated(quarter / 4, pause));
            quarter = pause = 0;
        }
        pause++;
        button(port & 0x10);
    }
    if (errors > 10) return 2;
    if (value[0] == 3 && value[2] == -1) return 1;
    return 0;
}
