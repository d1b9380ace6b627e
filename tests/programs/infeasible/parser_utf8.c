/* clew test
 * branches: 59 of 72
 * infeasible: 39 true
 * infeasible: 40 default
 * infeasible: 53 true
 * infeasible: 54 true
 * infeasible: 69 true
 * infeasible: 71 true
 * infeasible: 73 true
 * infeasible: 74 true
 * infeasible: 75 true
 * infeasible: 77 true
 * infeasible: 78 true
 * infeasible: 79 true
 * infeasible: 80 true
 * proved: at least 13
 *
 * A decoder of UTF-8: the number of missing bytes, the code point and the accepted ranges agree in every state. */
extern int __VERIFIER_nondet_int(void);

struct decoder {
    unsigned code, lowest;
    int missing;
};

static int sequence_length(unsigned byte)
{
    if (byte < 0x80) return 1;
    if (byte < 0xc2) return 0;
    if (byte < 0xe0) return 2;
    if (byte < 0xf0) return 3;
    if (byte < 0xf5) return 4;
    return 0;
}

static int start(struct decoder *d, unsigned byte)
{
    int length = sequence_length(byte);
    if (length > 4) return -1;
    switch (length) {
    case 0: return -1;
    case 1: d->code = byte; d->lowest = 0; break;
    case 2: d->code = byte & 0x1f; d->lowest = 0x80; break;
    case 3: d->code = byte & 0x0f; d->lowest = 0x800; break;
    case 4: d->code = byte & 0x07; d->lowest = 0x10000; break;
    }
    d->missing = length - 1;
    return 0;
}

static int next(struct decoder *d, unsigned byte)
{
    if (d->missing > 3) return -2;
    if (d->missing < 1) return -2;
    if ((byte & 0xc0) != 0x80) return -1;
    d->code = d->code << 6 | (byte & 0x3f);
    d->missing--;
    return 0;
}

int main(void)
{
    struct decoder d = {0, 0, 0};
    unsigned characters = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input < 0 || input > 255) break;
        unsigned byte = (unsigned)input;
        if (byte > 255) return 1;
        int status = d.missing == 0 ? start(&d, byte) : next(&d, byte);
        if (status < -1) return 2;
        if (status < 0) return 3;
        if (d.missing < 0) return 4;
        if (d.missing == 3 && d.code > 4) return 5;
        if (d.missing == 2 && d.lowest == 0x80) return 6;
        if (d.missing > 0) continue;
        if (d.code > 0x13ffff) return 7;
        if (d.lowest == 0 && d.code > 127) return 8;
        if (d.lowest == 0x80 && d.code < 128) return 9;
        if (d.lowest == 0x80 && d.code > 0x7ff) return 10;
        if (d.code < d.lowest) return 11;
        if (d.code > 0x10ffff) return 12;
        if (characters < 6) characters++;
    }
    if (d.missing != 0) return 13;
    return characters > 2 ? 14 : 0;
}
