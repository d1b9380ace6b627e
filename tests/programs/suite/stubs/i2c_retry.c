/* clew test --nonnull value
 * branches: 6 of 6
 * complete: yes
 * tests: at most 6
 *
 * A bus that answers with a status and, through a pointer, with a value; three attempts. */
int i2c_read(unsigned char address, unsigned char *value);

int read_register(unsigned char address, int *value)
{
    for (int attempt = 0; attempt < 3; attempt++) {
        unsigned char byte = 0;
        if (i2c_read(address, &byte) != 0) continue;
        if (byte == 0xff) return -2;
        *value = byte;
        return attempt;
    }
    return -1;
}
