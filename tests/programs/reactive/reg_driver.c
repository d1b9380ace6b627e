/* clew test
 * branches: 45 of 47
 * infeasible: 38 true
 * infeasible: 95 true
 * covered: at least 27
 *
 * A driver for a network chip that talks through registers: reset, link negotiation, receive and transmit queues, recovery after errors.
 * What makes it hard is that each register read is an input of its own, and that several reads must fit together. */
extern unsigned read_register(unsigned address);
extern void write_register(unsigned address, unsigned value);

enum { STATUS = 0x00, CONTROL = 0x04, LINK = 0x08, FIFO = 0x0c, CHIP_ID = 0x10 };
enum { S_READY = 0x01, S_RX = 0x02, S_TX_DONE = 0x04, S_ERROR = 0x80 };
enum phase { PROBE, RESET, NEGOTIATE, UP, FAILED };

static enum phase phase = PROBE;
static unsigned waits, resets, received, sent, speed;

static void fail_or_reset(void)
{
    waits = 0;
    if (++resets > 3) {
        phase = FAILED;
    } else {
        write_register(CONTROL, 0x8000);
        phase = RESET;
    }
}

static void negotiate(void)
{
    unsigned link = read_register(LINK);
    if (link & 0x8000) {
        fail_or_reset();
    } else if ((link & 0xff) == 0x4d) {
        speed = (link >> 8) & 3;
        /* The mask leaves 0 to 3. */
        if (speed > 3) speed = 0;
        phase = UP;
        waits = 0;
    } else if (++waits == 40) {
        fail_or_reset();
    }
}

static void service(void)
{
    unsigned status = read_register(STATUS);
    if ((status & S_ERROR) && status != 0xffffffffu) {
        fail_or_reset();
        return;
    }
    if (status & S_RX) {
        unsigned header = read_register(FIFO), words = header & 7;
        unsigned sum = 0;
        for (unsigned i = 0; i < words; i++) sum += read_register(FIFO);
        if (words > 0 && sum == header >> 8) received++;
    }
    if (sent > 0 && (status & S_TX_DONE)) sent--;
    if (received > sent) {
        write_register(FIFO, received);
        sent++;
        received = 0;
    }
    if (sent == 12) resets = 0;
}

int main(void)
{
    while (1) {
        switch (phase) {
        case PROBE:
            if (read_register(CHIP_ID) == 0x8139) {
                write_register(CONTROL, 0x8000);
                phase = RESET;
            }
            break;
        case RESET:
            if (read_register(STATUS) & S_READY) phase = NEGOTIATE;
            else if (++waits > 25) fail_or_reset();
            break;
        case NEGOTIATE:
            negotiate();
            break;
        case UP:
            service();
            break;
        default:
            if (read_register(CONTROL) == 0x600d) {
                phase = PROBE;
                resets = 0;
            }
        }
        /* A failure always comes with more than three resets, and only leaving FAILED forgets them. */
        if (phase == FAILED && resets < 4) return 1;
    }
}
