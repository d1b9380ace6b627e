/* clew test
 * branches: 2 of 2
 * bug: out-of-bounds 16
 * complete: yes
 * tests: at most 4
 *
 * An index from outside is checked at one end only. */
int next_index(void);

static const char names[6] = {'a', 'b', 'c', 'd', 'e', 'f'};

char next_name(void)
{
    int index = next_index();
    if (index >= 6) return '?';
    return names[index];
}
