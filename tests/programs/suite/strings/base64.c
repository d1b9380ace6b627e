/* clew test --string quad:4 --array out:3
 * branches: 24 of 24
 * tests: at most 8
 *
 * Four characters of base64, without padding, to three bytes. */
static int value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}

int decode(const char *quad, unsigned char *out)
{
    unsigned bits = 0;
    if (!quad || !out) return -1;
    for (int i = 0; i < 4; i++) {
        int six = value(quad[i]);
        if (six < 0) return -2;
        bits = bits << 6 | (unsigned)six;
    }
    out[0] = (unsigned char)(bits >> 16);
    out[1] = (unsigned char)(bits >> 8);
    out[2] = (unsigned char)bits;
    return 3;
}
