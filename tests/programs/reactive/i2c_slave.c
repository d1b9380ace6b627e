/* clew test
 * branches: 38 of 38
 * covered: at least 23
 *
 * A slave on a two-wire bus that is read bit by bit from two lines: start and stop conditions, an address, a register number and data.
 * What makes it hard is that one byte needs sixteen readings of the lines, and that a complete write needs three bytes after a start. */
extern int read_scl(void);
extern int read_sda(void);

enum state { WAITING, ADDRESS, REGISTER, WRITING, IGNORING };
enum { OWN_ADDRESS = 0x4e, REGISTERS = 4 };

static enum state state = WAITING;
static int scl = 1, sda = 1, bits, selected;
static unsigned char shift, registers[REGISTERS];
static unsigned writes;

static void byte_complete(void)
{
    switch (state) {
    case ADDRESS:
        state = shift == OWN_ADDRESS ? REGISTER : IGNORING;
        break;
    case REGISTER:
        if (shift < REGISTERS) {
            selected = shift;
            state = WRITING;
        } else {
            state = IGNORING;
        }
        break;
    case WRITING:
        registers[selected] = shift;
        selected = (selected + 1) % REGISTERS;
        writes++;
        break;
    default:
        break;
    }
}

static void rising_clock(int data)
{
    if (state == WAITING) return;
    bits++;
    if (bits == 9) {
        bits = 0;
        return;
    }
    shift = (unsigned char)(shift << 1 | data);
    if (bits == 8) byte_complete();
}

static void lines(int new_scl, int new_sda)
{
    if (scl && new_scl && sda && !new_sda) {
        state = ADDRESS;
        bits = 0;
    } else if (scl && new_scl && !sda && new_sda) {
        state = WAITING;
        if (writes >= 2 && registers[1] == 0xa5) writes = 0;
    } else if (!scl && new_scl) {
        rising_clock(new_sda);
    }
    scl = new_scl;
    sda = new_sda;
}

int main(void)
{
    while (1) {
        int new_scl = read_scl() & 1;
        int new_sda = read_sda() & 1;
        lines(new_scl, new_sda);
    }
}
