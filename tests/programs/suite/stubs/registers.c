/* clew test --nonnull bus
 * branches: 6 of 6
 * precondition: status: bus->read != NULL
 * tests: at most 6
 *
 * Functions behind pointers have no names for their parameters: a buffer is followed by its size, the context in front of the register is none. */
struct bus {
    int (*read)(void *context, unsigned reg, void *data, unsigned size);
    void *context;
};

int status(struct bus *bus)
{
    unsigned char bytes[2];
    if (bus->read(bus->context, 0x10, bytes, sizeof bytes)) return -1;
    if (bytes[0] & 0x80) return 2;
    return bytes[1] == 0x5a ? 1 : 0;
}
