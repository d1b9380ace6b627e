/* clew test
 * branches: 4 of 4
 * tests: at most 4
 *
 * Counts bits by clearing them; many bits are a branch that needs many rounds. */
int crowded(unsigned char flags)
{
    int count = 0;
    for (; flags; flags &= (unsigned char)(flags - 1)) count++;
    if (count >= 7) return 1;
    return 0;
}
