/* clew test
 * branches: 8 of 8
 *
 * Feasible: memory that is written in one form and read in another, and a byte of a number that is written through a pointer. */
extern int __VERIFIER_nondet_int(void);

static union {
    unsigned wide;
    unsigned short half[2];
    unsigned char bytes[4];
} box;

static void poke(unsigned char *bytes, int at)
{
    bytes[at & 3] = 1;
}

int main(void)
{
    int number = 5, results = 0;
    box.wide = 0;
    box.half[1] = (unsigned short)(__VERIFIER_nondet_int() & 1);
    if (box.wide == 65536) results |= 1;
    box.wide = 0;
    box.bytes[__VERIFIER_nondet_int() & 3] = 1;
    if (box.half[0] == 256) results |= 2;
    poke((unsigned char *)&number, __VERIFIER_nondet_int());
    if (number == 261) results |= 4;
    if (number == 1) results |= 8;
    return results;
}
