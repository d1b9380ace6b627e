/* clew test
 * branches: 6 of 6
 * complete: yes
 * tests: at most 8
 *
 * Four characters without an end: the last is as free as the first. */
struct head {
    char id[4];
};

int is_riff(const struct head *h)
{
    if (!h) return 0;
    if (h->id[0] == 'R' && h->id[3] == 'F') return 1;
    return 2;
}
