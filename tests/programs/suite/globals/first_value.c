/* clew test
 * branches: 2 of 2
 * complete: yes
 * tests: at most 4
 *
 * A table that nothing changes keeps its texts. */
static const char *names[2] = {"a", "b"};

char initial(unsigned i)
{
    return i < 2 ? names[i][0] : 0;
}
