/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 12
 *
 * A global struct with an array in it. */
struct device {
    unsigned status, errors;
    unsigned char buffer[4];
    unsigned fill;
};

struct device device;

int interrupt(unsigned char byte)
{
    if (device.status & 0x80) {
        device.errors++;
        return -1;
    }
    if (device.fill >= 4) return -2;
    device.buffer[device.fill++] = byte;
    if (device.fill == 4) {
        if (device.buffer[0] == 0x7e && byte == 0x7e) return 2;
        return 1;
    }
    return 0;
}
