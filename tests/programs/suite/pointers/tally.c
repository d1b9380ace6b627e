/* clew test --work 2000 --nonnull votes
 * branches: 14 of 14
 *
 * The last answer needs 19 elements that are not 0.  With the eight that a search begins with there are more paths than can be tried, so the search takes more
 * of them when it has found nothing new for long. */
int tally(const unsigned char *votes, unsigned count)
{
    unsigned yes = 0, no = 0, none = 0;
    for (unsigned i = 0; i < count; i++) {
        if (votes[i] == 'y') yes++;
        else if (votes[i] == 'n') no++;
        else if (votes[i] == '-') none++;
    }
    if (yes == 9 && no == 4 && none == 6) return 1;
    return 0;
}
