/* clew test --string text:6
 * branches: 20 of 20
 * bug: out-of-bounds 26
 * tests: at most 12
 *
 * Pairs of hexadecimal digits to bytes; that there must be room is noticed for the first of them only. */
#include <stddef.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

int decode(const char *text, unsigned char *out, size_t size)
{
    size_t count = 0;
    if (!text || !out) return -1;
    if (size < 1) return -4;
    for (; *text; text += 2) {
        int high = digit(text[0]);
        if (high < 0) return -2;
        int low = digit(text[1]);
        if (low < 0) return -3;
        out[count++] = (unsigned char)(high * 16 + low);
    }
    return (int)count;
}
