/* clew test
 * branches: 14 of 14
 * tests: at most 6
 *
 * Counts the fields of a line of CSV; a comma between quotes separates nothing. */
int fields(const char *line)
{
    int count = 1, quoted = 0;
    if (!line) return -1;
    for (; *line; line++) {
        if (quoted) {
            if (*line == '"') quoted = 0;
        } else if (*line == '"') {
            quoted = 1;
        } else if (*line == ',') {
            count++;
        }
    }
    if (quoted) return -2;
    return count;
}
