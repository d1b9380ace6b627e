/* clew test
 * branches: 24 of 24
 *
 * Feasible: a value that was stored as one member of a union is read as another one, and a message that is read byte by byte overlays its fields. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

union number {
    int whole;
    unsigned bits;
    float real;
    struct {
        unsigned short low, high;
    } halves;
};

union message {
    unsigned char bytes[8];
    struct {
        unsigned char kind, flags;
        unsigned short length;
        int argument;
    } fields;
};

struct tagged {
    int tag;
    union {
        int number;
        const char *text;
        unsigned char small;
    } as;
};

static void receive(union message *m)
{
    for (int i = 0; i < 8; i++) m->bytes[i] = (unsigned char)__VERIFIER_nondet_int();
}

static int low_byte(struct tagged *t)
{
    t->as.number = 256;
    if (t->tag == 1) t->as.small = 3;
    return t->as.number;
}

int main(void)
{
    union number n;
    n.whole = 1;
    n.halves.high = (unsigned short)(__VERIFIER_nondet_uint() & 0xffff);
    if (n.whole < 0) return 1;
    if (n.whole == 0x30001) return 2;
    if (n.bits > 0x10000 && n.halves.high != 1) return 3;
    n.bits = __VERIFIER_nondet_uint();
    if (n.real == 1.0f) return 4;

    union message m;
    m.fields.kind = 1;
    m.fields.argument = 5;
    receive(&m);
    if (m.fields.kind == 2) return 5;
    if (m.fields.argument == -1) return 6;
    if (m.fields.length > 258 && m.bytes[2] == 2) return 7;

    struct tagged t;
    t.tag = __VERIFIER_nondet_int() & 1;
    if (low_byte(&t) == 259) return 8;
    return 0;
}
