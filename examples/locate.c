/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 8
 *
 * Looks for a character in a string, and then at what follows it (after an example of compositional test generation): the number of paths
 * grows with the product of those of the two functions. */
static int locate(const char *text, int wanted)
{
    int i = 0;
    while (text[i] != wanted) {
        if (text[i] == '\0') return -1;
        i++;
    }
    return i;
}

int top(const char *input)
{
    if (!input) return -2;
    int place = locate(input, 'a');
    if (place == -1) return -1;
    if (input[place + 1] != ':') return 1;
    return 0;
}
