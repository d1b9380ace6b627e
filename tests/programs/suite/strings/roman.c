/* clew test --string text:4
 * branches: 12 of 12
 * tests: at most 6
 *
 * A small number in Roman digits. */
static int digit(char c)
{
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    default: return 0;
    }
}

int roman(const char *text)
{
    int sum = 0;
    if (!text) return -1;
    for (; *text; text++) {
        int here = digit(text[0]), after = digit(text[1]);
        if (here == 0) return -2;
        if (here < after) sum -= here;
        else sum += here;
    }
    return sum;
}
