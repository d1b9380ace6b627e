/* clew test
 * branches: 28 of 28
 * tests: at most 24
 *
 * Decodes one character of UTF-8, refusing what is too short, too long or not a character. */
#include <stddef.h>

int decode(const unsigned char *text, size_t size, unsigned *code)
{
    static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
    if (!text || size == 0 || !code) return -1;
    unsigned first = text[0], more, value;
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    if ((first & 0xE0) == 0xC0) {
        more = 1;
        value = first & 0x1F;
    } else if ((first & 0xF0) == 0xE0) {
        more = 2;
        value = first & 0x0F;
    } else if ((first & 0xF8) == 0xF0) {
        more = 3;
        value = first & 0x07;
    } else {
        return -2;
    }
    if (size <= more) return -3;
    for (unsigned i = 1; i <= more; i++) {
        if ((text[i] & 0xC0) != 0x80) return -4;
        value = value << 6 | (text[i] & 0x3Fu);
    }
    if (value < least[more]) return -5;
    if (value > 0x10FFFF) return -6;
    if (value >= 0xD800 && value <= 0xDFFF) return -7;
    *code = value;
    return (int)more + 1;
}
