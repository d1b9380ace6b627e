/* clew test
 * branches: 42 of 42
 * covered: at least 26
 *
 * A receiver of frames in the manner of HDLC: a flag byte at both ends, escaped bytes, a sum over the content at the end.
 * What makes it hard is that a frame counts only if its sum is right, and that the commands inside have their own lengths. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { FLAG = 0x7e, ESCAPE = 0x7d, FLIP = 0x20, ROOM = 12 };
enum { HUNT, INSIDE, ESCAPED };

static unsigned char frame[ROOM];
static int length, state = HUNT;
static int level, mode, errors;
static unsigned good;

static int sum_is_right(void)
{
    unsigned char sum = 0;
    for (int i = 0; i < length; i++) sum = (unsigned char)(sum + frame[i]);
    return sum == 0xff;
}

static void execute(void)
{
    switch (frame[0]) {
    case 0x10:
        if (length == 3) level = frame[1];
        break;
    case 0x21:
        if (length == 5 && frame[1] == frame[3] && frame[2] == 0x42) mode = frame[1] & 3;
        break;
    case 0x7e:
        /* The flag itself can be content only if it was escaped. */
        mode = 3;
        break;
    default:
        errors++;
    }
}

static void end_of_frame(void)
{
    if (length >= 2 && sum_is_right()) {
        good++;
        execute();
    } else if (length > 0) {
        errors++;
    }
    length = 0;
    if (errors == 10) {
        errors = 0;
        level = mode = 0;
        state = HUNT;
    }
}

static void store(unsigned char byte)
{
    if (length == ROOM) {
        state = HUNT;
        errors = errors < 9 ? errors + 1 : errors;
        length = 0;
        return;
    }
    frame[length++] = byte;
}

int main(void)
{
    while (1) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        if (byte == FLAG) {
            state = INSIDE;
            end_of_frame();
        } else if (state == ESCAPED) {
            state = INSIDE;
            store(byte ^ FLIP);
        } else if (byte == ESCAPE) {
            if (state == INSIDE) state = ESCAPED;
        } else if (state == INSIDE) {
            store(byte);
        }
        if (level == 200 && mode == 2 && good >= 5) good = 0;
    }
}
