/* clew test
 * branches: 47 of 49
 * infeasible: 66 default
 * infeasible: 89 true
 * covered: at least 29
 *
 * The passive side of a connection with a three-way handshake, numbered segments, repeated acknowledgements and a timeout.
 * What makes it hard is that numbers in later messages must fit those in earlier ones. */
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

enum kind { NOTHING, SYN, ACK, DATA, FIN, RESET };
enum state { LISTEN, SYN_RECEIVED, ESTABLISHED, CLOSING };

struct connection {
    enum state state;
    unsigned short expected, own;
    int silence, repeats;
    unsigned long received;
};

static void restart(struct connection *c)
{
    c->state = LISTEN;
    c->silence = 0;
    c->repeats = 0;
    c->received = 0;
}

static void on_data(struct connection *c, unsigned short sequence, unsigned short length)
{
    if (sequence == c->expected) {
        c->expected = (unsigned short)(c->expected + length);
        c->received += length;
        c->repeats = 0;
    } else if ((unsigned short)(c->expected - sequence) < 64) {
        c->repeats++;
    } else {
        restart(c);
    }
    if (c->repeats == 7) restart(c);
}

static void timeout(struct connection *c)
{
    if (c->state == LISTEN) return;
    c->silence++;
    if (c->silence < 25) return;
    restart(c);
}

int main(void)
{
    struct connection c = { LISTEN, 0, 100, 0, 0, 0 };
    unsigned sessions = 0;
    while (1) {
        unsigned kind = __VERIFIER_nondet_uint() % 8;
        if (kind == NOTHING) {
            timeout(&c);
            continue;
        }
        unsigned short sequence = __VERIFIER_nondet_ushort();
        unsigned short number = __VERIFIER_nondet_ushort();
        c.silence = 0;
        if (kind == RESET && sequence == c.expected) restart(&c);
        switch (c.state) { /* The enumeration has no other state, so the implicit default is never taken. */
        case LISTEN:
            if (kind != SYN) break;
            c.expected = (unsigned short)(sequence + 1);
            c.own = (unsigned short)(sequence ^ 0x5aa5);
            c.state = SYN_RECEIVED;
            break;
        case SYN_RECEIVED:
            if (kind == ACK && sequence == c.expected && number == (unsigned short)(c.own + 1)) c.state = ESTABLISHED;
            else if (kind != SYN) restart(&c);
            break;
        case ESTABLISHED:
            if (kind == DATA) on_data(&c, sequence, number & 0x3f);
            else if (kind == FIN && sequence == c.expected) c.state = CLOSING;
            break;
        case CLOSING:
            if (kind == ACK && number == (unsigned short)(c.own + 2)) {
                if (c.received >= 150) sessions++;
                restart(&c);
            }
            break;
        }
        /* Data is counted only after the handshake, and every restart forgets what was counted. */
        if (c.state == SYN_RECEIVED && c.received != 0) return 1;
        if (sessions == 2) sessions = 0;
    }
}
