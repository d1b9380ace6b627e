/* Base64 (RFC 4648): decodes, refuses what a strict decoder refuses, and checks that encoding the result gives the text back. */
#include <clew.h>
#include <string.h>

enum { LENGTH = 8, MAGIC = 0x5eed };

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static signed char digits[256];

static void prepare(void)
{
    memset(digits, -1, sizeof digits);
    for (int i = 0; i < 64; i++) digits[(unsigned char)alphabet[i]] = (signed char)i;
}

/* The number of bytes, -1 if the text is not strict base64. */
static int decode(const unsigned char *text, int n, unsigned char *into)
{
    int size = 0;
    if (n % 4) return -1;
    for (int i = 0; i < n; i += 4) {
        unsigned group = 0;
        int padding = 0;
        for (int k = 0; k < 4; k++) {
            int c = text[i + k];
            if (c == '=') {
                if (i + 4 < n || k < 2) return -1;
                padding++;
                group <<= 6;
                continue;
            }
            if (padding || digits[c] < 0) return -1;
            group = group << 6 | (unsigned)digits[c];
        }
        if (padding == 1 && (group & 0xff)) return -1; /* bits that no byte has */
        if (padding == 2 && (group & 0xffff)) return -1;
        into[size++] = (unsigned char)(group >> 16);
        if (padding < 2) into[size++] = (unsigned char)(group >> 8);
        if (padding < 1) into[size++] = (unsigned char)group;
    }
    return size;
}

static int encode(const unsigned char *bytes, int n, char *into)
{
    char *start = into;
    for (int i = 0; i < n; i += 3) {
        unsigned group = (unsigned)bytes[i] << 16;
        if (i + 1 < n) group |= (unsigned)bytes[i + 1] << 8;
        if (i + 2 < n) group |= bytes[i + 2];
        *into++ = alphabet[group >> 18];
        *into++ = alphabet[group >> 12 & 63];
        *into++ = i + 1 < n ? alphabet[group >> 6 & 63] : '=';
        *into++ = i + 2 < n ? alphabet[group & 63] : '=';
    }
    return (int)(into - start);
}

int main(void)
{
    unsigned char text[LENGTH], bytes[LENGTH];
    char again[LENGTH + 4];
    clew_make_symbolic(text, sizeof text, "text");
    prepare();
    int length = 0;
    while (length < LENGTH && text[length]) length++;
    int size = decode(text, length, bytes);
    if (size < 0) return 1;
    clew_assert(encode(bytes, size, again) == length);
    clew_assert(memcmp(again, text, (size_t)length) == 0);
    if (size >= 4 && (bytes[0] << 8 | bytes[1]) == MAGIC && (bytes[2] ^ bytes[3]) == 0xff) return 2;
    return 0;
}
