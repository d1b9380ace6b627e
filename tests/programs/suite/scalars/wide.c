/* clew test
 * branches: 8 of 8
 * complete: yes
 * tests: at most 10
 *
 * Products of 64 bits: would this one be too large? */
#include <stdint.h>

int fits(uint64_t count, uint64_t size)
{
    if (count == 0 || size == 0) return 1;
    if (count > UINT64_MAX / size) return 0;
    if (count * size == 0x100000001ull) return 2;
    return 1;
}
