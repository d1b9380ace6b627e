/* clew test --string text:10
 * branches: 16 of 16
 * bug: signed-overflow 16
 * tests: at most 12
 *
 * A decimal number; ten digits are enough to make one that int does not have. */
int parse(const char *text, int *result)
{
    int number = 0, negative = 0;
    if (!text || !result) return -1;
    if (*text == '-') {
        negative = 1;
        text++;
    }
    if (*text == '\0') return -2;
    for (; *text >= '0' && *text <= '9'; text++) number = number * 10 + (*text - '0');
    if (*text != '\0') return -3;
    *result = negative ? -number : number;
    return 0;
}
