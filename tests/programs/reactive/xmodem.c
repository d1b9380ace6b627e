/* clew test --stdin 34
 * branches: 49 of 50
 * infeasible: 39 true
 * covered: at least 30
 *
 * A receiver in the manner of XMODEM that reads standard input with read(): blocks with a number, its complement, data and a sum.
 * What makes it hard is that two blocks with right numbers and sums must come one after the other before the transfer can end well. */
#include <unistd.h>

enum { SOH = 1, EOT = 4, CAN = 24, DATA = 4 };

static unsigned char store[4 * DATA];
static unsigned blocks, repeats, naks;

static int get_byte(void)
{
    unsigned char byte;
    if (read(0, &byte, 1) != 1) return -1;
    return byte;
}

/* Returns 1 for a new block, 2 for a repeated one, 0 for a bad one, -1 at the end of the input. */
static int get_block(void)
{
    int number = get_byte(), complement = get_byte();
    unsigned char data[DATA], sum = 0;
    if (complement < 0) return -1;
    for (int i = 0; i < DATA; i++) {
        int byte = get_byte();
        if (byte < 0) return -1;
        data[i] = (unsigned char)byte;
        sum = (unsigned char)(sum + byte);
    }
    if (get_byte() != sum) return 0;
    if (number + complement != 255) return 0;
    if (number == (int)blocks && blocks > 0) return 2;
    if (number != (int)blocks + 1) return 0;
    /* Thirty-four bytes of input are too few for a fifth block. */
    if (blocks == 4) return 0;
    for (int i = 0; i < DATA; i++) store[blocks * DATA + (unsigned)i] = data[i];
    blocks++;
    return 1;
}

int main(void)
{
    int cancels = 0, c;
    while ((c = get_byte()) >= 0) {
        if (c == CAN) {
            if (++cancels == 2) return 3;
            continue;
        }
        cancels = 0;
        if (c == EOT) {
            if (blocks >= 2 && store[0] == 'C' && store[DATA] == 'W') return 0;
            return 4;
        }
        if (c != SOH) continue;
        int result = get_block();
        if (result < 0) return 5;
        if (result == 0) naks++;
        if (result == 2) repeats++;
        if (naks == 2 && repeats == 0) return 6;
    }
    return blocks > 0 ? 1 : 2;
}
