/* clew test
 * branches: 6 of 6
 *
 * A counter of 16 bits goes round once: 2^16 turns, less those that the input skips. */
int turns_65536(unsigned short from)
{
    unsigned short x = from;
    unsigned turns = 0;
    do {
        x++;
        turns++;
    } while (x != 0);
    if (turns == 65536) return 1;
    if (turns == 40000) return 2;
    return 0;
}
