/* clew test
 * branches: 45 of 46
 * infeasible: 81 true
 * covered: at least 27
 *
 * A node on a bus in the manner of CAN: frames come from a missing driver, acceptance filters choose, error counters lead to bus-off and back.
 * What makes it hard is that bus-off needs 256 points of errors and the way back 128 idle turns. */
struct frame {
    unsigned id;
    unsigned char length;
    unsigned char data[2];
};

extern int can_receive(struct frame *frame);
extern int can_error(void);

enum health { ACTIVE, PASSIVE, BUS_OFF };

struct filter {
    unsigned mask, value;
};

static const struct filter filters[3] = { { 0x7f0, 0x120 }, { 0x7ff, 0x305 }, { 0x700, 0x600 } };
static enum health health = ACTIVE;
static int errors, idle, torque, door_open;
static unsigned diagnostics;

static int accepted_by(const struct frame *frame)
{
    for (int i = 0; i < 3; i++) {
        if ((frame->id & filters[i].mask) == filters[i].value) return i;
    }
    return -1;
}

static void handle(const struct frame *frame)
{
    switch (accepted_by(frame)) {
    case 0:
        if (frame->length == 2) torque = frame->data[0] << 8 | frame->data[1];
        break;
    case 1:
        door_open = frame->length > 0 && (frame->data[0] & 0x40);
        break;
    case 2:
        if (frame->length == 2 && frame->data[0] == 0x3e && frame->data[1] == (frame->id & 0xff)) diagnostics++;
        else diagnostics = 0;
        break;
    default:
        break;
    }
}

static void count_error(int points)
{
    errors += points;
    if (errors < 0) errors = 0;
    if (errors > 255) health = BUS_OFF;
    else health = errors > 127 ? PASSIVE : ACTIVE;
}

int main(void)
{
    while (1) {
        struct frame frame = { 0, 0, { 0, 0 } };
        int error = can_error();
        if (health == BUS_OFF) {
            idle = error == 0 ? idle + 1 : 0;
            if (idle < 128) continue;
            idle = 0;
            errors = 0;
            health = ACTIVE;
        }
        if (error > 0) {
            count_error(8);
            continue;
        }
        if (can_receive(&frame) <= 0) continue;
        count_error(-1);
        /* Bus-off begins only with an error, and an error ends the turn above. */
        if (health == BUS_OFF) return 1;
        if (frame.id > 0x7ff) continue;
        handle(&frame);
        if (diagnostics == 5 && door_open && torque == 0x0fa0) diagnostics = 0;
    }
}
