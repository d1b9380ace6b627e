/* Symbolic bytes: a checksum and a copy, as parsers have them. */
#include <clew.h>

static unsigned char input[256], output[256];

int main(void)
{
    unsigned sum = 0;
    clew_make_symbolic(input, sizeof input, "input");
    for (int round = 0; round < 300; round++)
        for (int i = 0; i < 256; i++) {
            sum = (sum << 1 | sum >> 31) ^ input[i];
            output[i] = (unsigned char)(input[255 - i] + (sum & 15));
            input[i] = output[i];
        }
    return clew_is_symbolic(sum) == 0;
}
