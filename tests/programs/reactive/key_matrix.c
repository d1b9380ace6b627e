/* clew test
 * branches: 46 of 46
 * covered: at least 20
 *
 * A scanner of a matrix of 4 by 4 keys: one row is driven at a time, ghost keys are refused, and a repeat starts when a key is held.
 * What makes it hard is that a key must be seen in three whole scans of four turns each, with no other key in between. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { ROWS = 4, CONFIRM = 3, REPEAT = 10 };

static unsigned char image[ROWS];
static int candidate = -1, confirmed, pressed = -1, repeats, shift;
static char text[8];
static int length;

static int count_keys(int *which)
{
    int count = 0;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < 4; column++) {
            if (image[row] & (1 << column)) {
                count++;
                *which = 4 * row + column;
            }
        }
    }
    return count;
}

static void emit(int key)
{
    if (key == 15) {
        shift = !shift;
    } else if (key == 14) {
        if (length > 0) length--;
    } else if (length < 8) {
        text[length++] = (char)((shift ? 'A' : 'a') + key);
    }
}

static void scanned(void)
{
    int key = -1, count = count_keys(&key);
    if (count > 1) key = -1;
    if (key != candidate) {
        candidate = key;
        confirmed = 1;
        return;
    }
    if (confirmed < CONFIRM) confirmed++;
    if (confirmed < CONFIRM) return;
    if (key == pressed) {
        if (key >= 0 && ++repeats == REPEAT) {
            repeats = REPEAT - 2;
            emit(key);
        }
        return;
    }
    pressed = key;
    repeats = 0;
    if (key >= 0) emit(key);
}

int main(void)
{
    int row = 0, unlocked = 0;
    while (1) {
        image[row] = __VERIFIER_nondet_uchar() & 0x0f;
        row = (row + 1) % ROWS;
        if (row != 0) continue;
        scanned();
        if (length == 3 && text[0] == 'a' && text[1] == 'C' && text[2] == 'e') unlocked = 1;
        if (unlocked && length == 0) unlocked = 0;
    }
}
