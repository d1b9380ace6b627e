/* clew explore --function is_image
 * seeds: 10
 * branches: 2 of 2
 * returns: 0 1
 *
 * Eight bytes of magic through memcmp. */
#include <stdint.h>
#include <string.h>

int is_image(uint64_t word)
{
    char bytes[8];
    memcpy(bytes, &word, sizeof bytes);
    if (memcmp(bytes, "\211PNG\r\n\032\n", 8) == 0) return 1;
    return 0;
}
