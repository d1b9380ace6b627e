/* clew test --stdin 36
 * branches: 52 of 52
 * covered: at least 32
 *
 * A reader of records in the manner of Intel HEX on standard input: a colon, hexadecimal digits for length, address, type, data and checksum.
 * What makes it hard is that every record has a checksum, in text, and that the end record counts only after a data record. */
#include <stdio.h>

enum state { BETWEEN, RECORD };

static enum state state = BETWEEN;
static unsigned char bytes[12];
static int nibbles;
static unsigned records, start_address, memory_used;

static int digit(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static int check_record(void)
{
    int count = nibbles / 2;
    unsigned char sum = 0;
    if (nibbles % 2 || count < 5) return -1;
    for (int i = 0; i < count; i++) sum = (unsigned char)(sum + bytes[i]);
    if (sum != 0) return -2;
    if (bytes[0] != count - 5) return -3;
    return bytes[3];
}

static int end_of_line(void)
{
    int type = check_record();
    unsigned address = (unsigned)(bytes[1] << 8 | bytes[2]);
    state = BETWEEN;
    if (type < 0) return type;
    switch (type) {
    case 0:
        records++;
        memory_used += bytes[0];
        if (address >= 0x8000) return -5;
        break;
    case 1:
        if (bytes[0] == 0 && records > 0) return 1;
        return -6;
    case 5:
        start_address = address;
        break;
    default:
        return -4;
    }
    return 0;
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        if (state == BETWEEN) {
            nibbles = 0;
            if (c == ':') state = RECORD;
            else if (c != '\n') return 3;
        } else if (c == '\n') {
            int result = end_of_line();
            if (result == 1) return start_address == 0x1234 ? 0 : 10;
            if (result < 0) return 4;
        } else {
            int value = digit(c);
            if (value < 0 || nibbles == 24) return 5;
            unsigned char *byte = &bytes[nibbles / 2];
            *byte = (unsigned char)(*byte << 4 | value);
            nibbles++;
        }
    }
    if (memory_used > 3) return 6;
    return 2;
}
