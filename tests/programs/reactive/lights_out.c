/* clew test
 * branches: 48 of 48
 * covered: at least 21
 *
 * The game Lights Out on four by four lamps: a press toggles a lamp and its neighbours, and the inputs have twelve presses.
 * What makes it hard is that only few sets of presses switch all lamps off, and undo and hints change what is allowed. */
extern int __VERIFIER_nondet_int(void);

enum { SIZE = 4, PRESSES = 12 };

static unsigned lamps = 0x9009;
static int history[PRESSES], pressed, hints, pattern;

static void toggle(int row, int column)
{
    if (row < 0 || row >= SIZE || column < 0 || column >= SIZE) return;
    lamps ^= 1u << (row * SIZE + column);
}

static void press(int lamp)
{
    int row = lamp / SIZE, column = lamp % SIZE;
    toggle(row, column);
    toggle(row - 1, column);
    toggle(row + 1, column);
    toggle(row, column - 1);
    toggle(row, column + 1);
}

static int lit(void)
{
    int count = 0;
    for (unsigned rest = lamps; rest; rest &= rest - 1) count++;
    return count;
}

/* The sum over a column decides which of the two patterns of the display is shown. */
static int parity(int column)
{
    unsigned bits = lamps >> column & 0x1111;
    int odd = 0;
    while (bits) {
        odd = !odd;
        bits &= bits - 1;
    }
    return odd;
}

int main(void)
{
    for (int turn = 0; turn < PRESSES; turn++) {
        int input = __VERIFIER_nondet_int();
        if (input >= 0 && input < SIZE * SIZE) {
            press(input);
            history[pressed++] = input;
        } else if (input == 100) {
            if (pressed > 0) press(history[--pressed]);
        } else if (input == 200) {
            if (++hints > 2) return 3;
        } else {
            return 2;
        }
        if (lamps == 0) return hints > 0 ? 1 : 0;
        if (lit() == SIZE * SIZE && pressed == 4) return 5;
        if (lit() >= 14 && turn < 6) hints = 0;
        if (parity(0) && parity(1) && parity(2) && !parity(3)) pattern++;
    }
    return pattern > 3 ? 6 : 4;
}
