/* clew test
 * branches: 12 of 12
 * complete: yes
 * tests: at most 10
 *
 * The length is that of the buffer before it; what is copied is a text. */
int copy(char *dst, unsigned room, const char *src)
{
    unsigned i = 0;
    if (!dst || !src || room == 0) return -1;
    room--;
    while (src[i] && i < room) {
        dst[i] = src[i];
        i++;
    }
    dst[i] = 0;
    return src[i] ? 1 : 0;
}
