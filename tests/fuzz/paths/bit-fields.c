/* inputs: 4 4
 * Bit-fields, signed and not, and unions. */
struct flags {
    unsigned low : 3;
    int number : 4;
    unsigned high : 5;
    unsigned long wide : 37;
};

int test(unsigned a, unsigned b)
{
    struct flags f = {0};
    f.low = a;
    f.number = (int)b - 8;
    f.high = a * b;
    f.wide = (unsigned long)a << 33;
    union {
        float f;
        unsigned char bytes[4];
        unsigned word;
    } u = {.word = a << 24 | b};
    if (f.number < -3) return f.low;
    if (f.high == 21) return 50;
    if (f.wide >> 36) return 60 + f.number;
    if (u.bytes[3] == u.bytes[0]) return 70;
    return (int)f.high * 100 + (u.f > 1e-30f);
}
