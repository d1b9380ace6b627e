/* clew test
 * branches: 41 of 42
 * infeasible: 80 false
 * covered: at least 25
 *
 * A producer and a consumer with a ring buffer between them: flow control with two watermarks, an overflow count, and a flush on a pattern.
 * What makes it hard is that the fill level is the difference of two histories and must reach both watermarks. */
extern int poll_source(unsigned char *byte);
extern int sink_ready(void);

enum { SIZE = 32, HIGH = 24, LOW = 8 };

struct ring {
    unsigned char data[SIZE];
    unsigned head, tail;
};

static struct ring ring;
static int stopped;
static unsigned lost, flushed, lines;

static unsigned fill(void)
{
    return ring.head - ring.tail;
}

static int put(unsigned char byte)
{
    if (fill() == SIZE) return 0;
    ring.data[ring.head % SIZE] = byte;
    ring.head++;
    return 1;
}

static int get(unsigned char *byte)
{
    if (fill() == 0) return 0;
    *byte = ring.data[ring.tail % SIZE];
    ring.tail++;
    return 1;
}

static unsigned char last(unsigned back)
{
    return ring.data[(ring.head - back) % SIZE];
}

static void produce(void)
{
    unsigned char byte = 0;
    if (poll_source(&byte) <= 0) return;
    if (!put(byte)) {
        lost++;
        return;
    }
    if (fill() >= 3 && last(1) == 0x1b && last(2) == 0x1b && last(3) == 'F') {
        ring.tail = ring.head;
        flushed++;
    }
}

static void consume(void)
{
    unsigned char byte;
    if (sink_ready() == 0) return;
    for (int i = 0; i < 2 && get(&byte); i++) {
        if (byte == '\n') lines++;
    }
}

int main(void)
{
    int emergencies = 0;
    while (1) {
        produce();
        consume();
        if (!stopped && fill() >= HIGH) stopped = 1;
        else if (stopped && fill() <= LOW) stopped = 0;
        /* A byte is lost only when the ring is full; the consumer takes at most 2 bytes in a turn, so the level is then above HIGH. */
        if (lost >= 5 && stopped) {
            lost = 0;
            if (emergencies < 3) emergencies++;
            else ring.tail = ring.head;
        }
        if (flushed == 2 && lines >= 12) flushed = lines = 0;
    }
}
