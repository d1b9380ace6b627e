/* UTF-8: decodes code points, refuses overlong forms, surrogates and what is too large, and classifies the text. */
#include <clew.h>

enum { LENGTH = 7 };

enum fault { GOOD, TRUNCATED, STRAY, OVERLONG, SURROGATE, TOO_LARGE };

/* The bytes taken (0 at a fault); the code point in *point. */
static int decode(const unsigned char *at, const unsigned char *end, unsigned *point, enum fault *fault)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = *at < 0x80 ? 1 : (*at & 0xe0) == 0xc0 ? 2 : (*at & 0xf0) == 0xe0 ? 3 : (*at & 0xf8) == 0xf0 ? 4 : 0;
    if (n == 0) {
        *fault = STRAY;
        return 0;
    }
    if (end - at < n) {
        *fault = TRUNCATED;
        return 0;
    }
    unsigned value = n == 1 ? *at : *at & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            *fault = TRUNCATED;
            return 0;
        }
        value = value << 6 | (at[i] & 0x3f);
    }
    *fault = value < least[n] ? OVERLONG : value >= 0xd800 && value < 0xe000 ? SURROGATE : value > 0x10ffff ? TOO_LARGE : GOOD;
    *point = value;
    return *fault == GOOD ? n : 0;
}

struct range {
    unsigned first, last;
    int kind;
};

static const struct range ranges[] = {
    {0x00, 0x1f, 1},     {0x20, 0x7e, 2},        {0x7f, 0x9f, 1},       {0x370, 0x3ff, 3},   {0x400, 0x4ff, 4},
    {0x590, 0x5ff, 5},   {0x2000, 0x206f, 6},    {0x3040, 0x30ff, 7},   {0x4e00, 0x9fff, 8}, {0xac00, 0xd7a3, 9},
    {0xfe00, 0xfe0f, 6}, {0x1f300, 0x1f64f, 10}, {0x20000, 0x2a6df, 8},
};

static int kind_of(unsigned point)
{
    int low = 0, high = sizeof ranges / sizeof ranges[0];
    while (low < high) {
        int middle = (low + high) / 2;
        if (point > ranges[middle].last) low = middle + 1;
        else if (point < ranges[middle].first) high = middle;
        else return ranges[middle].kind;
    }
    return 0;
}

int main(void)
{
    unsigned char text[LENGTH];
    clew_make_symbolic(text, sizeof text, "text");
    const unsigned char *at = text, *end = text + LENGTH;
    int kinds = 0, points = 0;
    while (at < end && *at) {
        unsigned point = 0;
        enum fault fault;
        int n = decode(at, end, &point, &fault);
        if (!n) return 100 + (int)fault;
        clew_assert(point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000));
        kinds |= 1 << kind_of(point);
        at += n;
        points++;
    }
    if (points == 0) return 0;
    if (kinds & 1 << 1) return 1;                       /* control characters */
    if ((kinds & 1 << 3) && (kinds & 1 << 4)) return 2; /* Greek and Cyrillic look alike */
    if (kinds == 1 << 2) return 3;
    return kinds & 1 << 10 ? 4 : 5;
}
