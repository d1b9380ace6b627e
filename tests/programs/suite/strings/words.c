/* clew test
 * branches: 10 of 10
 * tests: at most 4
 *
 * Counts the words of a text. */
int words(const char *text)
{
    int count = 0, inside = 0;
    if (!text) return -1;
    for (; *text; text++) {
        if (*text == ' ' || *text == '\n') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            count++;
        }
    }
    return count;
}
