/* clew test
 * branches: 19 of 19
 * complete: yes
 * tests: at most 26
 *
 * States and events of a connection: a switch in a switch, as such code is often written. */
enum state { CLOSED, OPENING, OPEN, CLOSING, BROKEN };
enum event { CONNECT, ACCEPT, REFUSE, SEND, QUIT };

struct connection {
    enum state state;
    unsigned attempts, sent;
};

int handle(struct connection *c, enum event event)
{
    if (!c) return -1;
    switch (c->state) {
    case CLOSED:
        if (event != CONNECT) return -2;
        c->state = OPENING;
        c->attempts = 1;
        return 0;
    case OPENING:
        switch (event) {
        case ACCEPT: c->state = OPEN; return 0;
        case REFUSE:
            if (c->attempts >= 3) {
                c->state = CLOSED;
                return -3;
            }
            c->attempts++;
            return 0;
        case QUIT: c->state = CLOSED; return 0;
        default: return -2;
        }
    case OPEN:
        if (event == SEND) {
            c->sent++;
            return 1;
        }
        if (event == QUIT) c->state = CLOSING;
        return 0;
    case CLOSING: c->state = CLOSED; return 0;
    default: return -4;
    }
}
