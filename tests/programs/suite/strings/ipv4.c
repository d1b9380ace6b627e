/* clew test --string text:9 --array out:4
 * branches: 22 of 22
 * tests: at most 16
 *
 * An address in dotted decimal notation. */
int parse(const char *text, unsigned char *out)
{
    if (!text || !out) return -1;
    for (int part = 0; part < 4; part++) {
        unsigned number = 0;
        if (*text < '0' || *text > '9') return -2;
        while (*text >= '0' && *text <= '9') {
            number = number * 10 + (unsigned)(*text++ - '0');
            if (number > 255) return -3;
        }
        if (part < 3 && *text++ != '.') return -4;
        out[part] = (unsigned char)number;
    }
    if (*text != '\0') return -5;
    return 0;
}
