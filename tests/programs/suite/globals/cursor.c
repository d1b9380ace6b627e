/* clew test
 * branches: 2 of 2
 * bug: out-of-bounds 14
 * complete: yes
 * tests: at most 4
 *
 * A position that is kept in a global is checked at one end only. */
static const int table[4] = {3, 1, 4, 1};
int cursor;

int next(void)
{
    if (cursor >= 4) cursor = 0;
    return table[cursor++];
}
