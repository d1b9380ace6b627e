/* clew test
 * branches: 48 of 49
 * infeasible: 68 false
 * covered: at least 29
 *
 * A bootloader over a serial line: a magic word, commands with length and checksum, a sequence number, and a start only after a whole image.
 * What makes it hard is that the start needs a long series of correct blocks in the right order. */
extern unsigned char uart_get(void);

enum { PAGE = 4, PAGES = 3 };
enum { C_ERASE = 'E', C_WRITE = 'W', C_VERIFY = 'V', C_GO = 'G' };

static unsigned char flash[PAGES * PAGE];
static int erased, written, verified, rejected;

static int synchronise(void)
{
    static const unsigned char magic[4] = { 0xB0, 0x07, 0x10, 0xAD };
    int matched = 0;
    while (matched < 4) {
        unsigned char byte = uart_get();
        if (byte == magic[matched]) matched++;
        else matched = byte == magic[0] ? 1 : 0;
    }
    return matched;
}

static int write_page(void)
{
    unsigned char number = uart_get(), sum = number, data[PAGE];
    for (int i = 0; i < PAGE; i++) {
        data[i] = uart_get();
        sum = (unsigned char)(sum + data[i]);
    }
    if (uart_get() != (unsigned char)~sum) return -1;
    if (number != written || number >= PAGES) return -2;
    for (int i = 0; i < PAGE; i++) flash[number * PAGE + i] = data[i];
    written++;
    return 0;
}

static int verify(void)
{
    unsigned sum = 0;
    for (int i = 0; i < PAGES * PAGE; i++) sum = (sum << 1 | sum >> 15) % 0x10000 ^ flash[i];
    unsigned high = uart_get();
    unsigned low = uart_get();
    return sum == (high << 8 | low);
}

static int command(unsigned char byte)
{
    switch (byte) {
    case C_ERASE:
        if (uart_get() != 0x55) return -1;
        erased = 1;
        written = verified = 0;
        return 0;
    case C_WRITE:
        if (!erased) return -3;
        return write_page();
    case C_VERIFY:
        if (written != PAGES) return -4;
        verified = verify();
        return verified ? 0 : -5;
    case C_GO:
        /* Only an erased flash is written, and only a written flash is verified. */
        if (verified && !erased) return -6;
        return verified ? 1 : -7;
    default:
        return -8;
    }
}

int main(void)
{
    int starts = 0;
    while (1) {
        int result = 0;
        synchronise();
        while (result == 0) result = command(uart_get());
        if (result == 1) {
            if (flash[0] == 0x7f && flash[PAGES * PAGE - 1] == 0xf7) starts++;
            erased = verified = 0;
            written = 0;
        } else if (++rejected == 5) {
            rejected = 0;
        }
        if (starts == 2) starts = 0;
    }
}
