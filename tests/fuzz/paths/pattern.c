/* inputs: 3 3
 * Bytes that look like those of uninitialised memory, written, copied, overwritten and left out, with decisions in between.
 * reports: uninitialized 17 */
#include <string.h>

int test(unsigned a, unsigned b)
{
    unsigned char text[24], copy[24];
    int r = 0;
    for (unsigned i = 0; i < 20; i++) {
        text[i] = i % 3 ? 0xb7 : (unsigned char)(i + 0xb0);
        if (i == a * 2) r += 5;
        if (i > 16 && a + b == 9) text[i] = 1;
    }
    memcpy(copy, text, sizeof copy);
    memset(text + b, 0xb7, 3);
    if (copy[12 + a + (b & 4)] == 0xb7) r++;
    if (text[a] == 0xb7 && copy[b] == 0xb7) return r + 100;
    unsigned long word;
    memcpy(&word, copy + b, sizeof word);
    return r + (word == 0xb7b7bcb7b7b9b7b7u ? 50 : 0);
}
