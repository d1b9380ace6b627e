/* clew test
 * branches: 6 of 6
 * bug: out-of-bounds 15
 * tests: at most 6
 *
 * A device says how many bytes it has delivered, and is believed. */
int receive(unsigned char *buffer, int room);

int checksum(void)
{
    unsigned char buffer[8] = {0};
    unsigned sum = 0;
    int count = receive(buffer, sizeof buffer);
    if (count <= 0) return -1;
    for (int i = 0; i < count; i++) sum += buffer[i];
    if (sum % 256 == 0) return 0;
    return 1;
}
