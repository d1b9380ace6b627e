/* clew test
 * branches: 55 of 55
 * covered: at least 33
 *
 * A gateway between a field bus and a radio, without main: a function that never returns, called with the number of retries that it may make.
 * Frames of the bus come as words, the radio acknowledges with the number of the frame, and a table keeps up to four frames.
 * What makes it hard is that a slot of the table is used again only after the acknowledgement that fits, or after all retries. */
extern unsigned bus_word(void);
extern int radio_poll(unsigned char *number, unsigned char *quality);
extern int radio_send(unsigned char number, unsigned payload);

enum { SLOTS = 4, TIMEOUT = 6 };
enum slot_state { S_EMPTY, S_QUEUED, S_SENT };

struct slot {
    enum slot_state state;
    unsigned char number;
    unsigned payload;
    int age, tries;
};

struct gateway {
    struct slot slots[SLOTS];
    unsigned char next_number;
    int bad_quality, low_power;
    unsigned delivered, dropped;
};

/* The upper byte of a word is the sum of the three other bytes. */
static int word_is_valid(unsigned word)
{
    unsigned sum = (word & 0xff) + ((word >> 8) & 0xff) + ((word >> 16) & 0xff);
    return word != 0 && (sum & 0xff) == word >> 24;
}

static int enqueue(struct gateway *g, unsigned payload)
{
    for (int i = 0; i < SLOTS; i++) {
        if (g->slots[i].state != S_EMPTY) continue;
        g->slots[i].state = S_QUEUED;
        g->slots[i].number = g->next_number++;
        g->slots[i].payload = payload;
        g->slots[i].tries = 0;
        return i;
    }
    return -1;
}

static void acknowledge(struct gateway *g, unsigned char number)
{
    for (int i = 0; i < SLOTS; i++) {
        if (g->slots[i].state == S_SENT && g->slots[i].number == number) {
            g->slots[i].state = S_EMPTY;
            g->delivered++;
        }
    }
}

static void serve(struct gateway *g, struct slot *slot, int retries)
{
    switch (slot->state) {
    case S_QUEUED:
        if (g->low_power && slot->payload < 0x100) break;
        if (radio_send(slot->number, slot->payload) == 0) {
            slot->state = S_SENT;
            slot->age = 0;
        }
        break;
    case S_SENT:
        if (++slot->age < TIMEOUT) break;
        if (slot->tries < retries) {
            slot->tries++;
            slot->state = S_QUEUED;
        } else {
            slot->state = S_EMPTY;
            g->dropped++;
        }
        break;
    default:
        break;
    }
}

static void radio(struct gateway *g)
{
    unsigned char number = 0, quality = 0;
    int status = radio_poll(&number, &quality);
    if (status < 0) return;
    if (quality < 30) {
        if (g->bad_quality < 12) g->bad_quality++;
    } else {
        g->bad_quality = 0;
    }
    g->low_power = g->bad_quality == 12;
    if (status == 1) acknowledge(g, number);
}

void gateway_task(int retries)
{
    struct gateway gateway = { { { S_EMPTY, 0, 0, 0, 0 } }, 1, 0, 0, 0, 0 };
    unsigned congestion = 0;
    if (retries < 0) retries = 0;
    if (retries > 5) retries = 5;
    for (;;) {
        unsigned word = bus_word();
        if (word_is_valid(word)) {
            int slot = enqueue(&gateway, word & 0xffffff);
            if (slot < 0) congestion++;
            else if (slot == 0) congestion = 0;
        }
        radio(&gateway);
        for (int i = 0; i < SLOTS; i++) serve(&gateway, &gateway.slots[i], retries);
        if (congestion >= 3 && gateway.low_power) gateway.next_number = 1;
        if (gateway.delivered == 5 && gateway.dropped == 2) gateway.delivered = gateway.dropped = 0;
    }
}
