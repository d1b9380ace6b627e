/* clew test
 * branches: 8 of 8
 * tests: at most 8
 *
 * Elements wider than a byte, as many as the caller has room for; only the first ones are read. */
void read_samples(short *samples, int count);

int rising(void)
{
    short samples[4];
    read_samples(samples, 4);
    for (int i = 1; i < 4; i++) {
        if (samples[i] <= samples[i - 1]) return i;
    }
    if (samples[3] == 1000) return 1000;
    if (samples[0] == -1000) return 2000;
    return 0;
}
