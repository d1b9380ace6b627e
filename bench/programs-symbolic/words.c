/* Symbolic words through memory: loads, stores, and the arithmetic between them. */
#include <clew.h>

static unsigned words[64];

int main(void)
{
    clew_make_symbolic(words, sizeof words, "words");
    for (int round = 0; round < 4000; round++)
        for (int i = 0; i < 64; i++) words[i] = words[i] * 33 + (words[(i + 7) & 63] ^ words[(i + 31) & 63]);
    return clew_is_symbolic(words[5]) == 0;
}
