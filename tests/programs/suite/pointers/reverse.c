/* clew test
 * branches: 4 of 4
 * bug: out-of-bounds 12
 * tests: at most 4
 *
 * Reversal in place with the usual mistake: the partner of the first element is looked for behind the last. */
void reverse(short *samples, int count)
{
    if (!samples) return;
    for (int i = 0; i < count / 2; i++) {
        short kept = samples[i];
        samples[i] = samples[count - i];
        samples[count - i] = kept;
    }
}
