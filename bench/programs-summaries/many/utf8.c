/* UTF-8: code points of a short text are decoded and classified. */
#include <clew.h>
#include <stdint.h>

#define BYTES 6

static int is_continuation(uint8_t b)
{
    return (b & 0xc0) == 0x80;
}

static int length_of(uint8_t first)
{
    if (first < 0x80) return 1;
    if (first < 0xc2) return -1;
    if (first < 0xe0) return 2;
    if (first < 0xf0) return 3;
    if (first < 0xf5) return 4;
    return -1;
}

static int decode(const uint8_t *s, int left, uint32_t *code)
{
    int n = length_of(s[0]);
    if (n < 0) return -1;
    if (n > left) return -2;
    uint32_t c = n == 1 ? s[0] : s[0] & (0x7f >> n);
    for (int i = 1; i < n; i++) {
        if (!is_continuation(s[i])) return -3;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c >= 0xd800 && c < 0xe000) return -4;
    if (n == 3 && c < 0x800) return -5;
    if (n == 4 && (c < 0x10000 || c > 0x10ffff)) return -6;
    *code = c;
    return n;
}

static int width(uint32_t c)
{
    if (c < 0x20) return 0;
    if (c >= 0x1100 && c < 0x1160) return 2;
    if (c >= 0x4e00 && c < 0xa000) return 2;
    return 1;
}

int main(void)
{
    uint8_t text[BYTES];
    clew_make_symbolic(text, BYTES, "text");
    int at = 0, columns = 0, points = 0;
    while (at < BYTES) {
        uint32_t c;
        int n = decode(text + at, BYTES - at, &c);
        if (n < 0) return -n;
        at += n;
        points++;
        columns += width(c);
    }
    clew_assert(columns <= points + 1);
    return 0;
}
