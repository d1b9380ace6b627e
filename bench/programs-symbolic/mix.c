/* A symbolic 32-bit state mixed for long: every instruction works on expressions. */
#include <clew.h>

int main(void)
{
    unsigned x = clew_uint("x"), y = clew_uint("y"), z = clew_uint("z");
    for (int i = 0; i < 200000; i++) {
        x += y ^ (z << 3);
        y = (y * 2654435761u) + (x >> 7);
        z ^= x | (y & 0xff00ff);
        x = (x << 5) | (x >> 27);
    }
    return clew_is_symbolic(x ^ y ^ z) == 0;
}
